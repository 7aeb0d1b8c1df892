/** Calls a tool of the server at the URL given, and prints how it ended and what was made of text by then, as JSON. */
import process from 'node:process';

const made: unknown[][] = [];
globalThis.Function = new Proxy(Function, {
  apply(target, self, args) {
    made.push(args);
    return Reflect.apply(target, self, args) as unknown;
  },
  construct(target, args) {
    made.push(args);
    return Reflect.construct(target, args) as object;
  },
});
// Imported only now, so that loading is watched too.
const { createConnections } = await import('../../lib/mcp/connections.ts');
const connections = createConnections({ onStatus: () => {}, onTools: () => {} });
const [, , url = ''] = process.argv;
const base = { id: 1, name: 'Everything', transport: 'streamable-http' as const, headers: {} };
await connections.connect({ ...base, url, toolTimeout: 30_000 });
const { status } = await connections.call(
  1,
  'get-structured-content',
  { location: 'Chicago' },
  {
    signal: new AbortController().signal,
    started: async () => {},
    accepted: async () => {},
    progress: () => {},
    mayRun: async () => {},
    elicit: async () => ({ action: 'cancel' }),
    idempotent: false,
  },
);
console.log(JSON.stringify({ status, made }));
await connections.disconnect(1);
