import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

/** What a press does is the page's matter: it may send or destroy something. */
export const click: TabTool = {
  description: 'Clicks an element, and tells what came of it.',
  parameters: {
    tab: refTabParameter,
    ref: refParameter,
    button: { enum: ['left', 'middle', 'right'] },
    count: { type: 'integer', minimum: 1, maximum: 3 },
    modifiers: { type: 'array', items: { enum: ['Control', 'Shift', 'Alt', 'Meta'] } },
  },
  required: ['ref'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'click'),
};
