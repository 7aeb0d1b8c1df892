import type { IDBPObjectStore, StoreNames } from 'idb';
import type { Schema } from '../database.ts';

/** Of one conversation: ids of messages that were written or removed; its own id: its title may be another, or it is gone. */
export type Unindexed = { conversationId: string; ids: string[] };

type UnindexedStore = Pick<IDBPObjectStore<Schema, StoreNames<Schema>[], 'unindexed', 'readwrite'>, 'put'>;

/** Rows that are looked at together, so that a step takes no longer for a long conversation. */
const TOGETHER = 10;

/**
 * Notes, inside the caller's transaction, that the search has to look at rows anew: what it finds gone it forgets, of a
 * conversation that is gone everything. So it misses nothing, whenever the worker dies.
 */
export async function noteChanged(
  unindexed: UnindexedStore,
  conversationId: string,
  ids: string[] = [conversationId],
): Promise<void> {
  const parts = Array.from({ length: Math.ceil(ids.length / TOGETHER) }, (_, part) =>
    ids.slice(part * TOGETHER, (part + 1) * TOGETHER),
  );
  await Promise.all(parts.map((part) => unindexed.put({ conversationId, ids: part })));
}

/** In `settings`, until the rows from before there was a search are in it: how far that got. */
export const BACKFILL = 'searchBackfill';

/** The last key that was looked at in the store. */
export type Backfill = { store: 'conversations' | 'messages'; after: string };

export const FROM_THE_START: Backfill = { store: 'conversations', after: '' };
