import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

export const setSlider: TabTool = {
  description: 'Moves a slider to a value.',
  parameters: { tab: refTabParameter, ref: refParameter, value: { type: 'number' } },
  required: ['ref', 'value'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'set_slider'),
};
