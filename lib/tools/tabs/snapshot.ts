import { tabParameter, type TabTool } from './tab-tool.ts';

export const snapshot: TabTool = {
  description: 'Gives a page’s accessibility tree: what it shows and what can be used, with references.',
  parameters: {
    tab: tabParameter,
    ref: { type: 'string', description: 'Only this element' },
    filter: { enum: ['all', 'interactive'] },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ ask }, call, args) => ask(call, args, 'snapshot'),
};
