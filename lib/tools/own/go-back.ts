import { tabParameter, type TabTool } from './tab-tool.ts';

export const goBack: TabTool = {
  description: 'Goes back in a tab’s history.',
  parameters: { tab: tabParameter },
  annotations: { openWorldHint: true },
  run: ({ go }, call, args) => go(call, args, 'back'),
};
