import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

export const drag: TabTool = {
  description: 'Drags an element onto another.',
  parameters: { tab: refTabParameter, from: refParameter, to: refParameter },
  required: ['from', 'to'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'drag'),
};
