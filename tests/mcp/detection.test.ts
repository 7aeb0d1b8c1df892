import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answering, config, connected, createMemory, createRig, options, startServer } from './harness.ts';
import { startModernServer } from './modern-server.ts';

/** Connects; once the probe was sent its time passes, and no more, however busy the machine is. */
async function unanswered(connect: () => Promise<unknown>, isProbed: () => boolean): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const connecting = connect();
  await vi.waitUntil(isProbed);
  await vi.advanceTimersByTimeAsync(5_000);
  await connecting;
}

describe('a server set up as Streamable HTTP', () => {
  it('that speaks the 2026-07-28 revision is never asked to initialize', async () => {
    const server = await startModernServer();
    const rig = createRig();
    await rig.connect(config(server.url));
    expect(server.methods).not.toContain('initialize');
    expect(rig.offer(1)?.info).toMatchObject({
      name: 'modern',
      protocolVersion: '2026-07-28',
      can: ['subscribe', 'log'],
    });
    expect((await rig.call(1, 'echo', { message: 'hi' }, options())).result.text).toBe('hi');
  });

  it('that speaks that revision alone is connected, though it is too slow for the probe', async () => {
    const server = await startModernServer();
    const methods: string[] = [];
    const slow: typeof fetch = (input, init) => {
      const { method } = JSON.parse(String(init?.body)) as { method: string };
      methods.push(method);
      return methods.length === 1 ? new Promise(() => {}) : fetch(input, init);
    };
    const rig = createRig({ fetch: slow });
    await unanswered(
      () => rig.connect(config(server.url)),
      () => methods.length === 1,
    );
    expect(methods.slice(0, 3)).toEqual(['server/discover', 'initialize', 'server/discover']);
    expect(rig.status(1)).toMatchObject({ state: 'connected', protocolVersion: '2026-07-28' });
  });

  it('that speaks an earlier one is probed for the newest first, then initialized', async () => {
    const { server } = await connected();
    expect(server.requests.slice(0, 2)).toEqual(['POST server/discover', 'POST initialize']);
  });

  it('is detected to speak only SSE, which is remembered', async () => {
    const server = await startServer();
    const { kept, memory } = createMemory();
    const rig = createRig({ memory });
    await rig.connect(config(server.sseUrl));
    expect(rig.offer(1)?.info).toMatchObject({ transport: 'sse', protocolVersion: '2025-11-25' });
    expect((await rig.call(1, 'add', { a: 1, b: 2 }, options())).result.text).toBe('3');
    expect(kept.get(1)?.transport).toBe('sse');
    const asked = server.requests.length;
    await createRig({ memory }).connect(config(server.sseUrl));
    expect(server.requests[asked]).toBe('GET');
  });

  it('that speaks neither is reported as not found, not as slow', async () => {
    const server = await startServer({ instead: { status: 404 } });
    await expect(createRig().connect(config(server.url))).rejects.toMatchObject({ code: 'server_not_found' });
    expect(server.requests.at(-1)).toBe('GET');
  });

  it('is not tried as SSE when it refuses for another reason', async () => {
    const server = await startServer({ instead: { status: 403 } });
    await expect(createRig().connect(config(server.url))).rejects.toMatchObject({
      code: 'server_unauthorized',
    });
    expect(server.requests).not.toContain('GET');
  });
});

describe('a server that knows `initialize`', () => {
  const json = (body: string, status = 200) =>
    new Response(body, { status, headers: { 'content-type': 'application/json' } });
  it.each<[string, () => Promise<Response>]>([
    ['HTTP 500', async () => new Response('Unhandled method', { status: 500 })],
    ['HTTP 501', async () => new Response(null, { status: 501 })],
    ['HTTP 403', async () => new Response(null, { status: 403 })],
    ['a cut connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['no message', async () => json('{}')],
  ])('is connected, though it answers the probe for the newest revision with %s', async (_what, answer) => {
    const server = await startServer();
    const { asked, fetch: odd } = answering('server/discover', answer);
    const rig = createRig({ fetch: odd });
    await rig.connect(config(server.url));
    expect(asked.times).toBe(1);
    expect(rig.status(1)).toMatchObject({ state: 'connected', protocolVersion: '2025-11-25' });
  });

  it.each<[string, () => Promise<Response>]>([
    ['HTTP 202 and nothing', async () => new Response(null, { status: 202 })],
    ['silence', () => new Promise(() => {})],
  ])('is connected, though it answers that probe with %s', async (_what, answer) => {
    const server = await startServer();
    const { asked, fetch: silent } = answering('server/discover', answer);
    const rig = createRig({ fetch: silent });
    await unanswered(
      () => rig.connect(config(server.url)),
      () => asked.times === 1,
    );
    expect(rig.status(1)).toMatchObject({ state: 'connected', protocolVersion: '2025-11-25' });
  });

  it('gets no second handshake when it wants credentials', async () => {
    const server = await startServer({ requireHeader: { name: 'x-key', value: 'k' } });
    await expect(createRig().connect(config(server.url))).rejects.toMatchObject({
      code: 'server_unauthorized',
    });
    expect(server.requests).toEqual(['POST server/discover']);
  });
});

it('a server set up as SSE is tried as nothing else', async () => {
  const server = await startServer();
  await expect(createRig().connect(config(server.url, { transport: 'sse' }))).rejects.toMatchObject({
    code: expect.stringMatching(/server_not/),
  });
  expect(server.requests.every((request) => request === 'GET')).toBe(true);
});

it('fifty servers connect at once although four of them hang', async () => {
  const [server, silent] = [await startServer(), await startServer({ instead: 'silence' })];
  const rig = createRig({ connectTimeout: 20_000 });
  const isSilent = (id: number): boolean => id % 12 === 0;
  const ids = Array.from({ length: 50 }, (_each, index) => index + 1);
  const connecting = ids.map((id) => ({
    id,
    done: rig.connect(config(isSilent(id) ? silent.url : server.url, { id })),
  }));
  const settled: number[] = [];
  for (const { id, done } of connecting) {
    done.then(
      () => settled.push(id),
      () => settled.push(-id),
    );
  }
  await Promise.all(connecting.filter(({ id }) => !isSilent(id)).map(({ done }) => done));
  expect(settled.toSorted((a, b) => a - b)).toEqual(ids.filter((id) => !isSilent(id)));
  expect(ids.filter((id) => rig.status(id).state === 'connecting')).toEqual([12, 24, 36, 48]);
});
