import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listConversations, newestConversation } from '../../../lib/storage/chats/conversations.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import { repairDamaged } from '../../../lib/storage/damaged.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { Conversation } from '../../../lib/types/conversation.ts';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
});

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 1) + minute * 60_000).toISOString();

/** `c7` was used last in minute 7. */
async function put(count: number, fields: (index: number) => Partial<Conversation> = () => ({})) {
  const tx = db.transaction('conversations', 'readwrite');
  for (let index = 0; index < count; index += 1) {
    void tx.store.put({
      providerId: null,
      model: null,
      settings: {},
      id: `c${index}`,
      title: `Chat ${index}`,
      createdAt: at(index),
      updatedAt: at(index),
      leafId: null,
      ...fields(index),
    });
  }
  await tx.done;
}

const idle = () => undefined;
async function list(request: Parameters<typeof listConversations>[1] = {}) {
  const { conversations, ...rest } = await listConversations(db, request, idle);
  return {
    ids: conversations.map(({ id }) => id),
    ...rest,
    last: conversations.at(-1)?.updatedAt ?? '',
  };
}
const from = (highest: number, lowest: number): string[] =>
  Array.from({ length: highest - lowest + 1 }, (_, index) => `c${highest - index}`);

describe('the list of chats', () => {
  it('comes newest first, 50 at a time, with how many there are', async () => {
    await put(120);
    const first = await list();
    expect(first).toMatchObject({ ids: from(119, 70), hasMore: true, count: 120 });
    const second = await list({ before: first.last });
    expect(second).toMatchObject({ ids: from(69, 20), hasMore: true, count: 120 });
    expect(await list({ before: second.last })).toMatchObject({ ids: from(19, 0), hasMore: false });
  });

  it.each([
    ['settings', undefined],
    ['updatedAt', 'x'],
    ['updatedAt', NaN],
  ])('goes without one that is damaged, and says so: %s %s', async (part, value) => {
    await put(3, (index) => (index === 1 ? { [part]: value } : {}));
    expect(await list()).toMatchObject({ ids: ['c2', 'c0'], hasMore: false, damaged: true });
    await repairDamaged(db, at(9));
    const { ids, ...rest } = await list();
    expect(ids.toSorted()).toEqual(from(2, 0).toReversed());
    expect(rest).toEqual({ hasMore: false, count: 3, last: at(0) });
  });

  it('has all pinned ones first, with the first page only', async () => {
    await put(60, (index) => (index % 20 === 0 ? { pinnedAt: at(1000 - index) } : {}));
    const first = await list();
    expect(first.ids.slice(0, 4)).toEqual(['c40', 'c20', 'c0', 'c59']);
    expect(first).toMatchObject({ hasMore: true, count: 60 });
    expect(first.ids).toHaveLength(53);
    expect((await list({ before: first.last })).ids).toEqual(from(7, 1));
  });

  it('has the newest of each project with the first page, and those of one that is gone in their turn', async () => {
    await db.put('projects', { key: 'k', name: 'Boats', instructions: '', files: [] } as never);
    const of = (index: number) => ({ project: index < 3 ? 'k' : index < 5 ? 'gone' : null });
    await put(60, (index) => ({ ...of(index), ...(index === 1 && { archivedAt: at(99) }) }));
    const first = await list();
    expect(first.ids).toEqual(['c2', 'c0', ...from(59, 10)]);
    expect(first).toMatchObject({ hasMore: true, count: 59 });
    expect((await list({ before: first.last })).ids).toEqual(from(9, 3));
  });

  it('has archived ones apart, and deleted ones not at all', async () => {
    await put(10, (index) => {
      if (index === 9) return { deletedAt: at(100), archivedAt: at(50), pinnedAt: at(50) };
      return index >= 6 ? { archivedAt: at(50 + index), ...(index === 7 && { pinnedAt: at(60) }) } : {};
    });
    expect(await list()).toMatchObject({ ids: from(5, 0), hasMore: false, count: 6 });
    expect(await list({ archived: true })).toMatchObject({
      ids: ['c8', 'c7', 'c6'],
      hasMore: false,
      count: 3,
    });
    expect((await newestConversation(db))?.id).toBe('c5');
  });

  it('misses none of those that changed in the same moment', async () => {
    await put(70, (index) => ({ updatedAt: at(index < 40 ? 0 : index) }));
    const first = await list();
    expect(first).toMatchObject({ hasMore: false, count: 70 });
    expect(new Set(first.ids).size).toBe(70);
  });

  it('says what goes on in a chat, and what failed', async () => {
    await put(3, (index) => (index === 0 ? { failed: true } : {}));
    const { conversations } = await listConversations(db, {}, (id) => (id === 'c2' ? 'running' : undefined));
    expect(conversations.map(({ state }) => state)).toEqual(['running', undefined, 'failed']);
  });

  it('reads no more chats than it shows, however many there are', async () => {
    await put(2000, (index) => (index >= 1000 ? { archivedAt: at(5000) } : {}));
    const get = vi.spyOn(IDBObjectStore.prototype, 'get');
    const getAll = vi.spyOn(IDBIndex.prototype, 'getAll');
    const openCursor = vi.spyOn(IDBIndex.prototype, 'openCursor');
    expect((await list()).ids).toEqual(from(999, 950));
    expect(get.mock.calls.length).toBeLessThanOrEqual(51);
    expect([getAll, openCursor].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    vi.restoreAllMocks();
  });
});

it('has no system prompts in its rows: forty of 2 MB would not fit into a message', async () => {
  await put(1, () => ({ settings: { system: 'Be brief.', temperature: 1 } }));
  const { conversations } = await listConversations(db, {}, idle);
  expect(conversations).toMatchObject([{ settings: { temperature: 1 } }]);
  expect(conversations[0]?.settings).not.toHaveProperty('system');
});

it('has a bounded number in front, whatever a file pins; the others come in their turn', async () => {
  await put(1_100, (index) => ({ pinnedAt: at(index) }));
  const first = await listConversations(db, {}, idle);
  const before = first.conversations.at(-1)!.updatedAt;
  const rest = await listConversations(db, { before }, idle);
  expect(first.conversations.length).toBe(1_050);
  const ids = [...first.conversations, ...rest.conversations].map(({ id }) => id);
  expect(new Set(ids).size).toBe(1_100);
});
