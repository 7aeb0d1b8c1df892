import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/database.ts';
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

describe('a worker that starts', () => {
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

  it('makes a call of unknown outcome only when the person says so', async () => {
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
    const stalling = () => scriptedModel(saysThenHangs('Half')).model;
    const first = startWorker({ model: stalling() });
    await send(first.runs, 'Hello');
    await expect.poll(() => stored(db)).toHaveLength(2);
    for (let death = 0; death < 3; death += 1) await startWorker({ model: stalling() }).runs.resume();
    const last = startWorker({ model: scriptedModel(says('Whole')).model });
    await last.runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'interrupted' });
    expect(await stored(db)).toEqual(['user: Hello', 'assistant (partial): Half']);
    await last.runs.start({ conversationId: 'c1', runId: 'r2' });
    await last.until(ended);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant: Whole']);
  });

  it('gives a run up that made no progress for ten minutes', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Half')).model });
    await send(first.runs, 'Hello');
    const later = startWorker({ model: scriptedModel().model, now: () => NOW + 11 * 60_000 });
    await later.runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'interrupted' });
  });
});
