import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/schema.ts';
import { saveDraft } from '../../lib/storage/chats/journal.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import { NOW } from '../fakes/rows.ts';
import { calls, failed, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, send, startWorker as startWorkerOn, type WorkerOptions } from '../fakes/worker.ts';
import { ended, freshDatabase, snapshotOf, stored, unsent } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

/** Answers each message with its text; the first one when `pause` is over. */
function echoing(pause: Promise<void>): StreamModel {
  return async function* answer({ messages }) {
    await pause;
    yield* says(`To ${messages.at(-1)?.content}`);
  };
}

beforeEach(async () => {
  db = await freshDatabase();
});

describe('the queue', () => {
  it('leaves alone what is being typed when its next message begins', async () => {
    const pause = Promise.withResolvers<void>();
    const { runs, until } = startWorker({ model: echoing(pause.promise) });
    await send(runs, 'First');
    await send(runs, 'Second', 'r2');
    await db.put('drafts', 'Being typed', 'c1');
    pause.resolve();
    await until(runEvent('run_end', 'r2'));
    expect(await db.get('drafts', 'c1')).toBe('Being typed');
  });

  it('queues a second panel’s message and sends it when the live run has ended', async () => {
    const pause = Promise.withResolvers<void>();
    const script = scriptedModel(async function* busy() {
      await pause.promise;
      yield* says('First answer');
    }, says('Second answer'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'First');
    await until(runEvent('iteration_start'));
    await send(runs, 'Second', 'r2');
    expect((await snapshotOf(runs)).runs.map(({ id, status }) => [id, status])).toEqual([
      ['r1', 'working'],
      ['r2', 'queued'],
    ]);
    pause.resolve();
    await until(runEvent('run_end', 'r2'));
    expect(sent.filter(runEvent('run_end'))).toHaveLength(2);
    expect((await stored(db)).slice(2)).toEqual(['user: Second', 'assistant: Second answer']);
  });

  it('takes back what was queued when it is stopped: nothing is sent, nothing is lost', async () => {
    const script = scriptedModel(saysThenHangs('Busy'), says('Never asked for'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'First');
    await until(runEvent('text_delta'));
    await send(runs, 'Second', 'r2');
    await send(runs, 'Third', 'r3');
    await runs.stop({ conversationId: 'c1' });
    expect(unsent(sent)).toEqual(['Second', 'Third']);
    expect(await snapshotOf(runs)).toMatchObject({
      draft: 'Second\nThird',
      runs: [{ id: 'r1', status: 'ended' }],
    });
    expect(script.requests).toHaveLength(1);
  });

  it('leaves in the draft what was taken back, though the page that sent it clears the draft', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
    await send(runs, 'First');
    await until(runEvent('text_delta'));
    await send(runs, 'Second', 'r2');
    await runs.stop({ conversationId: 'c1' });
    const sent = { runId: 'r2', text: 'Second' };
    await saveDraft(db, { conversationId: 'c1', text: '', sent });
    expect((await snapshotOf(runs)).draft).toBe('Second');
    await saveDraft(db, { conversationId: 'c1', text: 'Second, then', sent });
    expect((await snapshotOf(runs)).draft).toBe('Second, then');
  });

  it.each([[{}], [{ attachments: [] }]])(
    'removes, when a page sends, no draft that the page did not know: %o',
    async (more) => {
      const { runs } = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
      const ask = async (runId: string, draft?: string) => {
        await db.put('drafts', 'Half a thought', 'c1');
        const message = { id: `${runId}-m`, text: runId, ...more };
        await runs.start({ conversationId: 'c1', runId, message, ...(draft !== undefined && { draft }) });
        return db.get('drafts', 'c1');
      };
      await ask('first');
      expect(await ask('queued')).toBe('Half a thought');
      expect(await ask('also queued', 'Half a thought')).toBeUndefined();
      await runs.stop({ conversationId: 'c1' });
      expect(await ask('begun')).toBe('Half a thought');
      await runs.stop({ conversationId: 'c1' });
      expect(await ask('also begun', 'Half a thought')).toBeUndefined();
      await runs.stop({ conversationId: 'c1' });
    },
  );

  it.each([
    ['Hel', ''],
    ['Hello', ''],
    ['Known', ''],
    ['Hello, and what another window left', 'Hello, and what another window left'],
    ['Something else', 'Something else'],
  ])('once a message is sent, of the draft only that is removed: %s', async (saved, left) => {
    await saveDraft(db, { conversationId: 'c1', text: saved });
    await saveDraft(db, {
      conversationId: 'c1',
      text: '',
      sent: { runId: 'r1', text: 'Hello', draft: 'Known' },
    });
    expect((await db.get('drafts', 'c1')) ?? '').toBe(left);
  });

  it.each([
    ['', 'Hello'],
    ['Hel', 'Hello'],
    ['Hello', 'Hello'],
    ['Hello and more', 'Hello and more'],
    ['Something else', 'Hello\nSomething else'],
  ])('what was not sent after all goes before what the draft holds: %s', async (saved, whole) => {
    await saveDraft(db, { conversationId: 'c1', text: saved });
    await saveDraft(db, { conversationId: 'c1', text: 'Hello', returned: true });
    expect(await db.get('drafts', 'c1')).toBe(whole);
  });

  it('leaves the draft of another window when a message is nothing but what is attached', async () => {
    await saveDraft(db, { conversationId: 'c1', text: 'Half a thought' });
    await saveDraft(db, { conversationId: 'c1', text: '', sent: { runId: 'r1', text: '' } });
    expect(await db.get('drafts', 'c1')).toBe('Half a thought');
  });

  it.each(['queue', 'stop'] as const)(
    'has a text in the draft or in the queue, not in both, while a snapshot is read: %s',
    async (change) => {
      const reading = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const { runs, until } = startWorker({
        model: scriptedModel(saysThenHangs('Busy')).model,
        store: (store) => ({
          ...store,
          shownRuns: async (...asked) => {
            const shown = await store.shownRuns(...asked);
            reading.resolve();
            await goOn.promise;
            return shown;
          },
        }),
      });
      await send(runs, 'First');
      await until(runEvent('text_delta'));
      if (change === 'stop') await send(runs, 'Second', 'r2');
      else await saveDraft(db, { conversationId: 'c1', text: 'Second' });
      const told = Promise.withResolvers<Parameters<Parameters<typeof runs.snapshot>[1]>[0]>();
      void runs.snapshot('c1', told.resolve);
      await reading.promise;
      await (change === 'stop' ? runs.stop({ conversationId: 'c1' }) : send(runs, 'Second', 'r2'));
      goOn.resolve();
      const { snapshot, since } = await told.promise;
      const queued = [...snapshot.runs, ...since.flatMap(({ rows }) => rows.runs ?? [])].filter(
        (run) => run.queued,
      );
      expect([snapshot.draft, ...queued.map(({ status }) => status)]).toEqual(
        change === 'stop' ? ['Second', 'ended'] : ['', 'queued'],
      );
      await runs.stop({ conversationId: 'c1' });
    },
  );

  it.each(['queue', 'now'] as const)(
    'sends a message that comes while a stopped run is still ending: %s',
    async (when) => {
      const pause = Promise.withResolvers<void>();
      const script = scriptedModel(async function* slow() {
        yield { type: 'text', text: 'Busy' };
        await pause.promise;
        yield failed('cancelled', 'Stopped.');
      }, says('Second answer'));
      const { runs, until, sent } = startWorker({ model: script.model });
      await send(runs, 'First');
      await until(runEvent('text_delta'));
      const stopped = runs.stop({ conversationId: 'c1' });
      const second = send(runs, 'Second', 'r2', when);
      await until((event) => event.type === 'run_changed' && event.run.id === 'r2');
      pause.resolve();
      await Promise.all([stopped, second]);
      await until(runEvent('run_end', 'r2'));
      expect((await stored(db)).slice(2)).toEqual(['user: Second', 'assistant: Second answer']);
      expect(unsent(sent)).toEqual([]);
    },
  );

  it('sends what was queued when nothing is live any more', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
    await send(first.runs, 'First');
    await first.until(runEvent('text_delta'));
    await send(first.runs, 'Second', 'r2');
    const run = await db.get('runs', 'r1');
    if (run) await db.put('runs', { ...run, status: 'ended', reason: 'cancelled' });

    const second = startWorker({ model: scriptedModel(says('Answer')).model });
    await second.runs.resume();
    await second.until(ended);
    expect((await stored(db)).at(-1)).toBe('assistant: Answer');
  });

  it('goes by its order: a message moves past its neighbour, and one that is removed leaves no trace', async () => {
    const pause = Promise.withResolvers<void>();
    let now = NOW;
    const { runs, until } = startWorker({ model: echoing(pause.promise), now: () => (now += 1000) });
    for (const id of ['a', 'b', 'c', 'd']) await send(runs, id, id);
    await runs.moveQueued({ runId: 'c', by: -1 });
    await runs.moveQueued({ runId: 'c', by: -1 }); // it is the first already
    expect(await runs.removeQueued({ runId: 'd' })).toBe(true);
    expect(await runs.removeQueued({ runId: 'a' })).toBe(false);
    expect((await snapshotOf(runs)).runs.map(({ id, queued }) => [id, queued?.text])).toEqual([
      ['a', undefined],
      ['c', 'c'],
      ['b', 'b'],
    ]);
    pause.resolve();
    await until(runEvent('run_end', 'b'));
    expect(await stored(db)).toEqual([
      'user: a',
      'assistant: To a',
      'user: c',
      'assistant: To c',
      'user: b',
      'assistant: To b',
    ]);
    expect((await snapshotOf(runs)).runs.map(({ id }) => id)).toEqual(['a', 'c', 'b']);
  });

  it('gives way to a message for which the live run is stopped, and goes on after it', async () => {
    const script = scriptedModel(saysThenHangs('Half'), says('To now'), says('To queued'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'first', 'a');
    await until(runEvent('text_delta'));
    await send(runs, 'queued', 'b');
    expect(await send(runs, 'now', 'c', 'now')).toBe('started');
    await until(runEvent('run_end', 'b'));
    expect(await stored(db)).toEqual([
      'user: first',
      'assistant (partial): Half',
      'user: now',
      'assistant: To now',
      'user: queued',
      'assistant: To queued',
    ]);
    expect(await db.get('runs', 'a')).toMatchObject({ reason: 'cancelled' });
    expect(await send(runs, 'now', 'c', 'now')).toBe('started'); // the same ids again change nothing
    expect(script.requests).toHaveLength(3);
  });

  it.each([
    ['an error', failed('model_unauthorized', 'The key is wrong.'), 10, 'error'],
    ['the limit', undefined, 1, 'limit'],
  ] as const)('goes back into the composer after %s', async (_what, failure, maxIterations, reason) => {
    const pause = Promise.withResolvers<void>();
    const script = scriptedModel(async function* slow() {
      await pause.promise;
      yield* failure ? [failure] : calls(['mcp__1__note', {}]);
    });
    const { runs, until, sent } = startWorker({ model: script.model, maxIterations });
    await send(runs, 'First');
    await until(runEvent('iteration_start'));
    await send(runs, 'Second', 'r2');
    await send(runs, 'Third', 'r3', 'steer');
    pause.resolve();
    await until((event) => event.type === 'run_changed' && event.run.unsent === true);
    expect(unsent(sent)).toEqual(['Second', 'Third']);
    expect(script.requests).toHaveLength(1);
    expect(await snapshotOf(runs)).toMatchObject({
      draft: 'Second\nThird',
      runs: [{ id: 'r1', status: 'ended', reason }],
    });
  });

  it('goes back into the composer when the run before it is given up', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
    await send(first.runs, 'First');
    await first.until(runEvent('text_delta'));
    await send(first.runs, 'Second', 'r2');
    const script = scriptedModel(says('Never asked for'));
    const later = startWorker({ model: script.model, now: () => NOW + 11 * 60_000 });
    await later.runs.resume();
    expect(await snapshotOf(later.runs)).toMatchObject({
      draft: 'Second',
      runs: [{ id: 'r1', reason: 'interrupted' }],
    });
    expect(script.requests).toHaveLength(0);
  });

  it('goes back into the composer by the next worker when the one that saw the failure died before', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
    await send(first.runs, 'First');
    await first.until(runEvent('text_delta'));
    await send(first.runs, 'Second', 'r2');
    const run = await db.get('runs', 'r1');
    if (run) await db.put('runs', { ...run, status: 'ended', reason: 'error' });
    const script = scriptedModel(says('Never asked for'));
    const later = startWorker({ model: script.model });
    await later.runs.resume();
    expect((await snapshotOf(later.runs)).draft).toBe('Second');
    expect(script.requests).toHaveLength(0);
  });

  it('sends the message for which a run is stopped even when that run fails meanwhile', async () => {
    const pause = Promise.withResolvers<void>();
    const script = scriptedModel(async function* slow() {
      yield { type: 'text', text: 'Busy' };
      await pause.promise;
      yield failed('model_unauthorized', 'The key is wrong.');
    }, says('Second answer'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'First');
    await until(runEvent('text_delta'));
    const second = send(runs, 'Second', 'r2', 'now');
    pause.resolve();
    await second;
    await until(runEvent('run_end', 'r2'));
    expect((await stored(db)).slice(2)).toEqual(['user: Second', 'assistant: Second answer']);
  });
});
