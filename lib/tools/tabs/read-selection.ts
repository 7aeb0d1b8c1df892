import { tab } from './parameters.ts';
import type { CreateRun, Definition } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Reads what the user selected on the page.',
  parameters: { tab },
  annotations: { readOnlyHint: true },
};

export const run: CreateRun =
  ({ read }) =>
  (call, args) =>
    read(call, args, 'selection');
