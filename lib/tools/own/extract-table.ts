import { tabParameter, type TabTool } from './tab-tool.ts';

export const extractTable: TabTool = {
  description: 'Lists a page’s tables, or gives the rows of one.',
  parameters: {
    table: { type: 'string', description: 'Its reference; without it all are listed' },
    from: { type: 'integer', minimum: 0, description: 'The row to begin at' },
    tab: tabParameter,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ ask }, call, args) => ask(call, args, 'tables'),
};
