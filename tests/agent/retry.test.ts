import { describe, expect, it } from 'vitest';
import { delayBefore } from '../../lib/agent/retry.ts';
import type { RunEvent } from '../../lib/types/run.ts';
import { aborted, calls, failed, says, scriptedModel } from '../fakes/scripted-model.ts';
import { collect, only, run, toolContents, types } from './harness.ts';

const busy = (retryAfterMs?: number) => [
  failed('model_busy', 'Busy.', { retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }) }),
];
const delays = (events: RunEvent[]) => only(events, 'retry_scheduled').map(({ delayMs }) => delayMs);

describe('a request that fails in a way that may pass', () => {
  it('is made again, in the same iteration and for the same message', async () => {
    const events = await collect(run(scriptedModel(busy(), says('Done'))));
    expect(types(events)).toEqual([
      'run_start',
      'iteration_start',
      'retry_scheduled',
      'iteration_start',
      'text_delta',
      'message_end',
      'iteration_end',
      'run_end',
    ]);
    const [first, second] = only(events, 'iteration_start');
    expect(second).toEqual(first);
    expect(only(events, 'retry_scheduled')).toMatchObject([
      { messageId: 'm1', attempt: 2, of: 5, error: { code: 'model_busy' } },
    ]);
  });

  it('is tried five times in all, then the run ends with its error, which says so', async () => {
    const script = scriptedModel(busy(), busy(), busy(), busy(), busy(), says('Too late'));
    const events = await collect(run(script));
    expect(script.requests).toHaveLength(5);
    expect(events.at(-1)).toMatchObject({
      reason: 'error',
      error: { code: 'model_busy', message: 'Busy. Tried 5 times.' },
    });
  });

  it.each([
    [0, [250, 500, 1000, 2000]],
    [1, [500, 1000, 2000, 4000]],
  ])('waits twice as long each time, chance %d', async (random, expected) => {
    const script = scriptedModel(busy(), busy(), busy(), busy(), says('Done'));
    expect(delays(await collect(run(script, {}, { random: () => random })))).toEqual(expected);
  });

  it('waits as long as the server asks, but never more than a minute', async () => {
    const script = scriptedModel(busy(7000), busy(3_600_000), says('Done'));
    const waited: number[] = [];
    const wait = async (ms: number) => void waited.push(ms);
    const events = await collect(run(script, {}, { wait }));
    expect(delays(events)).toEqual([7000, 60_000]);
    expect(waited).toEqual([7000, 60_000]);
  });

  it('leaves nothing of what had streamed before in the history', async () => {
    const script = scriptedModel([{ type: 'text', text: 'Half' }, ...busy()], says('Whole'));
    const events = await collect(run(script));
    expect(only(events, 'message_end').map(({ message }) => message.content)).toEqual(['Whole']);
    expect(script.requests[1]?.messages).toEqual(script.requests[0]?.messages);
  });

  it('never makes a call again that has been made', async () => {
    const script = scriptedModel(calls(['mcp__1__note', {}]), busy(), says('Done'));
    const events = await collect(run(script));
    expect(only(events, 'call_start')).toHaveLength(1);
    expect(toolContents(script.requests[2]?.messages)).toEqual(['note {}']);
  });

  it('keeps what the last try had said', async () => {
    const half = [{ type: 'text', text: 'Half' } as const, ...busy()];
    const events = await collect(run(scriptedModel(half, half, half, half, half)));
    expect(only(events, 'message_end')).toMatchObject([{ message: { content: 'Half', status: 'partial' } }]);
    expect(events.at(-1)).toMatchObject({ reason: 'error' });
  });

  it('is not made again after a stop during the wait; what had streamed is kept', async () => {
    const stop = new AbortController();
    const script = scriptedModel([{ type: 'text', text: 'Half' }, ...busy()], says('Never'));
    const events: RunEvent[] = [];
    for await (const event of run(script, {}, { wait: (_ms, signal) => aborted(signal) }, stop.signal)) {
      events.push(event);
      if (event.type === 'retry_scheduled') stop.abort();
    }
    expect(script.requests).toHaveLength(1);
    expect(only(events, 'message_end')).toMatchObject([{ message: { content: 'Half', status: 'partial' } }]);
    expect(events.at(-1)).toMatchObject({ reason: 'cancelled' });
  });

  it('does not wait for an error that would come again', async () => {
    const script = scriptedModel([failed('model_unauthorized', 'Wrong key.')], says('Never'));
    const events = await collect(run(script));
    expect(types(events)).not.toContain('retry_scheduled');
    expect(script.requests).toHaveLength(1);
  });
});

describe('the wait before a try', () => {
  it('doubles up to 16 s', () => {
    const waits = [2, 3, 4, 5, 6, 7, 8, 30].map((attempt) => delayBefore(attempt, {}, () => 1));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 16_000, 16_000]);
    expect(delayBefore(30, {}, () => 0)).toBe(8000);
  });

  it('is as long as the server asks, where that is longer, up to a minute', () => {
    expect(delayBefore(7, { retryAfterMs: 3000 }, () => 1)).toBe(16_000);
    expect(delayBefore(7, { retryAfterMs: 20_000 }, () => 1)).toBe(20_000);
    expect(delayBefore(7, { retryAfterMs: 90_000 }, () => 1)).toBe(60_000);
  });
});

describe('a run that is resumed in the wait before a try', () => {
  const error = { code: 'model_busy', message: 'Busy.', retryable: true };
  const left = { retry: { attempt: 4, waitMs: 1700, error } };

  it('waits what is left of it, announced, and counts on from that try', async () => {
    const script = scriptedModel(busy(), busy(), says('Too late'));
    const waited: number[] = [];
    const wait = async (ms: number) => void waited.push(ms);
    const events = await collect(run(script, left, { wait }));
    expect(types(events).slice(0, 3)).toEqual(['run_start', 'retry_scheduled', 'iteration_start']);
    expect(only(events, 'retry_scheduled')).toEqual([
      { type: 'retry_scheduled', messageId: 'm1', attempt: 4, of: 5, delayMs: 1700, error },
      expect.objectContaining({ messageId: 'm1', attempt: 5, delayMs: 4000 }),
    ]);
    expect(waited).toEqual([1700, 4000]);
    expect(script.requests).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ reason: 'error', error: { code: 'model_busy' } });
  });

  it('waits no negative time when it is over', async () => {
    const events = await collect(run(scriptedModel(says('Done')), { retry: { ...left.retry, waitMs: -9 } }));
    expect(delays(events)).toEqual([0]);
    expect(events.at(-1)).toMatchObject({ reason: 'done' });
  });

  it('counts the tries of its later requests from the first', async () => {
    const script = scriptedModel(calls(['mcp__1__note', {}]), busy(), says('Done'));
    const events = await collect(run(script, left));
    expect(only(events, 'retry_scheduled').map(({ attempt }) => attempt)).toEqual([4, 2]);
    expect(events.at(-1)).toMatchObject({ reason: 'done' });
  });

  it('asks nothing more after a stop in it', async () => {
    const stop = new AbortController();
    const script = scriptedModel(says('Never'));
    const events: RunEvent[] = [];
    for await (const event of run(script, left, { wait: (_ms, signal) => aborted(signal) }, stop.signal)) {
      events.push(event);
      if (event.type === 'retry_scheduled') stop.abort();
    }
    expect(types(events)).toEqual(['run_start', 'retry_scheduled', 'run_end']);
    expect(events.at(-1)).toMatchObject({ reason: 'cancelled' });
    expect(script.requests).toHaveLength(0);
  });
});
