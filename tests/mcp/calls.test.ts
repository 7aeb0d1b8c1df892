import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import type { RemoteConfig } from '../../lib/mcp/connections.ts';
import type { CallOptions } from '../../lib/types/tools/call-tool.ts';
import { PIXEL } from '../fakes/mcp-tools.ts';
import { config, connected, createRig, options, silence, startServer } from './harness.ts';
import { startRawServer, UNKNOWN_METHOD } from './raw-server.ts';

const transports: RemoteConfig['transport'][] = ['streamable-http', 'sse'];

/** A rig connected to a server that answers `tools/call` with this. */
async function answering(answer: Record<string, unknown>) {
  const url = await startRawServer(({ method }) => {
    if (method === 'tools/list') return { result: { tools: [] } };
    return method === 'tools/call' ? answer : UNKNOWN_METHOD;
  });
  const rig = createRig();
  await rig.connect(config(url));
  return rig;
}

describe.each(transports)('a call over %s', (transport) => {
  it('runs the tool and brings its result', async () => {
    const { server, rig } = await connected({ transport });
    const outcome = await rig.call(1, 'add', { a: 2, b: 40 }, options());
    expect(outcome).toEqual({
      status: 'success',
      result: { text: '42', isError: false, blocks: [{ type: 'text', text: '42' }] },
    });
    expect(server.executions).toMatchObject([{ tool: 'add', args: { a: 2, b: 40 } }]);
  });

  it('overlaps with another by the server’s clock', async () => {
    const { server, rig } = await connected({ transport });
    server.hold('look_up');
    const calls = ['a', 'b'].map((word) => rig.call(1, 'look_up', { word }, options()));
    await server.until(() => server.executions.length === 2);
    server.release('look_up');
    await Promise.all(calls);
    const [first, second] = server.executions;
    expect(second?.startedAt).toBeLessThan(first?.endedAt ?? 0);
    expect(first?.startedAt).toBeLessThan(second?.endedAt ?? 0);
  });

  it('is cancelled at once and on the server too', async () => {
    const { server, rig } = await connected({ transport });
    server.hold('write_note');
    const stop = new AbortController();
    const call = rig.call(1, 'write_note', { text: 'x' }, options({ signal: stop.signal }));
    await server.until(() => server.executions.length === 1);
    stop.abort();
    expect(await call).toMatchObject({ status: 'cancelled', result: { isError: true } });
    await server.until(() => server.cancelled.length === 1);
    expect(server.requests).toContain('POST notifications/cancelled');
  });

  it('times out with an error for the model, and is cancelled on the server', async () => {
    const { server, rig } = await connected({ transport, toolTimeout: 40 });
    server.hold('look_up');
    const outcome = await rig.call(1, 'look_up', { word: 'a' }, options());
    expect(outcome).toEqual({
      status: 'timeout',
      result: { text: 'Tool execution timed out after 40ms', isError: true },
    });
    await server.until(() => server.cancelled.length === 1);
    expect(rig.status(1).state).toBe('connected');
  });

  it('passes progress on', async () => {
    const { server, rig } = await connected({ transport });
    server.hold('progress');
    const steps: unknown[] = [];
    const progress: CallOptions['progress'] = (step) => {
      if (steps.push(step) === 2) server.release('progress');
    };
    const { result } = await rig.call(1, 'progress', { steps: 2 }, options({ progress }));
    expect(result.text).toBe('Did 2 steps');
    expect(steps).toEqual([
      { progress: 1, total: 2, message: 'Step 1' },
      { progress: 2, total: 2, message: 'Step 2' },
    ]);
  });

  it('reports an unknown outcome when its server dies during it', async () => {
    const { server, rig } = await connected({ transport });
    server.hold('write_note');
    const call = rig.call(1, 'write_note', { text: 'x' }, options());
    await server.until(() => server.executions.length === 1);
    await server.stop();
    const { status, result } = await call;
    expect(status).toBe('unknown');
    expect(result.text).toContain('may or may not have been carried out');
    expect(result.text).toContain('Notes');
  });

  it('succeeds after the server was restarted, and is executed once', async () => {
    const { server, rig } = await connected({ transport });
    await server.until(() => server.requests.includes('GET'));
    await server.restart();
    // The dead sockets are noticed, and both transports ask for their stream again.
    const streams = (): number => server.requests.filter((request) => request === 'GET').length;
    await server.until(() => streams() === 2);
    const outcome = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(outcome.status).toBe('success');
    expect(server.executions).toHaveLength(1);
    expect(rig.status(1).state).toBe('connected');
  });

  it('shows what a tool’s own error says', async () => {
    const { rig } = await connected({ transport });
    const { status, result } = await rig.call(1, 'fail', {}, options());
    expect(status).toBe('error');
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('The tool broke.') });
  });
});

describe('a call', () => {
  it('is retried on a new session when the server forgot the last one, with one `started`', async () => {
    const { server, rig } = await connected();
    server.forgetSessions();
    silence(2000);
    const started = vi.fn<() => Promise<void>>();
    const outcomes = await Promise.all(
      ['a', 'b'].map((text) => rig.call(1, 'write_note', { text }, options({ started }))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['success', 'success']);
    expect(server.executions).toHaveLength(2);
    expect(started).toHaveBeenCalledTimes(2);
    expect(server.requests.filter((request) => request === 'POST initialize')).toHaveLength(2);
  });

  it('is not retried when it may not run any more: the new session may list other tools', async () => {
    const { server, rig } = await connected();
    const mayRun = vi.fn(async () => {});
    await rig.call(1, 'write_note', { text: 'a' }, options({ mayRun }));
    expect(mayRun).toHaveBeenCalledOnce();
    server.forgetSessions();
    const changed = new AppError({ code: 'definition_changed', message: 'It deletes now.' });
    mayRun.mockResolvedValueOnce().mockRejectedValueOnce(changed);
    const { status, result } = await rig.call(
      1,
      'write_note',
      { text: 'b' },
      options({ mayRun, idempotent: true }),
    );
    expect([status, result.text]).toEqual(['error', 'write_note was not run: It deletes now.']);
    expect(server.executions).toHaveLength(1);
    expect(rig.status(1).state).toBe('connected');
  });

  it('is not written down as running when it may not run', async () => {
    const { server, rig } = await connected();
    const started = vi.fn<() => Promise<void>>();
    const mayRun = () => Promise.reject(new AppError({ code: 'tool_gone', message: 'It is gone.' }));
    const { result } = await rig.call(1, 'write_note', { text: 'a' }, options({ mayRun, started }));
    expect(result.text).toBe('write_note was not run: It is gone.');
    expect(started).not.toHaveBeenCalled();
    expect(server.executions).toEqual([]);
  });

  it('connects once to a server that is not connected', async () => {
    const server = await startServer();
    await server.stop();
    const rig = createRig();
    await expect(rig.connect(config(server.url))).rejects.toThrow('could not be reached');
    const started = vi.fn<() => Promise<void>>();
    const dead = await rig.call(1, 'add', { a: 1, b: 1 }, options({ started }));
    expect(dead.status).toBe('error');
    expect(dead.result.text).toBe(
      `add was not run: Notes could not be reached. Check that the server is running at ${server.url} and that Portside has access to that address, then reconnect.`,
    );
    expect(started).not.toHaveBeenCalled();
    await server.restart();
    expect((await rig.call(1, 'add', { a: 1, b: 1 }, options())).result.text).toBe('2');
  });

  it('to a server that was never connected is refused', async () => {
    const outcome = await createRig().call(9, 'add', {}, options());
    expect(outcome).toMatchObject({
      status: 'error',
      result: { text: expect.stringContaining('not connected') },
    });
  });

  it('waits for `started` before it is sent', async () => {
    const { server, rig } = await connected();
    const written = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const started = (): Promise<void> => {
      asked.resolve();
      return written.promise;
    };
    const call = rig.call(1, 'add', { a: 1, b: 1 }, options({ started }));
    await asked.promise;
    expect(server.requests).not.toContain('POST tools/call');
    written.resolve();
    await call;
    expect(server.requests).toContain('POST tools/call');
  });

  it('is not sent when it could not be written down', async () => {
    const { server, rig } = await connected();
    const started = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('disk full'));
    const { status, result } = await rig.call(1, 'add', { a: 1, b: 1 }, options({ started }));
    expect({ status, text: result.text }).toEqual({
      status: 'error',
      text: 'add was not run: Portside could not write it down first.',
    });
    expect(server.requests).not.toContain('POST tools/call');
  });

  it('that is stopped before it begins is not sent', async () => {
    const { server, rig } = await connected();
    const outcome = await rig.call(1, 'add', { a: 1, b: 1 }, options({ signal: AbortSignal.abort() }));
    expect(outcome.status).toBe('cancelled');
    expect(server.requests).not.toContain('POST tools/call');
  });

  it('is queued, not yet started, while three are in flight to the origin beside two streams', async () => {
    const { server, rig } = await connected();
    await rig.connect(config(server.url, { id: 2, name: 'Same origin' }));
    await server.until(() => server.requests.filter((request) => request === 'GET').length === 2);
    server.hold('look_up');
    const started = vi.fn<() => Promise<void>>();
    const calls = [1, 2, 1, 2, 1, 2].map((id) =>
      rig.call(id, 'look_up', { word: 'a' }, options({ started })),
    );
    await server.until(() => server.executions.length === 3);
    expect(started).toHaveBeenCalledTimes(3);
    server.release('look_up');
    await Promise.all(calls);
    expect(started).toHaveBeenCalledTimes(6);
    expect(server.executions).toHaveLength(6);
  });

  it('that is stopped in the queue leaves it at once and is never sent', async () => {
    const { server, rig } = await connected();
    server.hold('look_up');
    const calls = [1, 2, 3, 4].map(() => rig.call(1, 'look_up', { word: 'a' }, options()));
    await server.until(() => server.executions.length === 4);
    const stop = new AbortController();
    const started = vi.fn<() => Promise<void>>();
    const waiting = rig.call(1, 'write_note', { text: 'x' }, options({ signal: stop.signal, started }));
    stop.abort();
    expect((await waiting).status).toBe('cancelled');
    server.release('look_up');
    await Promise.all(calls);
    expect(started).not.toHaveBeenCalled();
    expect(server.executions.map(({ tool }) => tool)).not.toContain('write_note');
  });

  it('in the queue of a server that is disconnected is never sent', async () => {
    const { server, rig } = await connected();
    server.hold('look_up');
    const calls = [1, 2, 3, 4].map(() => rig.call(1, 'look_up', { word: 'a' }, options()));
    await server.until(() => server.executions.length === 4);
    const waiting = rig.call(1, 'write_note', { text: 'x' }, options());
    await rig.disconnect(1);
    await Promise.all(calls);
    expect(await waiting).toMatchObject({
      status: 'error',
      result: { text: expect.stringContaining('Notes was disconnected') },
    });
    expect(server.executions.map(({ tool }) => tool)).not.toContain('write_note');
  });

  it('closes its stream when it is cancelled, before the cancellation needs a socket', async () => {
    const order: string[] = [];
    const watched: typeof fetch = (input, init) => {
      const method = /"method":"(tools\/call|notifications\/cancelled)"/.exec(String(init?.body))?.[1];
      if (method) order.push(method);
      if (method === 'tools/call') init?.signal?.addEventListener('abort', () => order.push('stream closed'));
      return fetch(input, init);
    };
    const { server, rig } = await connected({}, { fetch: watched });
    server.hold('look_up');
    const stop = new AbortController();
    const call = rig.call(1, 'look_up', { word: 'a' }, options({ signal: stop.signal }));
    await server.until(() => server.executions.length === 1);
    stop.abort();
    await call;
    await server.until(() => server.cancelled.length === 1);
    expect(order).toEqual(['tools/call', 'stream closed', 'notifications/cancelled']);
  });

  it('brings an image as a block and names it in the text', async () => {
    const { rig } = await connected();
    const { result } = await rig.call(1, 'picture', {}, options());
    expect(result.blocks).toEqual([{ type: 'image', data: PIXEL, mimeType: 'image/png' }]);
    expect(result.text).toContain('image/png');
    expect(result.text).not.toContain(PIXEL.slice(0, 10));
  });

  it('brings structured content', async () => {
    const { rig } = await connected();
    const { result } = await rig.call(1, 'structured', {}, options());
    expect(result).toMatchObject({ text: '{"total":42}', structured: { total: 42 } });
  });

  it('keeps content of a kind that no specification knows', async () => {
    const hologram = { type: 'hologram', data: 1 };
    const rig = await answering({ result: { content: [{ type: 'text', text: 'hi' }, hologram] } });
    const { status, result } = await rig.call(1, 'odd', {}, options());
    expect(status).toBe('success');
    expect(result.blocks).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'unknown', value: hologram },
    ]);
  });

  it.each([
    [-32602, 'Unknown tool: nope', /refused the call of nope.*Unknown tool: nope/],
    [-32601, 'No such helper: curl', /could not run nope.*No such helper: curl/],
    [-32603, 'Kaboom', /could not run nope.*Kaboom/],
  ])('says what the server objected to (%i)', async (code, message, words) => {
    const rig = await answering({ error: { code, message } });
    const { status, result } = await rig.call(1, 'nope', {}, options());
    expect(status).toBe('error');
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(words);
    expect(rig.status(1).state).toBe('connected');
  });

  it('that meets a redirect is not sent on, and says what to change', async () => {
    const elsewhere = await startServer();
    let moved = false;
    const moving: typeof fetch = async (input, init) =>
      moved && init?.method === 'POST' ? Response.redirect(elsewhere.url, 307) : fetch(input, init);
    const { rig } = await connected({}, { fetch: moving });
    moved = true;
    const { status, result } = await rig.call(1, 'add', { a: 1, b: 1 }, options());
    expect(status).toBe('error');
    expect(result.text).toContain('Change the address');
    expect(elsewhere.requests).toEqual([]);
  });

  it('that is answered with something that is no result ends as an error', async () => {
    const rig = await answering({ result: 'words' });
    const { status, result } = await rig.call(1, 'odd', {}, options());
    expect({ status, isError: result.isError }).toEqual({ status: 'error', isError: true });
    expect(result.text).toContain('cannot read');
  });
});
