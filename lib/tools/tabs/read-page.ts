import type { CreateRun, Definition } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Reads the page that the user looks at, as Markdown.',
  annotations: { readOnlyHint: true },
};

export const run: CreateRun =
  ({ read }) =>
  (call, args) =>
    read(call, args, 'page');
