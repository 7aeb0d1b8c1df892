import { type TabTool, urlParameter, webAddressOf } from './tab-tool.ts';

/** Whom an address is asked of, and what for, leaves the computer: it counts as sending. */
export const fetchUrl: TabTool = {
  description: 'Reads an address without opening it, signed in nowhere; pages as Markdown.',
  parameters: { url: urlParameter },
  required: ['url'],
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: async (deps, call, args) => deps.fetch(call, webAddressOf(args)),
};
