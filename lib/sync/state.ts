import { type IDBPDatabase, openDB } from 'idb';
import type { DatedMeta, Marks } from './entry.ts';
import { SYNC_DATABASE } from './port.ts';

/** Of a chat what the store has as this machine knows it. */
export type Known = { ids: Set<string>; meta: DatedMeta };

/** What this machine knows of the store: what differs from that here is still to be told or was deleted here. */
export type SyncState = {
  machine: string;
  clock: number;
  /** Files of the log that were read or written. */
  seen: Set<string>;
  chats: Map<string, Known>;
  marks: Map<string, Marks>;
  /** Marks that the store lacks: ids by their chat. */
  unsent: Map<string, Set<string>>;
};

export type StateStore = {
  load: () => Promise<SyncState>;
  save: (state: SyncState) => Promise<void>;
  close: () => void;
};

/** @param machine another one begins anew. @param name only tests choose another one */
export async function openState(machine: string, name = SYNC_DATABASE): Promise<StateStore> {
  const db: IDBPDatabase = await openDB(name, 1, {
    upgrade: (opened) => void opened.createObjectStore('state'),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  return {
    load: async () => {
      const state = (await db.get('state', 0)) as SyncState | undefined;
      if (state?.machine === machine) return state;
      return {
        machine,
        clock: 0,
        seen: new Set(),
        chats: new Map(),
        marks: new Map(),
        unsent: new Map(),
      };
    },
    save: async (state) => void (await db.put('state', state, 0)),
    close: () => db.close(),
  };
}

export const marksOf = ({ marks }: SyncState, chatId: string): Marks =>
  getOrInsert(marks, chatId, () => new Map());

/** Says it now, for all machines. */
export function mark(state: SyncState, chatId: string, ids: Iterable<string>, gone: boolean): void {
  state.clock += 1;
  const unsent = getOrInsert(state.unsent, chatId, () => new Set<string>());
  for (const id of ids) {
    marksOf(state, chatId).set(id, { clock: state.clock, gone });
    unsent.add(id);
  }
}

export function getOrInsert<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
