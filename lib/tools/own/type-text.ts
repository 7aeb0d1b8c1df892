import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

export const typeText: TabTool = {
  description: 'Types into a field.',
  parameters: {
    tab: refTabParameter,
    ref: refParameter,
    text: { type: 'string' },
    clear: { type: 'boolean', description: 'Replace what is there' },
    submit: { type: 'boolean', description: 'Press Enter then' },
  },
  required: ['ref', 'text'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'type_text'),
};
