import { refParameter, tabParameter, type TabTool } from './tab-tool.ts';

export const typeText: TabTool = {
  description: 'Types text into a field of a page.',
  parameters: {
    tab: tabParameter,
    ref: refParameter,
    text: { type: 'string', maxLength: 50_000 },
    clear: { type: 'boolean', description: 'In place of what stands there' },
    submit: { type: 'boolean', description: 'Press Enter then' },
  },
  required: ['ref', 'text'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'type_text'),
};
