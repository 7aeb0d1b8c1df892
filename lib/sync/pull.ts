import { clockOf, entryIn, isEntry, isSnapshot } from './entry.ts';
import { merge, type Pulling, type ReadEntry } from './merge.ts';
import { unseal } from './seal.ts';
import type { SyncState } from './state.ts';
import { SyncError } from './store.ts';

/** Files that are read and merged together. */
const BATCH = 8;

/** How many files could not be read: they are left where they are, and tried again the next time. */
export type Pulled = { tampered: number; unreadable: number };

/** Merges what other machines wrote. @throws SyncError */
export async function pull(pulling: Pulling): Promise<Pulled> {
  const { store, state, states, tell, signal } = pulling;
  const names = (await store.list()).filter(isEntry).toSorted();
  forgetLost(state, names);
  const fresh = names.filter((name) => !state.seen.has(name));
  const pulled: Pulled = { tampered: 0, unreadable: 0 };
  for (let at = 0; at < fresh.length; at += BATCH) {
    signal.throwIfAborted();
    tell(at, fresh.length);
    const batch = await Promise.all(fresh.slice(at, at + BATCH).map((name) => readEntry(pulling, name)));
    const entries = batch.filter((entry) => typeof entry === 'object');
    pulled.tampered += batch.filter((entry) => entry === 'tampered').length;
    pulled.unreadable += batch.filter((entry) => entry === 'unreadable').length;
    const { failed, waiting } = await merge(pulling, entries);
    for (const { name } of entries) if (!failed.has(name) && !waiting.has(name)) state.seen.add(name);
    pulled.unreadable += failed.size;
    await states.save(state);
  }
  return pulled;
}

/** A file that is gone without a later snapshot was lost by the store: what is here is written anew. */
function forgetLost(state: SyncState, names: string[]): void {
  const newest = clockOf(names.findLast(isSnapshot) ?? '');
  const gone = state.seen.difference(new Set(names));
  state.seen = state.seen.difference(gone);
  if ([...gone].some((name) => clockOf(name) >= newest)) state.chats.clear();
}

/** @returns undefined for one that another machine has compacted: the snapshot is read the next time */
async function readEntry(
  { store, key }: Pulling,
  name: string,
): Promise<ReadEntry | 'tampered' | 'unreadable' | undefined> {
  try {
    const file = await store.get(name);
    if (!file) return undefined;
    const entry = entryIn(await unseal(key, name, file));
    return entry ? { name, entry } : 'unreadable';
  } catch (error) {
    if (error instanceof SyncError && error.fault.code === 'tampered') return 'tampered';
    throw error;
  }
}
