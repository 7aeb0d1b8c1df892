import { tabParameter, type TabTool } from './tab-tool.ts';

export const readTab: TabTool = {
  description: 'Reads the page in a tab, as Markdown.',
  parameters: { tab: tabParameter },
  required: ['tab'],
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ read }, call, args) => read(call, args, 'page'),
};
