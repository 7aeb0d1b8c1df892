import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { beginRun, type RunStartRows } from '../../../lib/storage/chats/run-start.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { JournalEntry } from '../../../lib/storage/chats/journal.ts';
import type { Run } from '../../../lib/types/run.ts';
import type { Conversation } from '../../../lib/types/conversation.ts';
import { outline, userMessage } from '../../fakes/rows.ts';

let db: Database;

const at = new Date(0).toISOString();
const chat: Conversation = {
  id: 'c1',
  title: 'Chat',
  createdAt: at,
  updatedAt: at,
  leafId: 'm2',
  providerId: null,
  model: null,
  settings: {},
};
const run = { id: 'r1', conversationId: 'c1', status: 'working', leafId: 'm3', startedAt: at } as Run;
const message = userMessage('three', { id: 'm3', parentId: 'm2', seq: 2 });
const entry: JournalEntry = { conversation: { ...chat, leafId: 'm3' }, run, message };

async function put(leafId: string, ...turns: [id: string, parentId: string | null, seq: number][]) {
  await db.put('conversations', { ...chat, leafId });
  for (const [id, parentId, seq] of turns) await db.put('messages', userMessage(id, { id, parentId, seq }));
}

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
});

describe('what a run begins with', () => {
  it('is found, and what is made of it written, with the branch up to it', async () => {
    await put('m2', ['m1', null, 0], ['m2', 'm1', 1]);
    let seen: RunStartRows | undefined;
    const { history } = await beginRun(db, 'r1', 'c1', (found) => {
      seen = found;
      return entry;
    });
    expect(seen).toMatchObject({ known: undefined, before: { id: 'c1' }, leaf: { id: 'm2' } });
    expect(outline(history ?? [])).toEqual(['user: m1', 'user: m2']);
    expect(await db.get('messages', 'm3')).toEqual(message);
    expect(await db.get('runs', 'r1')).toEqual(run);
    expect((await db.get('conversations', 'c1'))?.leafId).toBe('m3');
  });

  it('is found where the conversation does not stand at its last message', async () => {
    await put('m1', ['m1', null, 0], ['m2', 'm1', 1]);
    const { leaf, history } = await beginRun(db, 'r1', 'c1', () => entry);
    expect([leaf?.id, outline(history ?? [])]).toEqual(['m1', ['user: m1']]);
  });

  it('is nothing in a chat that has not begun', async () => {
    expect(await beginRun(db, 'r1', 'c1', () => entry)).toEqual({ history: [] });
    expect(await db.get('messages', 'm3')).toEqual(message);
  });

  it('is told when nothing is made of it, and nothing is written', async () => {
    await put('m2', ['m1', null, 0], ['m2', 'm1', 1]);
    await db.put('runs', run);
    const { known, history } = await beginRun(db, 'r1', 'c1', () => undefined);
    expect([known, history]).toEqual([run, undefined]);
    expect(await db.get('messages', 'm3')).toBeUndefined();
  });

  it('is written before a long branch is read, which is left to the caller', async () => {
    await put('m2', ['m1', null, 0], ['m2', 'm1', 500]);
    const { leaf, history } = await beginRun(db, 'r1', 'c1', () => entry);
    expect([leaf?.id, history]).toEqual(['m2', undefined]);
    expect(await db.get('messages', 'm3')).toEqual(message);
  });

  it('is written where the branch is damaged', async () => {
    await put('m2', ['m2', 'gone', 1]);
    const { history } = await beginRun(db, 'r1', 'c1', () => entry);
    expect(outline(history ?? [])).toEqual(['user: m2']);
    expect(await db.get('messages', 'm3')).toEqual(message);
  });
});
