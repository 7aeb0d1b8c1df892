import { refParameter, tabParameter, type TabTool } from './tab-tool.ts';

/** A page may load more at its end, and nothing else comes of it. */
export const scroll: TabTool = {
  description: 'Scrolls a page or an element, or to an element.',
  parameters: {
    tab: tabParameter,
    ref: refParameter,
    direction: { enum: ['up', 'down', 'left', 'right'] },
    amount: { type: 'integer', minimum: 1, description: 'Pixels' },
  },
  annotations: { destructiveHint: false, openWorldHint: false },
  run: ({ act }, call, args) => act(call, args, 'scroll'),
};
