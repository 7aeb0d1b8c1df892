import { tabParameter, type TabTool, urlParameter, webAddressOf } from './tab-tool.ts';

export const navigate: TabTool = {
  description: 'Opens an address in a tab, in place of its page.',
  parameters: { tab: tabParameter, url: urlParameter },
  required: ['url'],
  annotations: { openWorldHint: true },
  run: ({ go }, call, args) => go(call, args, webAddressOf(args)),
};
