import { tab } from './parameters.ts';
import type { CreateRun, Definition } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Lists a page’s tables, or gives the rows of one.',
  parameters: {
    table: { type: 'string', description: 'Its reference; without it all are listed' },
    from: { type: 'integer', minimum: 0, description: 'The row to begin at' },
    tab,
  },
  annotations: { readOnlyHint: true },
};

export const run: CreateRun =
  ({ ask }) =>
  (call, args) =>
    ask(call, args, 'tables');
