import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSearch } from '../../entrypoints/background/search.ts';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import { writeEntry } from '../../lib/storage/chats/journal.ts';
import { BACKFILL, FROM_THE_START } from '../../lib/storage/search/unindexed.ts';
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

  it('looks at what an earlier worker left, and at the chats from before there was a search', async () => {
    await db.put('settings', FROM_THE_START, BACKFILL);
    for (let number = 0; number < 50; number++)
      await db.put('messages', userMessage(`old ${number}`, { id: `m${number}` }));
    const { begin, goOn, alive } = start();
    begin();
    await vi.waitFor(async () => {
      goOn();
      expect(await db.get('settings', BACKFILL)).toBeUndefined();
    });
    expect([await db.count('texts'), alive.count]).toEqual([51, 1]);
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
