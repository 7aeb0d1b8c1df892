import { describe, expect, it, vi } from 'vitest';
import { createRefresher } from '../../lib/async.ts';
import { limitBody, TooLargeError } from '../../lib/mcp/transport/body-limit.ts';
import { config, createRig, options, streamOf } from './harness.ts';
import { startModernServer } from './modern-server.ts';
import { startRawServer, UNKNOWN_METHOD } from './raw-server.ts';

const TOOLS = { result: { tools: [{ name: 'odd', inputSchema: { type: 'object' } }] } };

describe('the body of an answer', () => {
  const bytes = (size: number) => new Uint8Array(size).fill(97);
  const event = new TextEncoder().encode('data: {"a":1}\n\n');
  const response = (type: string, ...chunks: Uint8Array<ArrayBuffer>[]) =>
    new Response(streamOf(chunks), { headers: { 'content-type': type } });

  it('is read up to its limit', async () => {
    const limited = limitBody(response('application/json', bytes(50), bytes(50)), () => {}, 100);
    expect((await limited.text()).length).toBe(100);
    expect(limited.headers.get('content-type')).toBe('application/json');
  });

  it('breaks off beyond it, and the rest is not read', async () => {
    const pulled = vi.fn();
    const endless = new ReadableStream({
      pull(controller) {
        pulled();
        controller.enqueue(bytes(50));
      },
    });
    const told = vi.fn();
    const limited = limitBody(new Response(endless), told, 100);
    await expect(limited.text()).rejects.toBeInstanceOf(TooLargeError);
    expect(told).toHaveBeenCalledOnce();
    expect(pulled.mock.calls.length).toBeLessThan(10);
  });

  it('may go on for ever as a stream of small events', async () => {
    const limited = limitBody(response('text/event-stream', ...Array(50).fill(event)), () => {}, 100);
    expect((await limited.text()).length).toBe(50 * event.length);
  });

  it.each(['text/event-stream', 'Text/Event-Stream; charset=utf-8', 'text/plain'])(
    'as %s has its lines end with LF, wherever a CR or CRLF stands: the parser takes a second for few CRs',
    async (type) => {
      const encoded = ['data: {"a"\r', '\n\rdata: ü\r\r', '\n\nid: 1\r\n'].map((text) =>
        new TextEncoder().encode(text),
      );
      const limited = limitBody(response(type, ...encoded), () => {}, 100);
      expect(await limited.text()).toBe('data: {"a"\n\ndata: ü\n\n\nid: 1\n');
    },
  );

  it('breaks off where a stream has more lines than anyone reads, and lets others run before', async () => {
    const turn = new Promise((resolve) => setImmediate(resolve));
    const told = vi.fn();
    const flood = limitBody(response('text/plain', new Uint8Array(500_000).fill(10)), told);
    const read = flood.text();
    await expect(Promise.race([read, turn])).resolves.toBeUndefined();
    await expect(read).rejects.toBeInstanceOf(TooLargeError);
    expect(told).toHaveBeenCalledOnce();
  });

  it('breaks off where a stream has many events that are nearly too large at once', async () => {
    const large = new TextEncoder().encode(`data: ${'a'.repeat(30_000_000)}\n\n`);
    const limited = limitBody(response('text/event-stream', large, large, large), () => {});
    await expect(limited.text()).rejects.toBeInstanceOf(TooLargeError);
  });

  it('may not hold one event that is too large', async () => {
    const limited = limitBody(response('text/event-stream', event, bytes(60), bytes(60)), () => {}, 100);
    await expect(limited.text()).rejects.toBeInstanceOf(TooLargeError);
  });
});

describe('a server that sends without end', () => {
  const chunk = new TextEncoder().encode('x'.repeat(1024 * 1024));

  /** Answers a method with text that never ends. */
  const flooding =
    (method: string, type: string): typeof fetch =>
    (input, init) => {
      if (!String(init?.body).includes(`"${method}"`)) return fetch(input, init);
      const body = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
      return Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
    };
  const start = () => startRawServer(({ method }) => (method === 'tools/list' ? TOOLS : UNKNOWN_METHOD));

  it.each(['application/json', 'text/event-stream'])('has its call end with an error (%s)', async (type) => {
    const rig = createRig({ fetch: flooding('tools/call', type) });
    await rig.connect(config(await start()));
    const { status, result } = await rig.call(1, 'odd', {}, options());
    expect(status).toBe('error');
    expect(result.text).toContain('more than Portside can take in');
    expect(rig.status(1).state).toBe('connected');
  });

  it('is not connected, and the status says why', async () => {
    const rig = createRig({ fetch: flooding('tools/list', 'application/json') });
    await expect(rig.connect(config(await start()))).rejects.toMatchObject({
      code: 'server_failed',
      message: 'Notes sent more than Portside can handle.',
    });
  });
});

describe('a server that changes its lists without end', () => {
  it('is read again one time after the other, with backoff', async () => {
    vi.useFakeTimers();
    try {
      let [running, most, runs] = [0, 0, 0];
      const refresher = createRefresher(async () => {
        runs++;
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 250));
        running--;
      });
      const changes = setInterval(() => refresher.poke(), 100);
      await vi.advanceTimersByTimeAsync(60_000);
      clearInterval(changes);
      expect(most).toBe(1);
      expect(runs).toBeLessThan(12);
      await vi.advanceTimersByTimeAsync(20_000);
      const after = runs;
      refresher.poke();
      await vi.advanceTimersByTimeAsync(300);
      expect(runs).toBe(after + 1);
      refresher.poke();
      refresher.stop();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(runs).toBe(after + 1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is read once more when it changed while it was read', async () => {
    vi.useFakeTimers();
    try {
      const read = Promise.withResolvers<void>();
      const refresh = vi.fn(() => read.promise);
      const refresher = createRefresher(refresh);
      refresher.poke();
      await vi.advanceTimersByTimeAsync(300);
      refresher.poke();
      await vi.advanceTimersByTimeAsync(5000);
      expect(refresh).toHaveBeenCalledOnce();
      read.resolve();
      await vi.advanceTimersByTimeAsync(5000);
      expect(refresh).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

it('a list that cannot be read again stays as it was', async () => {
  let isBroken = false;
  const server = await startModernServer(({ method }) =>
    method === 'tools/list' && isBroken
      ? { error: { code: -32603, message: 'Database is locked' } }
      : undefined,
  );
  const rig = createRig();
  await rig.connect(config(server.url));
  await server.until(() => server.listening().length === 1);
  isBroken = true;
  server.notify('notifications/tools/list_changed');
  await vi.waitUntil(() => rig.log(1).some(({ summary }) => summary.includes('could not be refreshed')));
  expect(rig.tools).toHaveLength(1);
  expect(rig.status(1)).toMatchObject({ state: 'connected', toolCount: 1 });
});
