import { tabParameter, type TabTool } from './tab-tool.ts';

/** What was typed there is lost. */
export const reload: TabTool = {
  description: 'Loads a tab’s page anew.',
  parameters: { tab: tabParameter },
  annotations: { openWorldHint: true },
  run: ({ go }, call, args) => go(call, args, 'reload'),
};
