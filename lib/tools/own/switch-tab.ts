import { ofSite, tabLine, tabParameter, type TabTool, textResult } from './tab-tool.ts';

export const switchTab: TabTool = {
  description: 'Brings a tab to the front.',
  parameters: { tab: tabParameter },
  required: ['tab'],
  annotations: { destructiveHint: false, idempotentHint: true },
  run: async ({ show }, _call, args) =>
    textResult(tabLine(ofSite(await show(Number(args['tab'])), undefined))),
};
