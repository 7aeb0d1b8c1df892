import { tab } from './parameters.ts';
import type { CreateRun, Definition } from './tab-tool.ts';

export const definition: Definition = {
  description:
    'Lists a page’s headings, landmarks, links, buttons and form fields, each with a reference that stays.',
  parameters: { tab },
  annotations: { readOnlyHint: true },
};

export const run: CreateRun =
  ({ ask }) =>
  (call, args) =>
    ask(call, args, 'outline');
