import { tabParameter, type TabTool } from './tab-tool.ts';

export const find: TabTool = {
  description: 'Finds elements of a page by text or role, with references as snapshot has.',
  parameters: {
    tab: tabParameter,
    text: { type: 'string', minLength: 1, maxLength: 300 },
    role: { type: 'string', minLength: 1, maxLength: 40 },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ ask }, call, args) => ask(call, args, 'find'),
};
