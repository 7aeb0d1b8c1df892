import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueue } from '../../lib/async.ts';
import { makeCall } from '../../lib/mcp/calls/call.ts';
import type { ServerConnection } from '../../lib/mcp/connection/server-connection.ts';
import type { Session } from '../../lib/mcp/connection/session.ts';
import type { Elicit, Fulfilled } from '../../lib/types/request.ts';
import type { CallOptions } from '../../lib/types/tools/call-tool.ts';
import { config, options } from './harness.ts';

/** A connection whose calls end when the test says, or when they are aborted. */
function scripted(toolTimeout: number) {
  const sent: { progress: CallOptions['progress']; elicit: Elicit; answer: () => void }[] = [];
  const session: Pick<Session, 'call'> = {
    call: (_name, _args, { signal, progress = () => {}, elicit }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        sent.push({ progress, elicit, answer: () => resolve({ content: [{ type: 'text', text: 'done' }] }) });
      }),
  };
  const connection: ServerConnection = {
    config: config('http://127.0.0.1:1/mcp', { toolTimeout }),
    status: () => ({ state: 'connected', toolCount: 0 }),
    tools: () => [],
    offer: () => undefined,
    ready: async () => session as Session,
    current: () => session as Session,
    found: () => {},
    gone: new AbortController().signal,
    close: async () => {},
  };
  return { sent, connection };
}

describe('the time of a call', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('starts again when the tool reports progress', async () => {
    const { sent, connection } = scripted(1000);
    const call = makeCall(
      connection,
      createQueue(() => 4),
      { toolName: 't', args: {}, options: options() },
    );
    await vi.advanceTimersByTimeAsync(900);
    sent[0]?.progress({ progress: 1 });
    await vi.advanceTimersByTimeAsync(900);
    sent[0]?.answer();
    expect((await call).status).toBe('success');
  });

  it('does not run while the call is queued or being written down', async () => {
    const { sent, connection } = scripted(1000);
    const queue = createQueue(() => 1);
    const written = Promise.withResolvers<void>();
    const call = { toolName: 't', args: {}, options: options() };
    const first = makeCall(connection, queue, call);
    const second = makeCall(connection, queue, {
      ...call,
      options: options({ started: () => written.promise }),
    });
    await vi.advanceTimersByTimeAsync(999);
    sent[0]?.answer();
    await first;
    await vi.advanceTimersByTimeAsync(5000);
    written.resolve();
    await vi.advanceTimersByTimeAsync(999);
    sent[1]?.answer();
    expect((await second).status).toBe('success');
  });

  it('is up after the timeout, to the millisecond', async () => {
    const { sent, connection } = scripted(1000);
    const call = makeCall(
      connection,
      createQueue(() => 4),
      { toolName: 't', args: {}, options: options() },
    );
    await vi.advanceTimersByTimeAsync(1000);
    sent[0]?.answer();
    expect(await call).toMatchObject({
      status: 'timeout',
      result: { text: 'Tool execution timed out after 1000ms', isError: true },
    });
  });
});

describe('while a call waits for the user', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const body = { kind: 'form', message: 'Which?', schema: {} } as const;

  it('its clock stands still, and goes on with the time that was left', async () => {
    const { sent, connection } = scripted(1000);
    const answer = Promise.withResolvers<Fulfilled>();
    const call = makeCall(
      connection,
      createQueue(() => 4),
      {
        toolName: 't',
        args: {},
        options: options({ elicit: () => answer.promise }),
      },
    );
    await vi.advanceTimersByTimeAsync(900);
    const asked = sent[0]?.elicit(body, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(3_600_000);
    answer.resolve({ action: 'accept' });
    expect(await asked).toEqual({ action: 'accept' });
    await vi.advanceTimersByTimeAsync(99);
    sent[0]?.answer();
    expect((await call).status).toBe('success');
  });

  it('only the time after the answer counts towards the timeout', async () => {
    const { sent, connection } = scripted(1000);
    const call = makeCall(
      connection,
      createQueue(() => 4),
      { toolName: 't', args: {}, options: options() },
    );
    await vi.advanceTimersByTimeAsync(900);
    await sent[0]?.elicit(body, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(100);
    sent[0]?.answer();
    expect((await call).status).toBe('timeout');
  });
});

describe('a call that is stopped while it is being written down', () => {
  it('is cancelled at once and never sent', async () => {
    const { sent, connection } = scripted(1000);
    const stop = new AbortController();
    const asked = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const started = (): Promise<void> => {
      asked.resolve();
      return written.promise;
    };
    const call = makeCall(
      connection,
      createQueue(() => 4),
      {
        toolName: 't',
        args: {},
        options: options({ signal: stop.signal, started }),
      },
    );
    await asked.promise;
    stop.abort();
    expect((await call).status).toBe('cancelled');
    written.resolve();
    await Promise.resolve();
    expect(sent).toEqual([]);
  });
});
