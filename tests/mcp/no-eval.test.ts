import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort, startEverything } from './everything-server.ts';

describe('the MCP client', () => {
  it('never makes code from text, which extension pages forbid', async () => {
    const port = await freePort();
    await startEverything('streamableHttp', port);
    const made: unknown[][] = [];
    const watched = new Proxy(Function, {
      apply(target, self, args) {
        made.push(args);
        return Reflect.apply(target, self, args) as unknown;
      },
      construct(target, args) {
        made.push(args);
        return Reflect.construct(target, args) as object;
      },
    });
    vi.stubGlobal('Function', watched);
    onTestFinished(() => void vi.unstubAllGlobals());
    // Imported only now, so that loading is watched too.
    const { createConnections } = await import('../../lib/mcp/connections.ts');
    const connections = createConnections({ onStatus: () => {}, onTools: () => {} });
    const url = `http://127.0.0.1:${port}/mcp`;
    const base = { id: 1, name: 'Everything', transport: 'streamable-http' as const, headers: {} };
    await connections.connect({ ...base, url, toolTimeout: 30_000 });
    const { status } = await connections.call(
      1,
      'get-structured-content',
      { location: 'Chicago' },
      {
        signal: new AbortController().signal,
        started: async () => {},
        progress: () => {},
        mayRun: async () => {},
        ask: async () => ({ action: 'cancel' }),
        repeatable: false,
      },
    );
    expect({ status, made }).toEqual({ status: 'success', made: [] });
    await connections.disconnect(1);
  });
});
