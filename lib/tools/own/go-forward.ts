import { tabParameter, type TabTool } from './tab-tool.ts';

export const goForward: TabTool = {
  description: 'Goes forward in a tab’s history.',
  parameters: { tab: tabParameter },
  annotations: { openWorldHint: true },
  run: ({ go }, call, args) => go(call, args, 'forward'),
};
