import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadBranch, loadHistory } from '../../../lib/storage/chats/messages.ts';
import { purgeDeleted } from '../../../lib/storage/chats/purge.ts';
import { loadSubtree, loadVersions, newestLeaf } from '../../../lib/storage/chats/message-versions.ts';
import type { Message } from '../../../lib/types/message.ts';
import { NOW, outline, userMessage } from '../../fakes/rows.ts';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
});

const at = (minute: number): string => new Date(NOW + minute * 60_000).toISOString();

async function put(...messages: Message[]): Promise<void> {
  const tx = db.transaction('messages', 'readwrite');
  await Promise.all([...messages.map((message) => tx.store.put(message)), tx.done]);
}

/** A message named by its id, its place and its time. */
function row(
  role: 'user' | 'assistant' | 'summary',
  id: string,
  parentId: string | null,
  seq: number,
  fields: object = {},
): Message {
  const base = { ...userMessage(id), id, parentId, seq, timestamp: at(seq), runId: 'r1', ...fields };
  return role === 'summary'
    ? ({ keepsFrom: null, ...base, role } as Message)
    : ({ ...base, role } as Message);
}
const result = (parentId: string, seq: number): Message => ({
  ...userMessage(`${parentId}.0.result`),
  role: 'tool',
  id: `${parentId}.0.result`,
  parentId,
  seq,
  sub: 1,
  tool_call_id: 'c',
  name: 'n',
});
const message = async (id: string): Promise<Message> => {
  const found = await db.get('messages', id);
  if (!found) throw new Error(`No message ${id}.`);
  return found;
};
const versions = async (...ids: string[]) => loadVersions(db, await Promise.all(ids.map(message)));

/** u1 - a1 (result) - a1b - u2, u2x; u1 - a2; a root of its own, v1. */
const tree = [
  row('user', 'u1', null, 0),
  row('user', 'v1', null, 0, { timestamp: at(50) }),
  row('assistant', 'a1', 'u1', 1),
  result('a1', 1),
  row('assistant', 'a2', 'u1', 1, { timestamp: at(60) }),
  row('assistant', 'a1b', 'a1', 2),
  row('user', 'u2', 'a1b', 3),
  row('user', 'u2x', 'a1b', 3, { timestamp: at(40) }),
  row('assistant', 'end', 'u2', 4),
];

describe('the versions of messages', () => {
  it('are the user’s and the model’s at one place, oldest first; one alone is none', async () => {
    await put(...tree);
    expect(await versions('u1', 'a1', 'a1.0.result', 'a1b', 'u2', 'end')).toMatchObject({
      u1: ['u1', 'v1'],
      a1: ['a1', 'a2'],
      u2: ['u2', 'u2x'],
    });
    expect((await versions('u1', 'a1', 'a1b', 'u2', 'end'))['a1b']).toBeUndefined();
    expect(await versions('end')).toEqual({});
    expect(await loadVersions(db, [])).toEqual({});
  });

  it('are without deleted ones', async () => {
    await put(...tree);
    await put({ ...(await message('u2x')), deletedAt: at(70) });
    expect(await versions('a1b', 'u2', 'end')).toEqual({});
  });

  it('cost a chat without any the keys of what is shown, and no row', async () => {
    await put(row('user', 'u1', null, 0), row('assistant', 'a1', 'u1', 1), result('a1', 1));
    const shown = await Promise.all(['u1', 'a1', 'a1.0.result'].map(message));
    const get = vi.spyOn(IDBObjectStore.prototype, 'get');
    expect(await loadVersions(db, shown)).toEqual({});
    expect(get).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

describe('what follows a message', () => {
  it('is all of it on every branch, and ends with what was written last', async () => {
    await put(...tree);
    expect(outline(await loadSubtree(db, await message('a1')))).toEqual(
      ['a1', 'a1.0.result', 'a1b', 'u2', 'u2x', 'end'].map((id) => expect.stringContaining(id)),
    );
    expect((await newestLeaf(db, await message('u1'))).id).toBe('a2');
    expect((await newestLeaf(db, await message('a1'))).id).toBe('u2x');
    expect((await newestLeaf(db, await message('end'))).id).toBe('end');
  });

  it('is nothing of what was deleted', async () => {
    await put(...tree);
    await put(
      { ...(await message('u2x')), deletedAt: at(70) },
      { ...(await message('a2')), deletedAt: at(70) },
    );
    expect((await newestLeaf(db, await message('u1'))).id).toBe('end');
  });
});

describe('a long chat', () => {
  /** @returns its last message */
  async function putLong(turns: number): Promise<string> {
    await put(
      ...Array.from({ length: turns }, (_, seq) =>
        row(seq % 2 === 0 ? 'user' : 'assistant', `m${seq}`, seq === 0 ? null : `m${seq - 1}`, seq),
      ),
    );
    return `m${turns - 1}`;
  }

  it('opens to its last messages by reading no others', async () => {
    const leafId = await putLong(1000);
    const getAll = vi.spyOn(IDBIndex.prototype, 'getAll');
    const { messages, hasOlder } = await loadBranch(db, leafId, 50);
    expect([messages.length, messages[0]?.id, hasOlder]).toEqual([50, 'm950', true]);
    const ranges = getAll.mock.calls.map(([range]) => range as IDBKeyRange);
    expect(ranges.map(({ lower }) => lower)).toEqual([['c1', 949]]);
    vi.restoreAllMocks();
    const last = await loadBranch(db, 'm49', 50);
    expect([last.messages.length, last.hasOlder]).toEqual([50, false]);
  });

  it('comes to an end whatever its rows say', async () => {
    await put(
      row('user', 'a', 'c', 0),
      row('assistant', 'b', 'a', 1),
      row('user', 'far', 'b', 1_000_000),
      row('user', 'c', 'c', 3),
    );
    const ids = async (leafId: string) => (await loadHistory(db, leafId)).map(({ id }) => id);
    expect(await ids('far')).toEqual(['a', 'b', 'far']);
    expect(await ids('c')).toEqual(['c']);
  });

  it('is read for a run from where its last summary begins', async () => {
    await putLong(1300);
    expect(await loadHistory(db, 'm1299')).toHaveLength(1300);
    await put(
      row('summary', 's1', 'm1299', 1300, { keepsFrom: 'm1250' }),
      row('user', 'next', 's1', 1301),
      row('summary', 's2', 'm1299', 1300, { keepsFrom: null }),
      row('user', 'other', 's2', 1301),
    );
    const kept = (await loadHistory(db, 'next')).map(({ id }) => id);
    expect([kept[0], kept.length, ...kept.slice(-3)]).toEqual(['m1250', 52, 'm1299', 's1', 'next']);
    expect((await loadHistory(db, 'other')).map(({ id }) => id)).toEqual(['s2', 'other']);
    expect(await loadHistory(db, null)).toEqual([]);
  });
});

describe('what was deleted', () => {
  it('goes for good once it can’t be had back any more, with all that belongs to it', async () => {
    await put(...tree);
    await put(
      { ...(await message('a1')), deletedAt: at(10) },
      { ...(await message('v1')), deletedAt: at(30) },
    );
    const call = (callId: string, messageId: string, conversationId: string) =>
      db.put('toolCalls', { callId, messageId, position: 0, conversationId, createdAt: '' } as never);
    await call('a1.0', 'a1', 'c1');
    await call('a2.0', 'a2', 'c1');
    await call('x.0', 'x', 'gone');
    const chat = (id: string, deletedAt?: string) =>
      db.put('conversations', { id, updatedAt: '', ...(deletedAt && { deletedAt }) } as never);
    await Promise.all([chat('c1'), chat('gone', at(5)), chat('later', at(25))]);
    await put({ ...userMessage('x'), id: 'x', conversationId: 'gone' });
    await put({ ...userMessage('y'), id: 'y', conversationId: 'later' });
    await db.put('drafts', 'Half', 'gone');
    await db.put('runs', { id: 'r1', conversationId: 'gone', startedAt: at(0), status: 'ended' } as never);
    await db.put('grants', { conversationId: 'gone', serverId: 1, toolName: 't' } as never);
    await db.put('attachments', { id: 'f', conversationId: 'gone' } as never);

    expect(await purgeDeleted(db, at(20))).toBe(true);
    expect((await db.getAllKeys('messages')).toSorted()).toEqual(['a2', 'u1', 'v1', 'y']);
    expect(await db.getAllKeys('toolCalls')).toEqual(['a2.0']);
    expect(await db.getAllKeys('conversations')).toEqual(['c1', 'later']);
    for (const store of ['drafts', 'runs', 'grants', 'attachments'] as const)
      expect(await db.count(store)).toBe(0);
    expect(await db.getAll('unindexed')).toEqual([
      { conversationId: 'gone', ids: ['gone'] },
      { conversationId: 'c1', ids: ['a1', 'a1.0.result', 'a1b', 'u2', 'u2x', 'end'] },
    ]);
    expect(await purgeDeleted(db, at(40))).toBe(false);
    expect(await db.getAllKeys('conversations')).toEqual(['c1']);
  });
});
