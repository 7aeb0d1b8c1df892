import { tabParameter, type TabTool } from './tab-tool.ts';

/** What was typed there is lost. */
export const closeTab: TabTool = {
  description: 'Closes a tab.',
  parameters: { tab: tabParameter },
  required: ['tab'],
  annotations: { openWorldHint: false },
  run: ({ go }, call, args) => go(call, args, 'close'),
};
