import type { IDBPObjectStore, StoreNames } from 'idb';
import type { Place } from '../../protocol/panel.ts';
import { withoutCache } from '../configuration/cache.ts';
import { loadSetting } from '../configuration/settings.ts';
import type { Database, Schema } from '../schema.ts';

/** By place, e.g. `window 12`: the id of the chat that was last shown there. */
type Shown = Record<string, string>;
type Settings = IDBPObjectStore<Schema, ArrayLike<StoreNames<Schema>>, 'settings', 'readwrite'>;

const KEY = 'shownChats';

/** More places than these are forgotten, the oldest first: windows and tabs are closed without a word. */
const MOST = 200;

/** Who sends a message says where, and the message's run reads the settings. */
const shownChats = async (db: Database): Promise<Shown> =>
  ((await withoutCache(db).get('settings', KEY)) ?? {}) as Shown;

/** Under which key it is kept what is shown at a place, as the user has set it; undefined where that is unknown. */
export async function placeKey(db: Database, { windowId, tabId }: Place): Promise<string | undefined> {
  const by = await loadSetting(db, 'panelScope');
  if (by === 'all') return by;
  const id = by === 'tab' ? tabId : windowId;
  return id === undefined ? undefined : `${by} ${id}`;
}

export async function shownChatAt(db: Database, place: string): Promise<string | undefined> {
  return (await shownChats(db))[place];
}

/** Writes nothing where this was the last to be shown: a run's own transaction has mostly written it (run-start.ts). */
export async function putShownChat(db: Database, place: string, id: string): Promise<void> {
  if (isLast(await shownChats(db), place, id)) return;
  const { store, done } = withoutCache(db).transaction('settings', 'readwrite');
  await Promise.all([putShownIn(store, await shownIn(store), place, id), done]);
}

/** As a transaction that also writes other rows reads it. */
export const shownIn = async (settings: Settings): Promise<Shown> =>
  ((await settings.get(KEY)) ?? {}) as Shown;

/** The same in such a transaction. @param shown as it was read in it */
export async function putShownIn(settings: Settings, shown: Shown, place: string, id: string): Promise<void> {
  if (isLast(shown, place, id)) return;
  const { [place]: _before, ...others } = shown;
  const kept = Object.entries(others).slice(1 - MOST);
  await settings.put(Object.fromEntries([...kept, [place, id]]), KEY);
}

function isLast(shown: Shown, place: string, id: string): boolean {
  const last = Object.entries(shown).at(-1);
  return last?.[0] === place && last[1] === id;
}

/** The browser began anew, and gives windows and tabs other ids. */
export async function forgetPlaces(db: Database): Promise<void> {
  await withoutCache(db).delete('settings', KEY);
}
