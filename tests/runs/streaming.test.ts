import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/schema.ts';
import type { ModelEvent } from '../../lib/types/model.ts';
import { outline } from '../fakes/rows.ts';
import { aborted, ends, failed, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import {
  runEvent,
  send,
  startWorker as startWorkerOn,
  type Told,
  type WorkerOptions,
} from '../fakes/worker.ts';
import { ended, freshDatabase, snapshotOf } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

beforeEach(async () => {
  db = await freshDatabase();
});

const text = (piece: string): ModelEvent => ({ type: 'text', text: piece });
const appends = (sent: Told[]) => sent.flatMap((event) => (event.type === 'append' ? [event.update] : []));
const half = [text('Half'), failed('model_incomplete', 'It broke off.')];

describe('text that streams in', () => {
  it('is sent piece by piece, each at its offset in its own part of the answer', async () => {
    const call = (position: number, piece: string): ModelEvent => ({
      type: 'call',
      position,
      name: 'mcp__1__look',
      arguments: piece,
    });
    const reasoning = (piece: string): ModelEvent => ({ type: 'reasoning', text: piece });
    const { runs, until, sent } = startWorker({
      model: scriptedModel([
        reasoning('Let '),
        reasoning('me'),
        text('So '),
        text('far'),
        call(0, '{'),
        call(1, '{"a"'),
        call(0, '}'),
        call(1, ':1}'),
        failed('model_incomplete', 'It broke off.'),
      ]).model,
    });
    await send(runs, 'Hello');
    await until(ended);
    const part = (position: number) => ({ position, name: 'mcp__1__look' });
    expect(appends(sent).map((each) => [each.part, each.at, each.text])).toEqual([
      ['reasoning', 0, 'Let '],
      ['reasoning', 4, 'me'],
      ['text', 0, 'So '],
      ['text', 3, 'far'],
      [part(0), 0, '{'],
      [part(1), 0, '{"a"'],
      [part(0), 1, '}'],
      [part(1), 4, ':1}'],
    ]);
  });

  it('of a call is told as far as a snapshot holds it: what came later would fit none', async () => {
    const pieces = ['a'.repeat(150_000), 'b'.repeat(60_000), 'c'];
    const { runs, until, sent } = startWorker({
      model: scriptedModel([
        ...pieces.map((piece): ModelEvent => ({ type: 'call', position: 0, name: 'look', arguments: piece })),
        failed('model_incomplete', 'It broke off.'),
      ]).model,
    });
    await send(runs, 'Hello');
    await until(ended);
    expect(appends(sent).map(({ at, text: piece }) => [at, piece.length])).toEqual([
      [0, 150_000],
      [150_000, 60_000],
    ]);
  });

  it('is told of an answer whose row subscribers have already, and is no revision', async () => {
    const { runs, until, sent, shown } = startWorker({ model: scriptedModel(saysThenHangs('So far')).model });
    await send(runs, 'Hello');
    await until(runEvent('iteration_start'));
    const before = runs.revisionOf('c1');
    await until(runEvent('text_delta'));
    expect(runs.revisionOf('c1')).toBe(before);
    expect(appends(sent)[0]?.messageId).toBe(shown().messages.at(-1)?.id);
    await runs.stop({ conversationId: 'c1' });
  });

  it('is in the snapshot of a page that subscribes later, although nothing had subscribed', async () => {
    const { runs, until } = startWorker({
      model: scriptedModel(saysThenHangs('So far')).model,
      isSubscribed: false,
    });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    expect(outline((await snapshotOf(runs)).messages)).toEqual([
      'user: Hello',
      'assistant (streaming): So far',
    ]);
    await runs.stop({ conversationId: 'c1' });
  });

  it.each([true, false])(
    'while a snapshot is read is told with it; another page has subscribed: %s',
    async (isSubscribed) => {
      const reading = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const model = scriptedModel(async function* stream(_request, signal) {
        yield text('So ');
        await reading.promise;
        yield text('far');
        await aborted(signal);
        yield failed('cancelled', 'Stopped.');
      }).model;
      const { runs, until } = startWorker({
        model,
        isSubscribed,
        store: (store) => ({
          ...store,
          // The last that a snapshot reads: the answer that it has is the one of before.
          shownRuns: async (...asked) => {
            reading.resolve();
            await goOn.promise;
            return store.shownRuns(...asked);
          },
        }),
      });
      await send(runs, 'Hello');
      await until(runEvent('text_delta'));
      const snapshot = snapshotOf(runs);
      await until(
        (event) => event.type === 'run' && event.event.type === 'text_delta' && event.event.text === 'far',
      );
      goOn.resolve();
      expect((await snapshot).messages.at(-1)?.content).toBe('So far');
      await runs.stop({ conversationId: 'c1' });
    },
  );
});

describe('an answer that takes a broken one’s place', () => {
  it('is sent whole with its first piece, and piece by piece from there on', async () => {
    const pause = Promise.withResolvers<void>();
    const again = async function* stream() {
      await pause.promise;
      yield* [text('Whole'), text(' again'), ends({ content: 'Whole again' })];
    };
    const { runs, until, sent, shown } = startWorker({ model: scriptedModel(half, again).model });
    await send(runs, 'Hello');
    await until(ended);
    sent.length = 0;
    await runs.start({ conversationId: 'c1', runId: 'r2' });
    await until(runEvent('iteration_start'));
    expect(outline(shown().messages)).toEqual(['user: Hello', 'assistant (partial): Half']);
    pause.resolve();
    await until(ended);
    const told = sent.flatMap((event) => {
      if (event.type === 'append') return [`${event.update.at}: ${event.update.text}`];
      return event.type === 'message' ? outline([event.message]) : [];
    });
    expect(told.slice(-3)).toEqual(['assistant (streaming): Whole', '5:  again', 'assistant: Whole again']);
    expect(outline(shown().messages)).toEqual(['user: Hello', 'assistant: Whole again']);
  });
});

describe('the place of an answer that has not begun', () => {
  it('is shown while the model is asked, and removed when the run ends without a word', async () => {
    const pause = Promise.withResolvers<void>();
    const { runs, until, shown } = startWorker({
      model: scriptedModel(async function* fail() {
        await pause.promise;
        yield failed('model_unauthorized', 'The key is wrong.');
      }).model,
    });
    await send(runs, 'Hello');
    await until(runEvent('iteration_start'));
    expect(outline(shown().messages)).toEqual(['user: Hello', 'assistant (streaming): ']);
    pause.resolve();
    await until(ended);
    expect(outline(shown().messages)).toEqual(['user: Hello']);
  });

  it('is taken by what was said when the run is stopped', async () => {
    const { runs, until, shown } = startWorker({ model: scriptedModel(saysThenHangs('So far')).model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    await runs.stop({ conversationId: 'c1' });
    await until(ended);
    expect(outline(shown().messages)).toEqual(['user: Hello', 'assistant (partial): So far']);
  });
});
