import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

export const selectOption: TabTool = {
  description: 'Chooses options of a list by their names.',
  parameters: {
    tab: refTabParameter,
    ref: refParameter,
    values: { type: 'array', minItems: 1, items: { type: 'string' } },
  },
  required: ['ref', 'values'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'select_option'),
};
