import { tabParameter, type TabTool } from './tab-tool.ts';

export const find: TabTool = {
  description: 'Finds elements by text or role, with references.',
  parameters: {
    tab: tabParameter,
    text: { type: 'string' },
    role: { type: 'string' },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ ask }, call, args) => ask(call, args, 'find'),
};
