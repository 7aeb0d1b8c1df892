import { tabParameter, type TabTool } from './tab-tool.ts';

export const snapshot: TabTool = {
  description: 'Gives a page’s accessibility tree, with references of what can be used.',
  parameters: {
    tab: tabParameter,
    ref: { type: 'string', description: 'Only this element' },
    filter: { enum: ['all', 'interactive'] },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ ask }, call, args) => ask(call, args, 'snapshot'),
};
