import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

export const hover: TabTool = {
  description: 'Moves the pointer onto an element.',
  parameters: { tab: refTabParameter, ref: refParameter },
  required: ['ref'],
  annotations: { destructiveHint: false, openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'hover'),
};
