import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

export const pressKey: TabTool = {
  description:
    'Presses Enter, ArrowDown, Control+a or the like on an element, else on what had the focus when it was asked for.',
  parameters: {
    tab: refTabParameter,
    key: { type: 'string', minLength: 1, maxLength: 40 },
    ref: refParameter,
  },
  required: ['key'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'press_key'),
};
