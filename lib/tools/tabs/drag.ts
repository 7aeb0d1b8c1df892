import { refParameter, tabParameter, type TabTool } from './tab-tool.ts';

export const drag: TabTool = {
  description: 'Drags an element of a page onto another one.',
  parameters: { tab: tabParameter, from: refParameter, to: refParameter },
  required: ['from', 'to'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'drag'),
};
