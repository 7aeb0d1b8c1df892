import { refParameter, tabParameter, type TabTool } from './tab-tool.ts';

export const pressKey: TabTool = {
  description: 'Presses a key in a page, such as Enter, ArrowDown or Control+a.',
  parameters: { tab: tabParameter, key: { type: 'string', minLength: 1, maxLength: 40 }, ref: refParameter },
  required: ['key'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'press_key'),
};
