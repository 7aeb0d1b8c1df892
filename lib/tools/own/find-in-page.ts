import { tabParameter, type TabTool } from './tab-tool.ts';

export const findInPage: TabTool = {
  description: 'Finds where words stand in a page.',
  parameters: { query: { type: 'string', minLength: 1 }, tab: tabParameter },
  required: ['query'],
  annotations: { readOnlyHint: true, openWorldHint: false },
  /** `query` goes along with the reading. */
  run: ({ read }, call, args) => read(call, args, 'page'),
};
