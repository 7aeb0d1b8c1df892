import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/schema.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import type { Run } from '../../lib/types/run.ts';
import { NOW } from '../fakes/rows.ts';
import { calls, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import {
  hang,
  isWaiting,
  runEvent,
  send,
  startWorker as startWorkerOn,
  succeed,
  type WorkerOptions,
} from '../fakes/worker.ts';
import { ended, freshDatabase, stored } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

beforeEach(async () => {
  db = await freshDatabase();
});

const elevenMinutesLater = () => NOW + 11 * 60_000;
const statuses = async () => (await db.getAll('toolCalls')).map(({ status }) => status);

/** Changes the row of the run `r1`. */
async function put(change: Partial<Run>): Promise<void> {
  const run = await db.get('runs', 'r1');
  if (run) await db.put('runs', { ...run, ...change });
}

describe('a worker that starts', () => {
  it('does not take up a run whose end could not be written when the conversation has gone on since', async () => {
    const first = startWorker({ model: scriptedModel(says('One'), says('Two')).model });
    await send(first.runs, 'Hello');
    await first.until(ended);
    first.sent.length = 0;
    await send(first.runs, 'Again', 'r2');
    await first.until(ended);
    await put({ status: 'working', startedAt: new Date(NOW - 1000).toISOString() });
    const { model, requests } = scriptedModel(says('Never'));
    await startWorker({ model }).runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'interrupted' });
    expect(requests).toEqual([]);
    expect((await stored(db)).at(-1)).toBe('assistant: Two');
  });

  it('asks the model again for an answer that broke off, and the answer takes the broken one’s place', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Half an answer')).model });
    await send(first.runs, 'Hello');
    await first.until(runEvent('text_delta'));
    await expect.poll(() => stored(db)).toEqual(['user: Hello', 'assistant (streaming): Half an answer']);

    const second = startWorker({ model: scriptedModel(says('The whole answer')).model });
    await second.runs.resume();
    await second.until(ended);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant: The whole answer']);
  });

  it('says of an answer that broke off when it was picked up, while it streams again and for good', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Half an answer')).model });
    await send(first.runs, 'Hello');
    await first.until(runEvent('text_delta'));
    await expect.poll(() => stored(db)).toEqual(['user: Hello', 'assistant (streaming): Half an answer']);

    const second = startWorker({ model: scriptedModel(says('The whole answer')).model });
    await second.runs.resume();
    await second.until(ended);
    const pickedUpAt = new Date(NOW).toISOString();
    const shown = second.sent.find(({ type }) => type === 'message');
    expect(shown).toMatchObject({ message: { status: 'partial', content: 'Half an answer', pickedUpAt } });
    const whole = second.sent.findLast(({ type }) => type === 'message');
    expect(whole).toMatchObject({ message: { content: 'The whole answer', pickedUpAt } });
    const answer = (await db.getAll('messages')).find(({ role }) => role === 'assistant');
    expect(answer).toMatchObject({ status: 'complete', pickedUpAt });
  });

  it('says so of calls that were cut off, and not of a run that had shown nothing yet', async () => {
    const script = calls(['mcp__1__look', {}]);
    const first = startWorker({ model: scriptedModel(script).model, callTool: hang });
    await send(first.runs, 'Look');
    await expect.poll(statuses).toEqual(['running']);
    const second = startWorker({ model: scriptedModel(saysThenHangs('')).model });
    await second.runs.resume();
    await second.until(runEvent('call_end'));
    await second.until(runEvent('iteration_start'));
    const asked = async () =>
      (await db.getAll('messages'))
        .filter(({ role }) => role === 'assistant')
        .toSorted((a, b) => a.seq - b.seq)
        .map((each) => 'pickedUpAt' in each);
    expect(await asked()).toEqual([true]);
    const third = startWorker({ model: scriptedModel(says('Done')).model });
    await third.runs.resume();
    await third.until(ended);
    expect(await asked()).toEqual([true, false]);
  });

  it('makes a call of unknown outcome only when the user says so', async () => {
    const script = calls(['mcp__1__note', {}], ['mcp__1__look', {}]);
    const first = startWorker({ model: scriptedModel(script).model, callTool: hang });
    await send(first.runs, 'Note it');
    await expect
      .poll(async () => (await db.getAll('toolCalls')).map(({ status }) => status))
      .toEqual(['running', 'running']);

    const made: string[] = [];
    const second = startWorker({
      model: scriptedModel(says('Done')).model,
      callTool: (call, args, options) => {
        made.push(call.toolName);
        return succeed(call, args, options);
      },
    });
    await second.runs.resume();
    await second.until(isWaiting);
    expect(made).toEqual(['look']);
    const [note] = await db.getAll('toolCalls');
    expect(note).toMatchObject({ status: 'unknown', wait: 'unknown' });
    await second.runs.resolve({ callId: note?.callId ?? '', decision: 'deny' });
    await second.until(ended);
    expect(made).toEqual(['look']);
    expect((await db.getAll('toolCalls')).map(({ status }) => status)).toEqual(['unknown', 'success']);
    expect((await stored(db)).at(-1)).toBe('assistant: Done');
  });

  it('goes on with a task, whenever it starts, without asking, and its result comes into the call’s place', async () => {
    const first = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}])).model,
      callTool: async (call, args, options) => {
        await options.started();
        await options.accepted('t-1');
        return hang(call, args, { ...options, started: async () => {} });
      },
    });
    await send(first.runs, 'Note it');
    await expect.poll(async () => (await db.getAll('toolCalls'))[0]?.task).toBe('t-1');
    const [begun] = await db.getAll('toolCalls');
    await put({ resumes: 2 });

    const over = Promise.withResolvers<void>();
    const made: unknown[] = [];
    const second = startWorker({
      model: scriptedModel(says('Noted')).model,
      permission: 'ask',
      now: elevenMinutesLater,
      callTool: async (call, _args, { accepted }) => {
        made.push(call.task);
        await accepted('t-1');
        await over.promise;
        return { status: 'success', result: { text: 'Late, but there.', isError: false } };
      },
    });
    await second.runs.resume();
    await second.until(runEvent('call_task'));
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'working', resumes: 0 });
    expect(Object.values(second.shown().calls).map((call) => 'task' in call)).toEqual([false]);
    over.resolve();
    await second.until(ended);
    expect(made).toEqual(['t-1']);
    const [row] = await db.getAll('toolCalls');
    expect(row).toMatchObject({ status: 'success', startedAt: begun?.startedAt, durationMs: 11 * 60_000 });
    expect(row).not.toHaveProperty('task');
    expect((await stored(db)).slice(1)).toEqual([
      'assistant: ',
      'tool: Late, but there.',
      'assistant: Noted',
    ]);
  });

  it('keeps the task of a run that it gives up: Continue goes on with it', async () => {
    const first = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}])).model,
      callTool: async (call, args, options) => {
        await options.started();
        await options.accepted('t-1');
        return hang(call, args, { ...options, started: async () => {} });
      },
    });
    await send(first.runs, 'Note it');
    await expect.poll(async () => (await db.getAll('toolCalls'))[0]?.task).toBe('t-1');
    await put({ resumes: 3 });
    const made: unknown[] = [];
    const second = startWorker({
      model: scriptedModel(says('Noted')).model,
      permission: 'ask',
      callTool: (call, args, options) => {
        made.push(call.task);
        return succeed(call, args, options);
      },
    });
    await second.runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'interrupted' });
    expect(await statuses()).toEqual(['unknown']);
    await second.runs.start({ conversationId: 'c1', runId: 'r2' });
    await second.until(ended);
    expect(made).toEqual(['t-1']);
    expect(await statuses()).toEqual(['success']);
  });

  it('asks about a call that waits with what was told of it before, which may have taken long to find', async () => {
    let looked = 0;
    const taintOf = async () => ({ from: [`page ${(looked += 1)}`], quotes: [] });
    const worker = (model: StreamModel) => startWorker({ model, permission: 'ask', taintOf });
    const first = worker(scriptedModel(calls(['mcp__1__note', {}])).model);
    await send(first.runs, 'Note it');
    await first.until(isWaiting);
    const second = worker(scriptedModel(says('Fine')).model);
    await second.runs.resume();
    await second.until(isWaiting);
    expect(looked).toBe(1);
    expect(await db.getAll('toolCalls')).toMatchObject([{ taint: { from: ['page 1'] } }]);
  });

  it('finishes with a decision that was written down just before it died', async () => {
    const first = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}])).model,
      permission: 'ask',
    });
    await send(first.runs, 'Note it');
    await first.until(isWaiting);
    const [row] = await db.getAll('toolCalls');
    if (!row) throw new Error('no row');
    await db.put('toolCalls', { ...row, status: 'denied', result: { text: 'No.', isError: true } });

    const second = startWorker({ model: scriptedModel(says('Fine')).model, permission: 'ask' });
    await second.runs.resume();
    await second.until(ended);
    expect(await stored(db)).toEqual([
      'user: Note it',
      'assistant: ',
      'tool: {"isError":true,"error":"No."}',
      'assistant: Fine',
    ]);
  });

  it('gives a run up as interrupted after three resumes without progress, and Continue goes on', async () => {
    const stalling = (life: number) => scriptedModel(saysThenHangs(`Half ${life}`)).model;
    // A dead worker writes nothing: until then these have written what they have to.
    const written = (life: number) =>
      expect.poll(() => stored(db)).toEqual(['user: Hello', `assistant (streaming): Half ${life}`]);
    const first = startWorker({ model: stalling(0) });
    await send(first.runs, 'Hello');
    await written(0);
    for (const life of [1, 2, 3]) {
      await startWorker({ model: stalling(life) }).runs.resume();
      await written(life);
    }
    const last = startWorker({ model: scriptedModel(says('Whole')).model });
    await last.runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'interrupted' });
    expect(await stored(db)).toEqual(['user: Hello', 'assistant (partial): Half 3']);
    await last.runs.start({ conversationId: 'c1', runId: 'r2' });
    await last.until(ended);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant: Whole']);
  });

  it('gives a run up that made no progress for ten minutes, and says so', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Half')).model });
    await send(first.runs, 'Hello');
    const later = startWorker({ model: scriptedModel().model, now: elevenMinutesLater });
    await later.runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({
      status: 'ended',
      reason: 'interrupted',
      error: { code: 'run_stalled', message: expect.stringContaining('ten minutes') },
    });
  });

  it('leaves a call that was cut off in a run that is given up as unknown, and Continue asks about it', async () => {
    const first = startWorker({ model: scriptedModel(calls(['mcp__1__note', {}])).model, callTool: hang });
    await send(first.runs, 'Note it');
    await expect.poll(statuses).toEqual(['running']);
    const later = startWorker({ model: scriptedModel().model, now: elevenMinutesLater });
    await later.runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({ reason: 'interrupted' });
    expect(await statuses()).toEqual(['unknown']);

    await later.runs.start({ conversationId: 'c1', runId: 'r2' });
    await later.until(isWaiting);
    expect(await db.getAll('toolCalls')).toMatchObject([{ status: 'unknown', wait: 'unknown' }]);
    await later.runs.stop({ conversationId: 'c1' });
  });

  it.each([
    ['ten minutes', { now: elevenMinutesLater }, 0],
    ['three resumes', {}, 3],
  ])('never gives a run up that waits for the user: %s', async (_why, options, resumes) => {
    const script = scriptedModel(calls(['mcp__1__note', {}])).model;
    const first = startWorker({ model: script, permission: 'ask' });
    await send(first.runs, 'Note it');
    await first.until(isWaiting);
    await put({ resumes });
    const later = startWorker({ model: scriptedModel(says('Done')).model, permission: 'ask', ...options });
    await later.runs.resume();
    expect(later.badge.at(-1)).toBe(1);
    const [call] = await db.getAll('toolCalls');
    await later.runs.resolve({ callId: call?.callId ?? '', decision: 'allow' });
    await later.until(ended);
    expect(await db.get('runs', 'r1')).toMatchObject({ reason: 'done' });
  });

  it.each([
    ['ten minutes', { now: elevenMinutesLater }, 0],
    ['three resumes', {}, 3],
  ])(
    'keeps an approval that waits beside a call which does not get on: %s',
    async (_why, options, resumes) => {
      const permission: WorkerOptions['permission'] = async ({ toolName, position }) =>
        toolName === 'note' && position === 0 ? 'ask' : 'allow';
      const script = calls(['mcp__1__note', {}], ['mcp__1__note', { other: true }]);
      const first = startWorker({ model: scriptedModel(script).model, permission, callTool: hang });
      await send(first.runs, 'Note both');
      await expect.poll(statuses).toEqual(['pending', 'running']);
      await expect.poll(async () => (await db.getAll('toolCalls'))[0]?.wait).toBe('permission');
      await put({ resumes });
      expect(await db.get('runs', 'r1')).toMatchObject({ status: 'working' });

      const later = startWorker({ model: scriptedModel(says('Done')).model, permission, ...options });
      await later.runs.resume();
      await later.until(isWaiting);
      expect(await db.getAll('toolCalls')).toMatchObject([
        { status: 'pending', wait: 'permission' },
        { status: 'unknown', wait: 'unknown' },
      ]);
      expect(later.badge.at(-1)).toBe(2);
      for (const { callId } of await db.getAll('toolCalls'))
        await later.runs.resolve({ callId, decision: 'allow' });
      await later.until(ended);
      expect(await statuses()).toEqual(['success', 'success']);
    },
  );
});
