import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSearch } from '../../entrypoints/background/chat/search.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { writeEntry } from '../../lib/storage/chats/journal.ts';
import { noteChanged } from '../../lib/storage/search/index.ts';
import { NOW, userMessage } from '../fakes/rows.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

let db: Database;

const chat = {
  id: 'c1',
  title: 'A chat',
  createdAt: new Date(NOW).toISOString(),
  updatedAt: new Date(NOW).toISOString(),
  leafId: null,
  providerId: null,
  model: null,
  settings: {},
};

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  await db.put('conversations', chat);
});

/** A search whose rests end when the test says so. */
function start() {
  const resting: (() => void)[] = [];
  const rests: number[] = [];
  const alive = { count: 0 };
  const search = createSearch(db, {
    wait: (ms) => {
      rests.push(ms);
      return new Promise((resolve) => void resting.push(resolve));
    },
    during: async (job) => {
      alive.count += 1;
      await job();
    },
  });
  const goOn = (): void => {
    for (const end of resting.splice(0)) end();
  };
  return { ...search, goOn, rests, alive };
}

const say = (id: string, content: string) => writeEntry(db, { message: userMessage(content, { id }) });

describe('the search of the worker', () => {
  it('finds what was written a moment ago, before there was a rest', async () => {
    const { search, changed } = start();
    await say('m1', 'remember the milk');
    changed();
    expect((await search({ text: 'milk' })).hits).toMatchObject([{ id: 'm1' }]);
  });

  it('waits for a rest before it looks at what is written', async () => {
    const { changed, goOn, rests } = start();
    await say('m1', 'remember the milk');
    changed();
    // So long it takes where there is no rest.
    const other = await openDatabase(crypto.randomUUID());
    await writeEntry(other, { message: userMessage('remember the milk', { id: 'm1' }) });
    createSearch(other, { wait: async () => {}, during: async () => {} }).changed();
    await vi.waitFor(async () => expect(await other.count('texts')).toBe(1));
    expect([rests, await db.count('texts')]).toEqual([[1000], 0]);
    goOn();
    await vi.waitFor(async () => expect(await db.count('texts')).toBe(1));
  });

  it.each([
    [10, 0],
    [650, 1],
  ])('indexes %i rows that an earlier worker left, and stays alive for many', async (count, times) => {
    const ids = Array.from({ length: count }, (_, at) => `m${at}`);
    for (const [at, id] of ids.entries())
      await db.put('messages', userMessage('old', { id, timestamp: new Date(NOW + at).toISOString() }));
    const { store, done } = db.transaction('unindexed', 'readwrite');
    await Promise.all([noteChanged(store, 'c1', ids), done]);
    const { begin, goOn, alive } = start();
    begin();
    const isDone = async () => {
      goOn();
      expect(await db.count('unindexed')).toBe(0);
    };
    await vi.waitFor(isDone, { interval: 1 });
    expect([await db.count('texts'), alive.count]).toEqual([count, times]);
  });

  it('does not make a search wait for more than a little', async () => {
    const { search } = start();
    for (let number = 0; number < 70; number++) await say(`m${number}`, 'word');
    expect((await search({ text: 'word' })).hits).toEqual([]);
  });

  it.each([
    [{ text: 5 }],
    [{ text: 'a', before: { at: 'x', id: 'y' } }],
    [{ text: 'a', before: { at: 'x' } }],
  ])('refuses what is no search: %o', async (request) => {
    await expect(start().search(request as never)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
