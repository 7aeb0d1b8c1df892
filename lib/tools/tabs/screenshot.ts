import type { CreateRun, Definition } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Takes a picture of what the user sees of the page in front.',
  annotations: { readOnlyHint: true },
};

export const run: CreateRun =
  ({ read }) =>
  (call, args) =>
    read(call, args, 'screenshot');
