import { refParameter, tabParameter, type TabTool } from './tab-tool.ts';

export const selectOption: TabTool = {
  description: 'Chooses options of a list in a page, by their names.',
  parameters: {
    tab: tabParameter,
    ref: refParameter,
    values: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string' } },
  },
  required: ['ref', 'values'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'select_option'),
};
