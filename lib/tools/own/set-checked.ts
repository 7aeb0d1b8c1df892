import { refParameter, refTabParameter, type TabTool } from './tab-tool.ts';

export const setChecked: TabTool = {
  description: 'Checks or unchecks a checkbox, switch or radio button.',
  parameters: { tab: refTabParameter, ref: refParameter, checked: { type: 'boolean' } },
  required: ['ref', 'checked'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'set_checked'),
};
