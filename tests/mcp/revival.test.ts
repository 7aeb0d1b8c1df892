import { describe, expect, it } from 'vitest';
import { config, createMemory, createRig, options, startServer } from './harness.ts';
import { startModernServer } from './modern-server.ts';
import { startRawServer } from './raw-server.ts';

/** A server that one worker was connected to; what it remembered; and a way to begin as the next worker. */
async function leftBehind(more: Parameters<typeof config>[1] = {}) {
  const server = await startServer();
  const { kept, memory } = createMemory();
  const url = more.transport === 'sse' ? server.sseUrl : server.url;
  const connect = async (deps: Parameters<typeof createRig>[0] = {}) => {
    const rig = createRig({ memory, ...deps });
    await rig.connect(config(url, more));
    return rig;
  };
  const first = await connect();
  return { server, kept, memory, first, connect };
}

const count = (requests: string[], what: string) => requests.filter((each) => each === what).length;

describe('a new worker', () => {
  it('resumes the last worker’s session without a handshake', async () => {
    const { server, first, connect } = await leftBehind();
    const before = first.tools[0];
    const rig = await connect();
    expect(rig.tools[0]).toEqual(before);
    expect(rig.offer(1)).toEqual(first.offer(1));
    expect(rig.offer(1)?.info).toMatchObject({ name: 'test-server', protocolVersion: '2025-11-25' });
    expect(rig.status(1)).toMatchObject({ state: 'connected', protocolVersion: '2025-11-25' });
    expect((await rig.call(1, 'add', { a: 2, b: 3 }, options())).result.text).toBe('5');
    expect(count(server.requests, 'POST initialize')).toBe(1);
    expect(count(server.requests, 'POST tools/list')).toBe(2);
    expect(server.requests).not.toContain('DELETE');
  });

  it('gets change notifications on the stream of the resumed session', async () => {
    const { server, first, connect } = await leftBehind();
    await server.until(() => count(server.requests, 'GET') === 1);
    expect(first.status(1).state).toBe('connected');
    // The stream of the worker that is gone.
    server.cutStreams();
    const heard = Promise.withResolvers<void>();
    await connect({
      onTools: (_id, tools) => tools.some(({ name }) => name === 'brand_new') && heard.resolve(),
    });
    await server.until(() => count(server.requests, 'GET') >= 2);
    server.addTool('brand_new');
    await heard.promise;
  });

  it('numbers its requests from elsewhere, so that no late answer to the last worker passes for one to it', async () => {
    const { first, connect } = await leftBehind();
    const ids: number[][] = [];
    const watched = (): typeof fetch => {
      const own: number[] = [];
      ids.push(own);
      return (input, init) => {
        const id = (JSON.parse(String(init?.body ?? '{}')) as { id?: number }).id;
        if (typeof id === 'number') own.push(id);
        return fetch(input, init);
      };
    };
    expect(first.status(1).state).toBe('connected');
    for (const rig of [await connect({ fetch: watched() }), await connect({ fetch: watched() })]) {
      await rig.call(1, 'add', { a: 1, b: 1 }, options());
    }
    const all = ids.flat();
    expect(all.length).toBeGreaterThanOrEqual(4);
    expect(new Set(all).size).toBe(all.length);
    expect(Math.min(...all)).toBeGreaterThan(10);
  });

  it('shakes hands again when the server forgot the session', async () => {
    const { server, kept, connect } = await leftBehind();
    const before = structuredClone(kept.get(1));
    server.forgetSessions();
    const rig = await connect();
    expect(rig.statuses.map(({ state }) => state)).toEqual(['connecting', 'connected']);
    expect(count(server.requests, 'POST initialize')).toBe(2);
    expect(kept.get(1)).toMatchObject({ era: 'legacy', session: expect.any(String) });
    expect(kept.get(1)).not.toEqual(before);
  });

  it('shakes hands over SSE, where the stream is the session, without a probe', async () => {
    const { server, connect } = await leftBehind({ transport: 'sse' });
    const from = server.requests.length;
    await connect();
    expect(server.requests.slice(from, from + 2)).toEqual(['GET', 'POST initialize']);
  });

  it('works when nothing can be remembered', async () => {
    const { connect } = await leftBehind();
    const broken = {
      load: () => Promise.reject(new Error('no disk')),
      save: () => Promise.reject(new Error('no disk')),
    };
    const rig = await connect({ memory: broken });
    expect(rig.status(1).state).toBe('connected');
    expect(rig.log(1).some(({ summary }) => summary.includes('no disk'))).toBe(true);
  });

  it('speaks the 2026-07-28 revision without another probe', async () => {
    const server = await startModernServer();
    const { kept, memory } = createMemory();
    await createRig({ memory }).connect(config(server.url));
    expect(kept.get(1)).toMatchObject({ era: 'modern', transport: 'streamable-http' });
    const rig = createRig({ memory });
    await rig.connect(config(server.url));
    expect(count(server.methods, 'server/discover')).toBe(1);
    expect(rig.status(1)).toMatchObject({ state: 'connected', protocolVersion: '2026-07-28', toolCount: 1 });
    expect((await rig.call(1, 'echo', { message: 'hi' }, options())).result.text).toBe('hi');
  });
});

describe('a server without tools', () => {
  const prompts = { capabilities: { prompts: {} }, serverInfo: { name: 'prompts', version: '1' } };
  /** Of a server that gives sessions, and whose one list fails. */
  async function left() {
    const url = await startRawServer(() => ({ error: { code: -32603, message: 'no' } }));
    const { kept, memory } = createMemory();
    const state = { session: 's1', isThere: true };
    const answer: typeof fetch = async (input, init) => {
      if (!state.isThere) throw new TypeError('fetch failed');
      const { id, method } = JSON.parse(String(init?.body ?? '{}')) as { id?: unknown; method?: string };
      const result = { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', ...prompts } };
      if (method === 'initialize')
        return Response.json(result, { headers: { 'mcp-session-id': state.session } });
      const sent = new Headers(init?.headers).get('mcp-session-id');
      if (sent !== null && sent !== state.session) return new Response('Session not found', { status: 404 });
      return fetch(input, init);
    };
    const connect = async () => {
      const rig = createRig({ memory, fetch: answer });
      await rig.connect(config(url));
      return rig;
    };
    await connect();
    return { kept, state, connect };
  }

  it('that forgot the session gets a new handshake', async () => {
    const { kept, state, connect } = await left();
    state.session = 's2';
    expect((await connect()).status(1).state).toBe('connected');
    expect(kept.get(1)).toMatchObject({ session: 's2' });
  });

  it('that is gone is not shown as connected', async () => {
    const { state, connect } = await left();
    state.isThere = false;
    await expect(connect()).rejects.toMatchObject({ code: 'server_unreachable' });
  });
});

describe('what is remembered of a server', () => {
  it('is forgotten, and the session ended, when it is disconnected', async () => {
    const { server, kept, first } = await leftBehind();
    await first.disconnect(1);
    expect(server.requests).toContain('DELETE');
    expect(kept.size).toBe(0);
  });

  it('is forgotten too when this worker never connected to it', async () => {
    const { kept, memory } = await leftBehind();
    await createRig({ memory }).disconnect(1);
    expect(kept.size).toBe(0);
  });

  it('is ignored at another address or with other headers', async () => {
    const { server, memory } = await leftBehind();
    const rig = createRig({ memory });
    await rig.connect(config(server.url, { headers: { 'X-Key': 'other' } }));
    expect(count(server.requests, 'POST initialize')).toBe(2);
  });

  it.each(['sse', 'modern'] as const)(
    'is corrected when the server does not speak %s any more',
    async (what) => {
      const { server, kept, memory } = await leftBehind();
      const modern = await startModernServer();
      const other = createMemory();
      await createRig({ memory: other.memory }).connect(config(modern.url));
      const { endpoint } = kept.get(1)!;
      const stale = {
        endpoint,
        transport: 'sse',
        era: 'legacy',
        protocolVersion: '2025-11-25',
        initialized: {},
      } as const;
      kept.set(1, what === 'sse' ? stale : { ...other.kept.get(1)!, endpoint });
      const rig = createRig({ memory });
      await rig.connect(config(server.url));
      expect(rig.status(1).state).toBe('connected');
      expect(kept.get(1)).toMatchObject({ transport: 'streamable-http', era: 'legacy' });
    },
  );

  it('is never logged', async () => {
    const { first } = await leftBehind({ headers: { 'X-Key': 'hidden-key' } });
    expect(JSON.stringify(first.log(1))).not.toContain('hidden-key');
    expect(
      first
        .log(1)
        .map(({ summary }) => summary)
        .join(),
    ).toContain('initialize');
  });
});
