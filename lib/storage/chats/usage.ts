import type { StorageUsed } from '../../protocol/data.ts';
import type { Message } from '../../types/message.ts';
import type { Database, Schema } from '../schema.ts';

/** Rows that are looked at of a store, from each part of it; a store with no more than all of these is read whole. */
const ROWS = 10;
/** Ids are random, and so it is by chance what begins with one of these. */
const PARTS = [...'0123456789abcdef'];

type Sized = 'conversations' | 'messages' | 'runs' | 'toolCalls' | 'attachments' | 'files' | 'texts';

/**
 * About how many bytes chats, results and attachments take. Only some rows of each store are read, one at a time.
 * @param old ISO 8601: results of calls before then are old
 */
export async function readUsage(db: Database, old: string): Promise<Omit<StorageUsed, 'total' | 'quota'>> {
  const [conversations = 0] = await shares(db, 'conversations', [sizeOf]);
  const [runs = 0] = await shares(db, 'runs', [sizeOf]);
  // Once in the row, and each word with its place in the index.
  const [texts = 0] = await shares(db, 'texts', [({ words }) => 3 * sizeOf(words)]);
  const [messages = 0, attached = 0] = await shares(db, 'messages', [
    (row) => sizeOf(row) - sizeOfAttached(row),
    sizeOfAttached,
  ]);
  const [drafts = 0] = await shares(db, 'attachments', [sizeOf]);
  const [files = 0] = await shares(db, 'files', [({ size }) => size]);
  const [results = 0, oldResults = 0] = await shares(db, 'toolCalls', [
    sizeOf,
    ({ result, createdAt }) => (createdAt < old && result?.dropped === undefined ? sizeOf(result) : 0),
  ]);
  const [all, deleted] = await Promise.all([
    db.count('conversations'),
    db.countFromIndex('conversations', 'by-deleted'),
  ]);
  return {
    chats: conversations + messages + runs + texts,
    results,
    attachments: attached + drafts + files,
    conversations: all - deleted,
    oldResults,
  };
}

/** About how much all rows of a store come to, by each of these sizes. */
async function shares<S extends Sized>(
  db: Database,
  name: S,
  sizes: ((row: Schema[S]['value']) => number)[],
): Promise<number[]> {
  const { count, keys } = await sampleOf(db, name);
  const sums = sizes.map(() => 0);
  for (const key of keys) {
    const row = (await db.get(name, key as Schema[S]['key'])) as Schema[S]['value'] | undefined;
    if (row) sizes.forEach((sizeIn, index) => (sums[index] = (sums[index] ?? 0) + sizeIn(row)));
  }
  return sums.map((sum) => (keys.length === 0 ? 0 : Math.round((sum / keys.length) * count)));
}

async function sampleOf(db: Database, name: Sized): Promise<{ count: number; keys: (string | number)[] }> {
  const count = await db.count(name);
  if (count <= ROWS * PARTS.length) return { count, keys: await db.getAllKeys(name) };
  const keys = await Promise.all(
    PARTS.map((part): Promise<(string | number)[]> => {
      const range = IDBKeyRange.lowerBound(part);
      return name === 'texts'
        ? db.getAllKeysFromIndex(name, 'by-id', range, ROWS)
        : db.getAllKeys(name, range, ROWS);
    }),
  );
  return { count, keys: keys.flat() };
}

/** What a value takes on the disk, about. */
const sizeOf = (value: unknown): number => JSON.stringify(value ?? '').length;

const sizeOfAttached = (message: Message): number =>
  message.role === 'user' && message.attachments ? sizeOf(message.attachments) : 0;
