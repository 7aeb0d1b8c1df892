import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

/** A page may load more at its end, and nothing else comes of it. */
export const scroll: TabTool = {
  description: 'Scrolls the page, in an element, or to it.',
  parameters: {
    tab: refTabParameter,
    ref: refParameter,
    direction: { enum: ['up', 'down', 'left', 'right'] },
    amount: { type: 'integer', minimum: 1, description: 'Pixels' },
  },
  annotations: { destructiveHint: false, openWorldHint: false },
  run: ({ act }, call, args) => act(call, args, 'scroll'),
};
