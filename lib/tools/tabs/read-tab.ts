import { tab } from './parameters.ts';
import type { CreateRun, Definition } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Reads the page in a tab, as Markdown.',
  parameters: { tab },
  required: ['tab'],
  annotations: { readOnlyHint: true },
};

export const run: CreateRun =
  ({ read }) =>
  (call, args) =>
    read(call, args, 'page');
