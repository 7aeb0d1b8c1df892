import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Elicit } from '../../lib/types/request.ts';
import { startTaskServer } from '../fakes/task-server.ts';
import type { McpCallOptions } from '../../lib/mcp/calls/call.ts';
import { config, createMemory, createRig, options } from './harness.ts';
import { startModernServer } from './modern-server.ts';

const DONE = { content: [{ type: 'text', text: 'Found three.' }] };
const form = (message: string) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { who: { type: 'string' } } },
  },
});

async function connected(era: 'modern' | 'legacy') {
  const server = await startTaskServer(era);
  onTestFinished(() => server.close());
  const { memory } = createMemory();
  const lost = { times: 0 };
  const counting: typeof fetch = (...request) =>
    fetch(...request).catch((error: unknown) => {
      lost.times += 1;
      throw error;
    });
  const rig = createRig({ memory, fetch: counting });
  await rig.connect(config(server.url));
  const research = (more: Partial<McpCallOptions> = {}) => rig.call(1, 'research', { q: 1 }, options(more));
  return { server, rig, memory, research, lost };
}

describe.each(['modern', 'legacy'] as const)('a task of a %s server', (era) => {
  it('is written down before it is polled, and its result is the call’s', async () => {
    const { server, research } = await connected(era);
    const order: string[] = [];
    const accepted = vi.fn(async (id: string) => {
      await Promise.resolve();
      order.push(`${id} after ${server.asked('tasks/get').length} polls`);
    });
    const progress = vi.fn();
    server.set({ statusMessage: 'Gathering sources' });
    const call = research({ accepted, progress });
    await server.until(() => server.asked('tasks/get').length === 1);
    server.set({ status: 'completed', statusMessage: 'Ready', result: DONE });
    expect(await call).toMatchObject({ status: 'success', result: { text: 'Found three.', isError: false } });
    expect(order).toEqual(['t-1 after 0 polls']);
    expect(progress.mock.calls).toEqual([[{ message: 'Gathering sources' }], [{ message: 'Ready' }]]);
    expect(server.asked('tools/call')).toHaveLength(1);
  });

  it('is cancelled at the server by Stop', async () => {
    const { server, research } = await connected(era);
    const stop = new AbortController();
    const call = research({ signal: stop.signal });
    await server.until(() => server.asked('tasks/get').length === 1);
    stop.abort();
    expect(await call).toMatchObject({ status: 'cancelled' });
    await server.until(() => server.asked('tasks/cancel').length === 1);
    expect(server.asked('tasks/cancel')[0]?.params).toMatchObject({ taskId: 't-1' });
  });

  it('is cancelled when its server is switched off', async () => {
    const { server, rig, research } = await connected(era);
    const call = research();
    await server.until(() => server.asked('tasks/get').length === 1);
    await rig.disconnect(1, 'switched_off');
    expect(await call).toMatchObject({ status: 'cancelled' });
    expect(server.asked('tasks/cancel')).toHaveLength(1);
  });

  it('is gone on with by another worker, which polls at once and makes no call', async () => {
    const { server, memory } = await connected(era);
    server.set({ status: 'completed', result: DONE });
    const next = createRig({ memory });
    await next.connect(config(server.url));
    const accepted = vi.fn(async () => {});
    const made = await next.call(1, 'research', {}, options({ task: 't-1', accepted }));
    expect(made).toMatchObject({ status: 'success', result: { text: 'Found three.' } });
    expect(accepted).toHaveBeenCalledExactlyOnceWith('t-1');
    expect(server.asked('tools/call')).toHaveLength(0);
  });

  it('outlives its server’s absence', async () => {
    const { server, research, lost } = await connected(era);
    const call = research();
    await server.until(() => server.asked('tasks/get').length === 1);
    await server.stop();
    server.set({ status: 'completed', result: DONE });
    await expect.poll(() => lost.times).toBeGreaterThan(1);
    await server.restart();
    expect(await call).toMatchObject({ status: 'success', result: { text: 'Found three.' } });
    expect(server.asked('tools/call')).toHaveLength(1);
  });

  it('that its server does not know any more ends with an unknown outcome', async () => {
    const { server, research } = await connected(era);
    const call = research();
    await server.until(() => server.asked('tasks/get').length === 1);
    server.set(undefined);
    const { status, result } = await call;
    expect(status).toBe('unknown');
    expect(result.text).toMatch(/can no longer learn what became of it.*Task not found/);
  });

  it('that failed or was cancelled there says why', async () => {
    const { server, research } = await connected(era);
    server.set({
      status: 'failed',
      ...(era === 'modern' && { error: { code: -32603, message: 'No funds' } }),
    });
    const why = era === 'modern' ? 'No funds' : 'The sources are closed';
    expect(await research()).toMatchObject({
      status: 'error',
      result: { text: `Notes could not run research. (${why})`, isError: true },
    });
    server.set({ status: 'cancelled', statusMessage: 'Out of time.' });
    expect(await research()).toMatchObject({
      status: 'cancelled',
      result: { text: 'Notes cancelled research. Out of time.' },
    });
  });
});

describe('a task that needs input (2026-07-28)', () => {
  it('has each request put before the user once, and answered by tasks/update', async () => {
    const { server, research } = await connected('modern');
    const asked: string[] = [];
    const elicit: Elicit = async (request) => {
      asked.push(request.kind === 'form' ? request.message : request.kind);
      return { action: 'accept', content: { who: 'Ada' } };
    };
    server.set({ status: 'input_required', inputRequests: { one: form('Who?'), two: form('Who else?') } });
    const call = research({ elicit });
    await server.until(() => server.asked('tasks/update').length === 2);
    // It may still say so for a while.
    const polls = server.asked('tasks/get').length;
    await server.until(() => server.asked('tasks/get').length === polls + 1);
    server.set({ status: 'completed', inputRequests: undefined, result: DONE });
    expect(await call).toMatchObject({ status: 'success' });
    expect(asked.toSorted()).toEqual(['Who else?', 'Who?']);
    expect(server.asked('tasks/update').map(({ params }) => params)).toMatchObject(
      ['one', 'two'].map((key) => ({
        taskId: 't-1',
        inputResponses: { [key]: { action: 'accept', content: { who: 'Ada' } } },
      })),
    );
  });

  it('has a request withdrawn that is not open any more', async () => {
    const { server, research } = await connected('modern');
    const withdrawn = Promise.withResolvers<void>();
    const elicit: Elicit = (_request, signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          withdrawn.resolve();
          resolve({ action: 'cancel' });
        }),
      );
    server.set({ status: 'input_required', inputRequests: { one: form('Who?') } });
    const call = research({ elicit });
    await server.until(() => server.asked('tasks/get').length === 1);
    server.set({ status: 'working', inputRequests: undefined });
    await withdrawn.promise;
    server.set({ status: 'completed', result: DONE });
    expect(await call).toMatchObject({ status: 'success' });
    expect(server.asked('tasks/update')).toEqual([]);
  });

  it('is cancelled, and its call fails, when no user can be asked that', async () => {
    const { server, research } = await connected('modern');
    server.set({ status: 'input_required', inputRequests: { one: { method: 'roots/list' } } });
    const { status, result } = await research();
    expect(status).toBe('error');
    expect(result.text).toMatch(/^Notes asked for something that Portside does not offer/);
    await server.until(() => server.asked('tasks/cancel').length === 1);
  });

  it('is cancelled when its server asks on and on', async () => {
    const { server, research } = await connected('modern');
    const endless = Object.fromEntries(Array.from({ length: 101 }, (_each, at) => [`q${at}`, form('Who?')]));
    server.set({ status: 'input_required', inputRequests: endless });
    const { status, result } = await research();
    expect(status).toBe('error');
    expect(result.text).toMatch(/one question after another/);
    await server.until(() => server.asked('tasks/cancel').length === 1);
  });
});

describe('a task of 2025-11-25', () => {
  it('has its progress and its questions also where they come on no request’s stream', async () => {
    const { server, research } = await connected('legacy');
    const elicit: Elicit = async () => ({ action: 'accept', content: { who: 'Ada' } });
    const progress = vi.fn();
    const call = research({ progress, elicit });
    await server.until(() => server.asked('tasks/get').length === 1);
    const meta = server.asked('tools/call')[0]?.params?.['_meta'] as { progressToken: number };
    server.say('notifications/progress', { ...meta, progress: 2, total: 5 });
    await expect.poll(() => progress.mock.calls).toEqual([[{ progress: 2, total: 5 }]]);
    const related = { 'io.modelcontextprotocol/related-task': { taskId: 't-1' } };
    server.say('notifications/progress', { ...meta, progress: 3, message: 'a'.repeat(2_000) });
    await expect.poll(() => progress.mock.calls[1]?.[0]?.message).toBe(`${'a'.repeat(1_000)}…`);
    server.say('elicitation/create', { ...form('Who?').params, _meta: related });
    await server.until(() => server.answers.length === 1);
    expect(server.answers).toMatchObject([
      { result: { action: 'accept', content: { who: 'Ada' }, _meta: related } },
    ]);
    server.set({ status: 'completed', result: DONE });
    expect(await call).toMatchObject({ status: 'success' });
  });
});

describe('what is no task', () => {
  it('an answer that says so without an id is an error', async () => {
    const server = await startModernServer(({ method }) =>
      method === 'tools/call' ? { result: { resultType: 'task', status: 'working' } } : undefined,
    );
    const rig = createRig();
    await rig.connect(config(server.url));
    const { status, result } = await rig.call(1, 'echo', {}, options());
    expect(status).toBe('error');
    expect(result.text).toMatch(/in a form that Portside cannot read/);
  });

  it('one to any request but a call is refused', async () => {
    const server = await startModernServer(({ method }) =>
      method === 'resources/read'
        ? { result: { resultType: 'task', taskId: 't', status: 'working' } }
        : undefined,
    );
    const rig = createRig();
    await rig.connect(config(server.url));
    const { signal } = new AbortController();
    await expect(rig.readResource(1, 'a:b', { signal, elicit: options().elicit })).rejects.toMatchObject({
      code: 'server_not_mcp',
    });
  });
});
