import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

export const fillForm: TabTool = {
  description: 'Fills in fields: text, true or false, an option, 2026-12-31, #ff0000.',
  parameters: {
    tab: refTabParameter,
    fields: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: {
        type: 'object',
        properties: { ref: refParameter, value: { type: 'string' } },
        required: ['ref', 'value'],
        additionalProperties: false,
      },
    },
  },
  required: ['fields'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'fill_form'),
};
