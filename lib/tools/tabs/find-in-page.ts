import { tab } from './parameters.ts';
import type { CreateRun, Definition } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Finds where words stand in a page.',
  parameters: { query: { type: 'string', minLength: 1, maxLength: 300 }, tab },
  required: ['query'],
  annotations: { readOnlyHint: true },
};

/** `query` goes along with the reading. */
export const run: CreateRun =
  ({ read }) =>
  (call, args) =>
    read(call, args, 'page');
