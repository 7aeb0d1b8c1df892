import { tabParameter, type TabTool } from './tab-tool.ts';

export const readTab: TabTool = {
  description: 'Reads the page in a tab, as Markdown.',
  parameters: { tab: tabParameter },
  required: ['tab'],
  annotations: { readOnlyHint: true },
  run: ({ read }, call, args) => read(call, args, 'page'),
};
