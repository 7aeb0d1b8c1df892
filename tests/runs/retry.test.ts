import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/schema.ts';
import { NOW, outline } from '../fakes/rows.ts';
import { aborted, ends, failed, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, send, startWorker as startWorkerOn, type WorkerOptions } from '../fakes/worker.ts';
import { ended, freshDatabase, snapshotOf, stored } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

beforeEach(async () => {
  db = await freshDatabase();
});

const busy = failed('model_busy', 'Too many requests.', { retryable: true, retryAfterMs: 2000 });
const half = [{ type: 'text', text: 'Half' } as const, busy];
const waiting: WorkerOptions['wait'] = (_ms, signal) => aborted(signal);

describe('a request that is made again', () => {
  it('is on disk with what had streamed, shows as partial meanwhile, and waits on after a death', async () => {
    const first = startWorker({ model: scriptedModel(half).model, wait: waiting });
    await send(first.runs, 'Hello');
    await first.until((event) => event.type === 'run_changed' && event.run.retry !== undefined);
    const run = await db.get('runs', 'r1');
    expect(run).toMatchObject({ status: 'working', iteration: 0, retry: { attempt: 2, of: 5 } });
    expect(Date.parse(run?.retry?.at ?? '')).toBe(NOW + 2000);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant (streaming): Half']);
    const snapshot = await snapshotOf(first.runs);
    expect(outline(snapshot.messages)).toEqual(['user: Hello', 'assistant (partial): Half']);
    expect(snapshot.runs[0]?.retry).toMatchObject({ error: { code: 'model_busy' } });

    const waits: number[] = [];
    const script = scriptedModel([busy], says('Whole'));
    const second = startWorker({
      model: script.model,
      now: () => NOW + 500,
      wait: async (ms) => {
        waits.push(ms);
        expect(script.requests).toHaveLength(waits.length - 1);
      },
    });
    await second.runs.resume();
    await second.until(ended);
    expect(waits).toEqual([1500, 2000]);
    const tries = second.sent.flatMap((event) =>
      event.type === 'run' && event.event.type === 'retry_scheduled' ? [event.event.attempt] : [],
    );
    expect(tries).toEqual([2, 3]); // the wait that goes on is announced again
    expect(await stored(db)).toEqual(['user: Hello', 'assistant: Whole']);
    expect(await db.get('runs', 'r1')).toMatchObject({ reason: 'done', iteration: 1 });
    expect(await db.get('runs', 'r1')).not.toHaveProperty('retry');
  });

  it('has no wait any more, for every panel, as soon as it is made', async () => {
    const { runs, until, sent } = startWorker({ model: scriptedModel([busy], saysThenHangs('Now')).model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    expect((await snapshotOf(runs)).runs[0]).not.toHaveProperty('retry');
    const told = sent.flatMap((event) => (event.type === 'run_changed' ? [event.run.retry?.attempt] : []));
    expect(told.filter((attempt, at) => attempt !== told[at - 1])).toEqual([2, undefined]);
    await runs.stop({ conversationId: 'c1' });
  });

  it('waits no more when its run is given up', async () => {
    const first = startWorker({ model: scriptedModel(half).model, wait: waiting });
    await send(first.runs, 'Hello');
    await first.until((event) => event.type === 'run_changed' && event.run.retry !== undefined);
    const run = await db.get('runs', 'r1');
    if (run) await db.put('runs', { ...run, resumes: 3 });
    await startWorker({ model: scriptedModel().model }).runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({ reason: 'interrupted' });
    expect(await db.get('runs', 'r1')).not.toHaveProperty('retry');
    expect(await stored(db)).toEqual(['user: Hello', 'assistant (partial): Half']);
  });

  it('is made at once when the user does not want to wait', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(half, says('Whole')).model, wait: waiting });
    await send(runs, 'Hello');
    await until((event) => event.type === 'run_changed' && event.run.retry !== undefined);
    runs.retryNow({ conversationId: 'c1' });
    await until(ended);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant: Whole']);
  });

  it('is made at once by two presses of Retry, which do not shorten the wait after it', async () => {
    const script = scriptedModel([busy], [busy], says('Whole'));
    const { runs, until } = startWorker({ model: script.model, wait: waiting });
    const retry = (attempt: number) =>
      until((event) => event.type === 'run_changed' && event.run.retry?.attempt === attempt);
    await send(runs, 'Hello');
    await retry(2);
    // One press after the other, until the request is made.
    while (script.requests.length < 2) {
      runs.retryNow({ conversationId: 'c1' });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await retry(3);
    for (let turn = 0; turn < 20; turn += 1) await db.get('runs', 'r1'); // time in which it could end
    expect(script.requests).toHaveLength(2);
    runs.retryNow({ conversationId: 'c1' });
    await until(ended);
    expect(script.requests).toHaveLength(3);
  });

  it('can be stopped while it waits: what had streamed is kept, and why it waited', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(half).model, wait: waiting });
    await send(runs, 'Hello');
    await until(runEvent('retry_scheduled'));
    await runs.stop({ conversationId: 'c1' });
    expect(await stored(db)).toEqual(['user: Hello', 'assistant (partial): Half']);
    expect(await db.get('runs', 'r1')).toMatchObject({
      status: 'ended',
      reason: 'cancelled',
      error: { code: 'model_busy', message: 'Too many requests.' },
    });
    expect(await db.get('runs', 'r1')).not.toHaveProperty('retry');
  });
});

describe('what a conversation has used', () => {
  it('is added up answer by answer, and every page gets it', async () => {
    const usage = { inputTokens: 10, outputTokens: 2 };
    const script = scriptedModel(
      says('One', { usage: { ...usage, cachedTokens: 4 } }),
      says('Two', { usage }),
      [ends({ content: 'Three' })], // a provider that does not count
    );
    const { runs, until, sent } = startWorker({ model: script.model });
    for (const id of ['a', 'b', 'c']) {
      await send(runs, id, id);
      await until(runEvent('run_end', id));
    }
    const total = { inputTokens: 20, outputTokens: 4, cachedTokens: 4 };
    expect((await db.get('conversations', 'c1'))?.usage).toEqual(total);
    const told = sent.flatMap((event) => (event.type === 'conversation' ? [event.conversation.usage] : []));
    expect(told).toContainEqual({ ...usage, cachedTokens: 4 });
    expect(told.at(-1)).toEqual(total);
  });
});
