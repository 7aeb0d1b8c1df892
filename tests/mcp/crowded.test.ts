import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { untilAborted } from '../../lib/async.ts';
import { config, createRig, options, startServer } from './harness.ts';
import { startModernServer } from './modern-server.ts';

function anHourLater(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
}

describe('three servers on one http origin', () => {
  it('get two streams; the third has its lists read again at a later use', async () => {
    const server = await startServer();
    const rig = createRig();
    for (const id of [1, 2]) await rig.connect(config(server.url, { id }));
    const streams = () => server.requests.filter((request) => request === 'GET').length;
    await server.until(() => streams() === 2);
    await rig.connect(config(server.url, { id: 3 }));
    const lists = () => server.requests.filter((request) => request === 'POST tools/list').length;
    const before = lists();
    await rig.freshen();
    expect(lists()).toBe(before); // it was listed just now
    anHourLater();
    await rig.freshen();
    expect(lists()).toBe(before + 1);
    expect(streams()).toBe(2);
    expect(rig.status(3).state).toBe('connected');
  });

  it('get two streams where one stream carries all notifications (2026-07-28)', async () => {
    const server = await startModernServer();
    const rig = createRig();
    for (const id of [1, 2]) await rig.connect(config(server.url, { id }));
    await server.until(() => server.listening().length === 2);
    await rig.connect(config(server.url, { id: 3 }));
    await rig.freshen();
    expect(server.methods.filter((method) => method === 'subscriptions/listen')).toHaveLength(2);
    await rig.disconnect(1);
    await server.until(() => server.listening().length === 1);
  });
});

/** What a call gets at a server that pings so often in the middle of it, and never ends. */
function pinging(times: string): Response {
  const pings = Array.from({ length: Number(times) }, (_, at) =>
    JSON.stringify({ jsonrpc: '2.0', id: `p${at}`, method: 'ping' }),
  );
  const body = new ReadableStream<string>({
    start: (stream) => pings.forEach((ping) => stream.enqueue(`data: ${ping}\n\n`)),
  }).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/**
 * The fetch of a browser, which has six connections. Servers that are named in `x-hangs` never answer; with `x-pings`
 * one pings so often in each call, and takes no answer to that.
 */
function sixSockets() {
  const hanging: string[] = [];
  let [open, most] = [0, 0];
  const waiting: (() => void)[] = [];
  let free = 6;
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  const answer = async (input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const pings = headers.get('x-pings');
    const body = String(init.body);
    if (pings !== null && body.includes('"tools/call"')) return pinging(pings);
    const isUntaken = pings !== null && /"id":"p\d+"/.test(body);
    const hangs = isUntaken ? 'answer' : headers.get('x-hangs');
    if (hangs === null) return fetch(input, init);
    hanging.push(hangs);
    most = Math.max(most, ++open);
    const never = untilAborted(new Promise<never>(() => {}), init.signal ?? new AbortController().signal);
    return never.finally(() => open--);
  };
  const browser: typeof fetch = async (input, init) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      const response = await answer(input, init);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
      void (response.body?.pipeTo(writable) ?? writable.close()).then(release, release);
      return new Response(response.body && readable, response);
    } catch (error) {
      release();
      throw error;
    }
  };
  return { browser, hanging, open: () => open, most: () => most };
}

describe('six SSE servers on one http origin', () => {
  it('are limited to five; the sixth is refused until one of them leaves', async () => {
    const server = await startServer();
    const rig = createRig();
    const sse = (id: number) => config(server.sseUrl, { id, transport: 'sse' });
    for (const id of [1, 2, 3, 4, 5]) await rig.connect(sse(id));
    const { origin } = new URL(server.sseUrl);
    await expect(rig.connect(sse(6))).rejects.toMatchObject({
      code: 'server_crowded',
      message: `There is no free connection for another SSE server at ${origin}.`,
      fix: expect.stringContaining('Streamable HTTP'),
      retryable: true,
    });
    expect(rig.status(6)).toMatchObject({ state: 'error', error: { code: 'server_crowded' } });
    await rig.disconnect(1);
    await rig.connect(sse(6));
    expect(rig.status(6).state).toBe('connected');
  });
});

describe('servers that hang during the handshake, on the http origin of two that work', () => {
  it('delay neither a call nor its cancel', async () => {
    const server = await startServer();
    const { browser, hanging, most } = sixSockets();
    const rig = createRig({ fetch: browser });
    for (const id of [1, 2]) await rig.connect(config(server.url, { id }));
    await server.until(() => server.requests.filter((request) => request === 'GET').length === 2);
    const connecting = [3, 4, 5, 6].map((id) =>
      rig.connect(config(server.url, { id, headers: { 'x-hangs': String(id) } })).catch(() => 'failed'),
    );
    await vi.waitUntil(() => hanging.length === 2);
    server.hold('look_up');
    const stop = new AbortController();
    const call = rig.call(1, 'look_up', { word: 'a' }, options({ signal: stop.signal }));
    await server.until(() => server.executions.length === 1);
    stop.abort();
    await server.until(() => server.cancelled.length === 1);
    expect((await call).status).toBe('cancelled');
    expect((await rig.call(2, 'add', { a: 1, b: 1 }, options())).status).toBe('success');
    expect(most()).toBe(2);
    await Promise.all([3, 4, 5, 6].map((id) => rig.disconnect(id)));
    expect(await Promise.all(connecting)).toEqual(Array(4).fill('failed'));
  });

  it('each get their whole timeout, from the start of their handshake', async () => {
    const server = await startServer();
    const { browser, hanging } = sixSockets();
    const rig = createRig({ fetch: browser, connectTimeout: 300 });
    const ids = [1, 2, 3, 4, 5, 6];
    const connecting = ids.map((id) =>
      rig.connect(config(server.url, { id, headers: { 'x-hangs': String(id) } })),
    );
    const outcomes = await Promise.allSettled(connecting);
    expect(outcomes).toMatchObject(ids.map(() => ({ reason: { code: 'server_timeout' } })));
    expect([...new Set(hanging)]).toEqual(ids.map(String));
  });

  it('delay other servers by one turn only', async () => {
    const server = await startServer();
    const { browser, hanging } = sixSockets();
    const rig = createRig({ fetch: browser });
    const connect = (id: number, hangs: boolean) =>
      rig.connect(config(server.url, { id, ...(hangs && { headers: { 'x-hangs': String(id) } }) }));
    const ids = [1, 2, 3, 4];
    const bad = ids.map((id) => connect(id, true).catch(() => 'failed'));
    const good = [5, 6, 7, 8].map((id) => connect(id, false));
    expect((await Promise.all(good)).every((tools) => tools.length > 0)).toBe(true);
    expect(ids.map((id) => rig.status(id).state)).toEqual(Array(4).fill('connecting'));
    expect(new Set(hanging).size).toBe(4);
    expect((await rig.call(5, 'add', { a: 1, b: 1 }, options())).status).toBe('success');
    await Promise.all(ids.map((id) => rig.disconnect(id)));
    expect(await Promise.all(bad)).toEqual(Array(4).fill('failed'));
  });
});

it('a server that takes no answers to its pings holds one connection of its http origin, until a timeout', async () => {
  const server = await startServer();
  const { browser, hanging, open, most } = sixSockets();
  const rig = createRig({ fetch: browser });
  await rig.connect(config(server.url, { id: 1 }));
  await rig.connect(config(server.url, { id: 2, headers: { 'x-pings': '8' } }));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const timedOut = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const late = new AbortController();
    setTimeout(() => late.abort(), ms);
    return late.signal;
  });
  onTestFinished(() => timedOut.mockRestore());
  const stopPings = new AbortController();
  const pinged = rig.call(2, 'look_up', { word: 'a' }, options({ signal: stopPings.signal }));
  await vi.waitUntil(() => hanging.length === 1);
  server.hold('look_up');
  const stop = new AbortController();
  const calls = ['a', 'b'].map((word) => rig.call(1, 'look_up', { word }, options({ signal: stop.signal })));
  await server.until(() => server.executions.length === 2);
  stop.abort();
  await server.until(() => server.cancelled.length === 2);
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  for (let answers = 1; answers <= 8; answers++) {
    await vi.waitUntil(() => hanging.length === answers);
    await vi.advanceTimersByTimeAsync(2000);
  }
  expect((await rig.call(1, 'add', { a: 1, b: 1 }, options())).status).toBe('success');
  stopPings.abort();
  expect((await pinged).status).toBe('cancelled');
  expect([open(), most()]).toEqual([0, 1]);
});
