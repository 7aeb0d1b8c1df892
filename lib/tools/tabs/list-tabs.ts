import { type CreateRun, type Definition, PAGES_WORDS, tabLine, textResult } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Lists the open tabs with their ids.',
  annotations: { readOnlyHint: true },
};

export const run: CreateRun =
  ({ list }) =>
  async () =>
    textResult([PAGES_WORDS, ...(await list()).map(tabLine)].join('\n'));
