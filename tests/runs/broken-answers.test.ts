import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/schema.ts';
import { outline } from '../fakes/rows.ts';
import { failed, prepared, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, send, startWorker as startWorkerOn, type WorkerOptions } from '../fakes/worker.ts';
import { ended, freshDatabase, snapshotOf, stored } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

beforeEach(async () => {
  db = await freshDatabase();
});

describe('an answer that broke off', () => {
  it('replaces the partial answer of a failed run when it is retried', async () => {
    const script = scriptedModel(
      [{ type: 'text', text: 'Half' }, failed('model_incomplete', 'It broke off.')],
      says('Whole'),
    );
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'Hello');
    await until(ended);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant (partial): Half']);
    sent.length = 0;
    await runs.start({ conversationId: 'c1', runId: 'r2' });
    await until(ended);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant: Whole']);
    expect(outline(script.requests[1]?.messages ?? [])).toEqual(['user: Hello']);
  });

  it('is resumed when the worker dies while a Retry streams over a partial answer', async () => {
    const half = [{ type: 'text', text: 'Half' } as const, failed('model_incomplete', 'It broke off.')];
    const first = startWorker({ model: scriptedModel(half, saysThenHangs('Retr')).model });
    await send(first.runs, 'Hello');
    await first.until(ended);
    await first.runs.start({ conversationId: 'c1', runId: 'r2' });
    await expect.poll(() => stored(db)).toEqual(['user: Hello', 'assistant (streaming): Retr']);
    const second = startWorker({ model: scriptedModel(says('Whole')).model });
    await second.runs.resume();
    await second.until(ended);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant: Whole']);
  });

  it('shows what an earlier attempt left as partial until the new one says something', async () => {
    const half = [{ type: 'text', text: 'Half' } as const, failed('model_incomplete', 'It broke off.')];
    const { runs, until, sent } = startWorker({ model: scriptedModel(half, saysThenHangs('')).model });
    await send(runs, 'Hello');
    await until(ended);
    sent.length = 0;
    await runs.start({ conversationId: 'c1', runId: 'r2' });
    await until(runEvent('iteration_start'));
    expect(outline((await snapshotOf(runs)).messages)).toEqual(['user: Hello', 'assistant (partial): Half']);
    await runs.stop({ conversationId: 'c1' });
  });

  it('keeps the half answer of a dead worker when the resumed request fails, in its place', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Half')).model });
    await send(first.runs, 'Hello');
    await expect.poll(() => stored(db)).toEqual(['user: Hello', 'assistant (streaming): Half']);
    const script = scriptedModel([failed('model_unauthorized', 'No.')], says('Second answer'));
    const second = startWorker({ model: script.model });
    await second.runs.resume();
    await second.until(ended);
    expect(outline((await snapshotOf(second.runs)).messages)).toEqual([
      'user: Hello',
      'assistant (partial): Half',
    ]);
    second.sent.length = 0;
    await send(second.runs, 'Again', 'r2');
    await second.until(ended);
    expect(outline(script.requests[1]?.messages ?? [])).toEqual([
      'user: Hello',
      'assistant (partial): Half',
      'user: Again',
    ]);
  });

  it('keeps whose words were in its request when its worker dies in the middle of it', async () => {
    const { model } = scriptedModel(saysThenHangs('Half'));
    const others = { instructedBy: [{ serverId: 1, name: 'Notes' }], notesFrom: ['tea.example'] };
    const { runs } = startWorker({
      model,
      prepare: async () => ({ ...prepared(model, [], others), missing: [], unfit: [] }),
    });
    await send(runs, 'Hello');
    await expect.poll(() => stored(db)).toEqual(['user: Hello', 'assistant (streaming): Half']);
    expect(await db.getAll('messages')).toContainEqual(
      expect.objectContaining({ content: 'Half', ...others }),
    );
  });

  it('keeps what was said when the model’s stream breaks in an unforeseen way', async () => {
    const { runs, until } = startWorker({
      model: scriptedModel(async function* broken() {
        yield { type: 'text', text: 'Half' };
        throw new Error('a bug');
      }).model,
    });
    await send(runs, 'Hello');
    await until(ended);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant (partial): Half']);
    expect(await db.get('runs', 'r1')).toMatchObject({ reason: 'error', error: { cause: 'Error: a bug' } });
  });

  it('leaves no empty answer behind when the model fails late, and a failing Retry keeps the partial one', async () => {
    const late = async function* fail() {
      await new Promise((resolve) => setTimeout(resolve, 700)); // longer than streamed text may wait for the disk
      yield failed('model_unreachable', 'Gone.');
    };
    const half = [{ type: 'text', text: 'Half' } as const, failed('model_incomplete', 'It broke off.')];
    const { runs, until, sent } = startWorker({ model: scriptedModel(late, half, late).model });
    await send(runs, 'Hello');
    await until(ended);
    expect(await stored(db)).toEqual(['user: Hello']);
    for (const [runId, expected] of [
      ['r2', 'assistant (partial): Half'],
      ['r3', 'assistant (partial): Half'],
    ] as const) {
      sent.length = 0;
      await runs.start({ conversationId: 'c1', runId });
      await until(ended);
      expect(await stored(db)).toEqual(['user: Hello', expected]);
    }
  });
});
