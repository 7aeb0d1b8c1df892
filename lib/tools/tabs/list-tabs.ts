import { type CreateRun, type Definition, tabLine, textResult } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Lists the open tabs with their ids.',
  annotations: { readOnlyHint: true },
};

export const run: CreateRun =
  ({ list }) =>
  async () =>
    textResult((await list()).map(tabLine).join('\n'));
