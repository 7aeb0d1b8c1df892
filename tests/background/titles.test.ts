import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTitles, type TitlesDeps } from '../../entrypoints/background/chat/titles.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import { calls, failed, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, send, startWorker } from '../fakes/worker.ts';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
});

type Options = { chat: StreamModel; titles: StreamModel; isLocal?: boolean; modelOf?: TitlesDeps['modelOf'] };

/** A worker whose chats are answered by the one model and named by the other. */
function start({ chat, titles: model, isLocal = false, modelOf }: Options) {
  /** Settled when each title's work is over. */
  const jobs: Promise<void>[] = [];
  const worker = startWorker({ db, model: chat, answered: (conversation) => titles.answered(conversation) });
  const titles = createTitles(db, {
    runs: worker.runs,
    modelOf: modelOf ?? (async () => ({ model, reasons: false, isLocal, price: { input: 1, output: 2 } })),
    during: (job) => {
      const done = job();
      jobs.push(done.catch(() => undefined));
      return done;
    },
  });
  /** Asks, and waits until whatever follows the answer is over. */
  const ask = async (text: string, runId = 'r1') => {
    await send(worker.runs, text, runId);
    await worker.until(runEvent('run_end', runId));
    await worker.runs.stop({ conversationId: 'c1' });
    await Promise.all(jobs);
  };
  return { ...worker, ask, jobs };
}

const conversation = () => db.get('conversations', 'c1');
const named = (text = 'Baking bread') =>
  scriptedModel(says(text, { usage: { inputTokens: 100, outputTokens: 5 } }));

describe('the title of a chat', () => {
  it('is asked of its model once its first answer stands, and every page gets it', async () => {
    const titles = named();
    const chat = scriptedModel(calls(['mcp__1__look', {}]), says('Mix and wait.'), says('You are welcome.'));
    const { ask, sent } = start({ chat: chat.model, titles: titles.model });
    await ask('How do I bake bread?');
    expect(await conversation()).toMatchObject({
      title: 'Baking bread',
      titledBy: 'model',
      usage: { inputTokens: 100, outputTokens: 5, cost: 0.00011 },
    });
    expect(sent).toContainEqual({ type: 'conversation', conversation: await conversation() });
    expect(titles.requests).toHaveLength(1);
    expect(titles.requests[0]?.messages[0]?.content).toMatch(/How do I bake bread\?[^]*Mix and wait\./);
    await ask('Thanks', 'r2');
    expect(titles.requests).toHaveLength(1);
  });

  it.each([
    ['the model fails', [failed('model_unreachable', 'Gone.')]],
    ['it writes nothing', says('')],
    ['it answers instead', says('Mix flour and water, then wait for an hour. '.repeat(4))],
    ['it is cut off', says('Baking', { finish: 'length' })],
  ])('stays the beginning of the first message when %s, and is not asked for again', async (_why, turn) => {
    const titles = scriptedModel(turn, says('Second try'));
    const chat = scriptedModel(says('Mix.'), says('Wait.'));
    const { ask } = start({ chat: chat.model, titles: titles.model });
    await ask('How do I bake bread?');
    await ask('And then?', 'r2');
    expect(await conversation()).toMatchObject({ title: 'How do I bake bread?' });
    expect((await conversation())?.titledBy).toBeUndefined();
    expect(titles.requests).toHaveLength(1);
  });

  it('is not touched when the user wrote one meanwhile; what it cost is counted', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const titles: StreamModel = async function* () {
      asked.resolve();
      await answer.promise;
      yield* says('Baking bread', { usage: { inputTokens: 10, outputTokens: 1 } });
    };
    const { runs, jobs } = start({ chat: scriptedModel(says('Mix.')).model, titles });
    await send(runs, 'How do I bake bread?');
    await asked.promise;
    await runs.chats.set({ id: 'c1', title: 'Mine' });
    answer.resolve();
    await Promise.all(jobs);
    expect(await conversation()).toMatchObject({
      title: 'Mine',
      titledBy: 'person',
      usage: { inputTokens: 10 },
    });
  });

  it('is not asked for when the user switched that off, or there is no whole answer', async () => {
    const titles = named();
    const chat = scriptedModel([failed('model_refused', 'No.')], says('Mix.'));
    const { ask } = start({ chat: chat.model, titles: titles.model });
    await ask('How do I bake bread?');
    await saveSettings(db, { makeTitles: false });
    await ask('Please', 'r2');
    expect(titles.requests).toHaveLength(0);
  });

  it('is not asked of a local model while it answers in another chat', async () => {
    const titles = named();
    const chat = scriptedModel(saysThenHangs('Busy'), says('Mix.'), says('Wait.'));
    const { ask, runs, until } = start({ chat: chat.model, titles: titles.model, isLocal: true });
    const message = { id: 'm0', text: 'Other' };
    await runs.start({ conversationId: 'c2', runId: 'r0', message });
    await until(runEvent('text_delta', 'r0'));
    await ask('How do I bake bread?');
    expect(titles.requests).toHaveLength(0);
    await runs.stop({ conversationId: 'c2' });
    await ask('And then?', 'r2');
    expect(await conversation()).toMatchObject({ title: 'Baking bread' });
  });

  it('never breaks a run: a provider that is gone is only noted', async () => {
    const modelOf = () => Promise.reject(new Error('No provider.'));
    const chat = scriptedModel(says('Mix.'), says('Wait.'));
    const { ask, sent } = start({ chat: chat.model, titles: named().model, modelOf });
    await ask('How do I bake bread?');
    await ask('And then?', 'r2');
    expect(sent.filter(runEvent('run_end'))).toMatchObject([
      { event: { reason: 'done' } },
      { event: { reason: 'done' } },
    ]);
  });
});
