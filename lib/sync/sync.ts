import type { Database } from '../storage/schema.ts';
import { keyOf } from '../storage/secrets/wrapped-key.ts';
import type { SyncFault, SyncProgress } from '../types/sync.ts';
import { isSnapshot } from './entry.ts';
import { requireKey, type SyncKey } from './key-file.ts';
import { pull } from './pull.ts';
import { markDeleted, push, snapshot } from './push.ts';
import type { StateStore } from './state.ts';
import type { Ask, Store } from './store.ts';

/** Files that are no snapshot, from which on one is written in their place. */
const MOST_LOOSE = 100;

export type SyncDeps = {
  db: Database;
  store: Store;
  key: SyncKey;
  states: StateStore;
  ask: Ask;
  tell: (progress: SyncProgress) => void;
  signal: AbortSignal;
  /** Only tests choose other numbers. */
  mostLoose?: number;
  fileSize?: number;
};

/**
 * Merges what other machines wrote into the store, and writes what it lacks: chats by their rows' ids, so that what two
 * wrote at once stays, as versions. Interrupted anywhere, the next one goes on.
 * @returns what of the store could not be merged @throws SyncError
 */
export async function sync(deps: SyncDeps): Promise<SyncFault | undefined> {
  const { store, states, tell, mostLoose = MOST_LOOSE } = deps;
  await requireKey(store, deps.key);
  const key = await keyOf(Uint8Array.from(deps.key.bytes));
  const state = await states.load();
  const doing = (step: 'reading' | 'writing') => (done: number, total: number) =>
    tell({ doing: step, done, total });
  const common = { ...deps, key, state };
  await markDeleted(common);
  const { tampered, unreadable } = await pull({ ...common, tell: doing('reading') });
  const pushing = { ...common, tell: doing('writing') };
  await push(pushing);
  if ([...state.seen].filter((name) => !isSnapshot(name)).length > mostLoose) {
    const before = [...state.seen];
    await snapshot(pushing);
    // What was not read to its end stays.
    for (const name of before) await store.remove(name);
  }
  if (tampered > 0) return { code: 'tampered', detail: String(tampered) };
  if (unreadable > 0) return { code: 'unreadable', detail: String(unreadable) };
  return undefined;
}
