import { url } from './parameters.ts';
import type { CreateRun, Definition } from './tab-tool.ts';

/** Whom an address is asked of, and what for, leaves the computer: it counts as sending. */
export const definition: Definition = {
  description: 'Reads an address without opening it, signed in nowhere; pages as Markdown.',
  parameters: { url },
  required: ['url'],
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
};

export const run: CreateRun = (deps) => (_call, args) => deps.fetch(String(args['url']));
