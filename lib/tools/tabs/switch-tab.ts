import { tab } from './parameters.ts';
import { type CreateRun, type Definition, tabLine, textResult } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Brings a tab to the front.',
  parameters: { tab },
  required: ['tab'],
  annotations: { destructiveHint: false, idempotentHint: true },
};

export const run: CreateRun =
  ({ show }) =>
  async (_call, args) =>
    textResult(tabLine(await show(Number(args['tab']))));
