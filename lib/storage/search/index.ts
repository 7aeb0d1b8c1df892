import type { IDBPObjectStore, StoreNames } from 'idb';
import type { Message } from '../../types/message.ts';
import type { Conversation } from '../../types/conversation.ts';
import type { Database, Schema, SearchedText } from '../schema.ts';
import { distinctWords } from './words.ts';

type UnindexedStore = Pick<IDBPObjectStore<Schema, StoreNames<Schema>[], 'unindexed', 'readwrite'>, 'put'>;

/** Ids of a row of `unindexed`, and such rows of one step: a search that comes meanwhile waits for no more than these. */
const IDS = 10;
const BATCH = 20;

/**
 * Notes, inside the caller's transaction, that the search has to index rows again: what it finds gone it forgets, of a
 * conversation that is gone everything. So it misses nothing, whenever the worker dies.
 */
export async function noteChanged(
  unindexed: UnindexedStore,
  conversationId: string,
  ids: string[] = [conversationId],
): Promise<void> {
  await Promise.all(batchesOf(ids, IDS).map((part) => unindexed.put({ conversationId, ids: part })));
}

export function batchesOf<T>(all: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

/** Indexes the oldest changes. To be called until it returns false, and never twice at once. @returns whether there may be more */
export async function indexChanges(db: Database): Promise<boolean> {
  const { store } = db.transaction('unindexed');
  const [keys, changes] = await Promise.all([store.getAllKeys(null, BATCH), store.getAll(null, BATCH)]);
  const last = keys.at(-1);
  if (last === undefined) return false;
  const conversationOf = new Map(
    changes.flatMap(({ conversationId, ids }) => ids.map((id) => [id, conversationId])),
  );
  const rows = await Promise.all([...conversationOf].map(([id, owner]) => rowOf(db, id, owner)));
  await replaceTexts(db, rows);
  // Only now, so that a worker that died before does it again. What was noted meanwhile has a greater key.
  await db.delete('unindexed', IDBKeyRange.upperBound(last));
  return keys.length === BATCH;
}

/** Places that are passed over at once: numbers without a bound would end in one that is always taken. */
const LONGEST_STEP = 2 ** 20;

/** What is indexed under an id now, and the index that finds what was: of a conversation that is gone that is everything. */
type Changed = { id: string; index: 'by-id' | 'by-conversation'; row: SearchedText | undefined };

async function rowOf(db: Database, id: string, conversationId: string): Promise<Changed> {
  if (id !== conversationId) {
    const message = await db.get('messages', id);
    return { id, index: 'by-id', row: message && messageRow(message) };
  }
  const conversation = await db.get('conversations', id);
  return conversation
    ? { id, index: 'by-id', row: titleRow(conversation) }
    : { id, index: 'by-conversation', row: undefined };
}

/** Puts rows in the place of what was there. One without words takes no room. */
async function replaceTexts(db: Database, changed: Changed[]): Promise<void> {
  const { store, done } = db.transaction('texts', 'readwrite');
  const outdated = await Promise.all(changed.map(({ id, index }) => store.index(index).getAllKeys(id)));
  await Promise.all(outdated.flat().map((key) => store.delete(key)));
  for (const { row } of changed) {
    if (!row || row.words.length === 0) continue;
    const isTaken = async (after: number) => (await store.getKey(row.place + after)) !== undefined;
    let [taken, step] = [-1, 1];
    // In growing steps, and back in halves of them: an imported chat may have one time for all its messages.
    for (; await isTaken(taken + step); step = Math.min(2 * step, LONGEST_STEP)) taken += step;
    while ((step /= 2) >= 1) if (await isTaken(taken + step)) taken += step;
    void store.put({ ...row, place: row.place + (taken + 1) });
  }
  await done;
}

/** Places in `texts` of one millisecond; more texts of it take those of the next one. */
export const PER_MS = 1_024;

/** The first place of a time, the lower the newer. @param timestamp ISO 8601 */
export function placeOf(timestamp: string): number {
  return -PER_MS * (Date.parse(timestamp) || 0);
}

/** What is searched of a message: its text and attachments, or a tool's result; nothing while it streams. */
export function textOf(message: Message): string {
  if (message.status === 'streaming' || message.role === 'summary') return ''; // a summary repeats other messages
  if (message.role !== 'user') return message.content;
  const attached = (message.attachments ?? []).flatMap(({ title, text }) => [title, text]);
  return [message.content, ...attached].join('\n');
}

/** Its place is the first of its time, which may be taken. */
export function messageRow(message: Message): SearchedText {
  const { id, conversationId, timestamp, role } = message;
  const kind = role === 'tool' ? 'result' : 'message';
  return { id, place: placeOf(timestamp), conversationId, kind, words: distinctWords(textOf(message)) };
}

function titleRow({ id, title, updatedAt }: Conversation): SearchedText {
  const words = distinctWords(title);
  return { id, place: placeOf(updatedAt), conversationId: id, kind: 'title', words };
}
