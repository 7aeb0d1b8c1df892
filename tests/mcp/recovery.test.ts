import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RemoteConfig } from '../../lib/mcp/connections.ts';
import {
  answering,
  config,
  connected,
  createRig,
  options,
  type Rig,
  silence,
  startServer,
} from './harness.ts';
import { startModernServer } from './modern-server.ts';
import { startRawServer } from './raw-server.ts';

const transports: RemoteConfig['transport'][] = ['streamable-http', 'sse'];
const count = (requests: string[], what: string) => requests.filter((each) => each === what).length;

const sleepOfTheComputer = (): void => silence(3_600_000);
/** Long enough for a proof to be asked for. */
const SHORT = 2000;

describe.each(transports)('over %s', (transport) => {
  it('an idle stream that a proxy cuts is reopened without a change of status', async () => {
    const { server, rig } = await connected({ transport });
    await server.until(() => count(server.requests, 'GET') === 1);
    const told = rig.statuses.length;
    server.cutStreams();
    await server.until(() => count(server.requests, 'GET') === 2);
    const { status } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(status).toBe('success');
    expect(rig.statuses.slice(told).filter(({ state }) => state !== 'connected')).toEqual([]);
    expect(server.executions).toHaveLength(1);
  });

  it('a disconnect ends the retries of a lost server', async () => {
    let failed = 0;
    const counted: typeof fetch = (input, init) =>
      fetch(input, init).catch((error: unknown) => {
        failed += 1;
        throw error;
      });
    const { server, rig } = await connected({ transport }, { fetch: counted });
    await server.until(() => count(server.requests, 'GET') === 1);
    await server.stop();
    silence(3_600_000);
    const call = rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
    await vi.waitUntil(() => failed >= 4);
    await rig.disconnect(1);
    expect(await call).toMatchObject({
      status: 'error',
      result: { text: expect.stringContaining('was disconnected') },
    });
    expect(rig.statuses.map(({ state }) => state)).toEqual(['connecting', 'connected', 'disconnected']);
  });

  it('an idempotent call is retried when its server dies during it', async () => {
    const { server, rig } = await connected({ transport });
    server.hold('look_up');
    const call = rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
    await server.until(() => server.executions.length === 1);
    await server.restart();
    await server.until(() => server.executions.length === 2);
    server.release('look_up');
    expect((await call).status).toBe('success');
    expect(server.executions).toHaveLength(2);
  });

  it('a non-idempotent call is not retried after the connection dies, though its server is back', async () => {
    const { server, rig } = await connected({ transport });
    server.hold('write_note');
    const call = rig.call(1, 'write_note', { text: 'x' }, options());
    await server.until(() => server.executions.length === 1);
    await server.restart();
    const { status, result } = await call;
    expect(status).toBe('unknown');
    expect(result.text).toContain('may or may not have been carried out');
    // Whatever was sent before this one has arrived by then.
    await rig.call(1, 'add', { a: 1, b: 1 }, options());
    expect(server.executions.map(({ tool }) => tool)).toEqual(['write_note', 'add']);
    server.release('write_note');
  });

  it('an idempotent call is retried at most once', async () => {
    const { server, rig } = await connected({ transport });
    server.hold('look_up');
    const call = rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
    await server.until(() => server.executions.length === 1);
    await server.restart();
    await server.until(() => server.executions.length === 2);
    await server.restart();
    expect((await call).status).toBe('unknown');
    expect(server.executions).toHaveLength(2);
  });

  it('a server is pinged before a call after a long silence', async () => {
    const { server, rig } = await connected({ transport });
    sleepOfTheComputer();
    await rig.call(1, 'write_note', { text: 'x' }, options());
    await rig.call(1, 'write_note', { text: 'y' }, options());
    const posts = server.requests.filter((request) => /ping|tools\/call/.test(request));
    expect(posts).toEqual(['POST ping', 'POST tools/call', 'POST tools/call']);
  });

  it('a server is pinged before a non-idempotent call after a short silence, too', async () => {
    const { server, rig } = await connected({ transport });
    silence(SHORT);
    await rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
    await rig.call(1, 'write_note', { text: 'x' }, options());
    silence(SHORT);
    await rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
    silence(SHORT);
    await rig.call(1, 'write_note', { text: 'y' }, options());
    await rig.call(1, 'write_note', { text: 'z' }, options());
    const posts = server.requests.filter((request) => /ping|tools\/call/.test(request));
    const call = 'POST tools/call';
    expect(posts).toEqual([call, call, call, 'POST ping', call, call]);
  });

  it('a non-idempotent call is made once after the session was forgotten during a silence', async () => {
    const { server, rig } = await connected({ transport });
    server.forgetSessions();
    silence(SHORT);
    const { status } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(status).toBe('success');
    expect(server.executions).toHaveLength(1);
    expect(count(server.requests, 'POST tools/call')).toBe(1);
  });

  it('a non-idempotent call is not retried when the session is gone on its arrival: the browser may have sent it twice', async () => {
    let died = false;
    // Chromium sends a request again whose keep-alive connection closed before the first byte of the answer.
    const resending: typeof fetch = async (input, init) => {
      if (died || !String(init?.body).includes('"tools/call"')) return fetch(input, init);
      died = true;
      const unanswered = fetch(input, init);
      unanswered.catch(() => undefined);
      await server.until(() => server.executions.length === 1);
      server.forgetSessions();
      return fetch(input, init);
    };
    const { server, rig } = await connected({ transport }, { fetch: resending });
    server.hold('write_note');
    silence(SHORT);
    const { status, result } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(status).toBe('unknown');
    expect(result.text).toContain('may or may not have been carried out');
    expect((await rig.call(1, 'add', { a: 1, b: 1 }, options())).status).toBe('success');
    expect(server.executions.map(({ tool }) => tool)).toEqual(['write_note', 'add']);
    server.release('write_note');
  });

  it('a call is not sent on a connection whose ping fails', async () => {
    let isDead = false;
    const dying: typeof fetch = (input, init) =>
      isDead && String(init?.body).includes('"ping"')
        ? Promise.reject(new TypeError('network changed'))
        : fetch(input, init);
    const { server, rig } = await connected({ transport }, { fetch: dying });
    const told = rig.statuses.length;
    isDead = true;
    sleepOfTheComputer();
    const { status } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(status).toBe('success');
    expect(server.executions).toHaveLength(1);
    expect(rig.statuses.slice(told).filter(({ state }) => state !== 'connected')).toEqual([]);
  });
});

// At once, since they wait for real; what lets the clock go on could not.
describe.concurrent.each(transports)('over %s, while its server is away,', (transport) => {
  it('a server that stays away ends in error', async (test) => {
    const { server, rig } = await connected({ transport }, {}, test);
    await server.until(() => count(server.requests, 'GET') === 1);
    await server.stop();
    await vi.waitUntil(() => rig.status(1).state === 'error');
    expect(rig.statuses.map(({ state }) => state)).toEqual(['connecting', 'connected', 'error']);
    expect(rig.status(1)).toMatchObject({ error: { code: 'server_unreachable' } });
  });

  it('an idempotent call has an unknown outcome when its retry finds no server', async (test) => {
    const { server, rig } = await connected({ transport }, {}, test);
    server.hold('look_up');
    const call = rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
    await server.until(() => server.executions.length === 1);
    await server.stop();
    expect((await call).status).toBe('unknown');
  });

  it('a restart of three seconds does not change the status, and a call waits for its end', async (test) => {
    const { server, rig } = await connected({ transport }, {}, test);
    await server.until(() => count(server.requests, 'GET') === 1);
    const told = rig.statuses.length;
    await server.stop();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const call = rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
    const back = server.requests.length;
    await server.restart();
    await server.until(() => server.requests.slice(back).includes('POST tools/list'));
    expect((await call).status).toBe('success');
    expect(rig.status(1).state).toBe('connected');
    expect(rig.statuses.slice(told).filter(({ state }) => state !== 'connected')).toEqual([]);
  });
});

describe('a gateway whose server restarts behind it', () => {
  /** Whatever is asked is answered so until `open` is called. */
  async function behind(status: number) {
    const asked: string[] = [];
    let isShut = false;
    const gateway: typeof fetch = (input, init) => {
      if (!isShut) return fetch(input, init);
      asked.push(String(init?.body ?? ''));
      return Promise.resolve(new Response('Not now', { status }));
    };
    const { server, rig } = await connected({}, { fetch: gateway });
    await server.until(() => server.requests.includes('GET'));
    const shut = (): void => {
      isShut = true;
      server.forgetSessions();
    };
    return { server, rig, asked, shut, open: () => (isShut = false) };
  }
  /** Each once. */
  const states = ({ statuses }: Pick<Rig, 'statuses'>) => [...new Set(statuses.map(({ state }) => state))];

  it.each([404, 405, 410, 502])(
    'does not change the status, though it answers HTTP %i meanwhile',
    async (status) => {
      const { rig, asked, shut, open } = await behind(status);
      shut();
      sleepOfTheComputer();
      const call = rig.call(1, 'write_note', { text: 'x' }, options());
      const handshakes = () => asked.filter((body) => body.includes('initialize')).length;
      await vi.waitUntil(() => handshakes() >= 2);
      open();
      expect((await call).status).toBe('success');
      expect(states(rig)).toEqual(['connecting', 'connected']);
    },
  );

  it('is retried later, too, when it takes long, though it answers HTTP 404', async () => {
    const { rig, shut } = await behind(404);
    shut();
    const quick = vi.spyOn(performance, 'now');
    let late = 0;
    quick.mockImplementation(() => (late += 10_000)); // the silence is over at once
    onTestFinished(() => quick.mockRestore());
    await rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
    expect(rig.status(1)).toMatchObject({
      state: 'error',
      error: { code: 'server_not_found', retryable: true },
    });
  });

  it.each([502, 503, 504])(
    'gets the retry of an idempotent call once the server is back, after HTTP %i',
    async (status) => {
      const { server, rig, asked, shut, open } = await behind(status);
      shut();
      const call = rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
      await vi.waitUntil(() => asked.some((body) => body.includes('"ping"')));
      open();
      expect((await call).status).toBe('success');
      expect(server.executions).toHaveLength(1);
      expect(states(rig)).toEqual(['connecting', 'connected']);
    },
  );

  it('gets a non-idempotent call once the server is back, if the ping before it did not get through', async () => {
    const { server, rig, asked, shut, open } = await behind(502);
    shut();
    silence(SHORT);
    const call = rig.call(1, 'write_note', { text: 'x' }, options());
    await vi.waitUntil(() => asked.some((body) => body.includes('initialize')));
    open();
    expect((await call).status).toBe('success');
    expect(server.executions).toHaveLength(1);
    expect(asked.filter((body) => body.includes('tools/call'))).toEqual([]);
  });

  it('gets no retry of a non-idempotent call', async () => {
    const { server, rig, asked, shut, open } = await behind(502);
    shut();
    const { status, result } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect([status, result.text]).toEqual(['unknown', expect.stringContaining('HTTP 502')]);
    expect(result.text).toContain('check before running it again');
    open();
    await rig.call(1, 'add', { a: 1, b: 1 }, options());
    expect(asked.filter((body) => body.includes('tools/call'))).toHaveLength(1);
    expect(server.executions.map(({ tool }) => tool)).toEqual(['add']);
  });
});

it('concurrent calls all survive a forgotten session', async () => {
  const { server, rig } = await connected();
  server.forgetSessions();
  silence(SHORT);
  const told = rig.statuses.length;
  const calls = ['a', 'b', 'c', 'd'].map((text) => rig.call(1, 'write_note', { text }, options()));
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(4).fill('success'));
  expect(server.executions).toHaveLength(4);
  expect(rig.statuses.slice(told).filter(({ state }) => state !== 'connected')).toEqual([]);
});

it('an idempotent call is retried on a new session when its own was forgotten', async () => {
  const { server, rig } = await connected();
  server.forgetSessions();
  const { status } = await rig.call(1, 'look_up', { word: 'a' }, options({ idempotent: true }));
  expect(status).toBe('success');
  expect(server.requests).not.toContain('POST ping');
});

const answers: [string, () => Promise<Response>][] = [
  ['with HTTP 500', async () => new Response('no', { status: 500 })],
  ['with HTTP 202 and nothing else', async () => new Response(null, { status: 202 })],
];
it.each(answers)('a server that answers the ping %s gets the call all the same', async (_how, answer) => {
  const { asked, fetch: odd } = answering('ping', answer);
  const { server, rig } = await connected({}, { fetch: odd });
  silence(SHORT);
  expect((await rig.call(1, 'write_note', { text: 'x' }, options())).status).toBe('success');
  expect(asked.times).toBe(1);
  expect(count(server.requests, 'POST initialize')).toBe(1);
});

it('a call in flight gets its answer although another lost its connection', async () => {
  let isDead = false;
  const dying: typeof fetch = (input, init) =>
    isDead && String(init?.body).includes('tools/call')
      ? Promise.reject(new TypeError('hiccup'))
      : fetch(input, init);
  const { server, rig } = await connected({}, { fetch: dying });
  server.hold('look_up');
  const slow = rig.call(1, 'look_up', { word: 'a' }, options());
  await server.until(() => server.executions.length === 1);
  isDead = true;
  expect((await rig.call(1, 'write_note', { text: 'x' }, options())).status).toBe('unknown');
  server.release('look_up');
  expect(await slow).toMatchObject({ status: 'success', result: { text: 'a: a word' } });
});

it('a stateless server is pinged after a long silence, too', async () => {
  const server = await startModernServer();
  const rig = createRig();
  await rig.connect(config(server.url));
  sleepOfTheComputer();
  const from = server.methods.length;
  await rig.call(1, 'echo', { message: 'hi' }, options());
  expect(server.methods.slice(from).filter((method) => method !== 'subscriptions/listen')).toEqual([
    'server/discover',
    'tools/call',
  ]);
});

it('a cancel reaches the server before any of twenty queued calls', async () => {
  const server = await startServer();
  const order: string[] = [];
  const watched: typeof fetch = (input, init) => {
    const rpc = JSON.parse(String(init?.body ?? '{}')) as { method?: string };
    if (rpc.method === 'tools/call' || rpc.method === 'notifications/cancelled') order.push(rpc.method);
    return fetch(input, init);
  };
  const rig = createRig({ fetch: watched });
  await rig.connect(config(server.url));
  server.hold('look_up');
  const stop = new AbortController();
  const stopped = rig.call(1, 'look_up', { word: 'stopped' }, options({ signal: stop.signal }));
  const others = Array.from({ length: 23 }, () => rig.call(1, 'look_up', { word: 'a' }, options()));
  await server.until(() => server.executions.length === 4);
  stop.abort();
  expect((await stopped).status).toBe('cancelled');
  await server.until(() => server.cancelled.length === 1);
  await vi.waitUntil(() => order.length >= 6);
  expect(order.slice(0, 6)).toEqual([
    ...Array(4).fill('tools/call'),
    'notifications/cancelled',
    'tools/call',
  ]);
  server.release('look_up');
  await Promise.all(others);
});

describe('a non-idempotent call', () => {
  const tools = { result: { tools: [{ name: 'book', inputSchema: { type: 'object' } }] } };
  const unknown = { error: { code: -32601, message: 'Method not found' } };
  const refusals: [number, string][] = [
    [404, 'No such booking'],
    [400, 'The training session is fully booked'],
    [400, 'No valid session ID provided'],
  ];

  it.each(refusals)('is not retried where there was no session, on HTTP %i %s', async (status, words) => {
    const url = await startRawServer(({ method }) => (method === 'tools/list' ? tools : unknown));
    const { asked, fetch } = answering('tools/call', async () => new Response(words, { status }));
    const rig = createRig({ fetch });
    await rig.connect(config(url));
    expect((await rig.call(1, 'book', {}, options())).status).toBe('error');
    expect(asked.times).toBe(1);
  });

  it('is sent without a ping where there is no session', async () => {
    const url = await startRawServer(({ method }) => (method === 'tools/list' ? tools : unknown));
    const { asked, fetch } = answering('ping', async () => new Response('no'));
    const rig = createRig({ fetch });
    await rig.connect(config(url));
    silence(SHORT);
    await rig.call(1, 'book', {}, options());
    expect(asked.times).toBe(0);
  });

  it('is not retried on a session when the tool itself answers with HTTP 404', async () => {
    const server = await startServer();
    const answer = { jsonrpc: '2.0', id: 3, error: { code: -32602, message: 'No such note' } };
    const { asked, fetch } = answering('tools/call', async () => Response.json(answer, { status: 404 }));
    const rig = createRig({ fetch });
    await rig.connect(config(server.url));
    expect((await rig.call(1, 'write_note', { text: 'x' }, options())).status).toBe('error');
    expect(asked.times).toBe(1);
  });
});

it.each([500, 403, 401])(
  'a call that is answered with HTTP %s without OAuth fails once, and the next one works',
  async (status) => {
    let isOver = false;
    const refused = vi.fn(async () => new Response('not for you', { status }));
    const odd: typeof fetch = (input, init) =>
      !isOver && String(init?.body).includes('tools/call') ? refused() : fetch(input, init);
    const { server, rig } = await connected({}, { fetch: odd });
    const failed = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(failed).toMatchObject({ status: 'error', result: { isError: true } });
    expect(failed.result?.text).toContain(`HTTP ${status}`);
    expect(refused).toHaveBeenCalledTimes(1);
    expect(server.executions).toEqual([]);
    isOver = true;
    expect((await rig.call(1, 'write_note', { text: 'y' }, options())).status).toBe('success');
    expect(server.executions).toHaveLength(1);
  },
);
