import { withoutCache } from '../configuration/cache.ts';
import type { Database } from '../schema.ts';

/** By place, e.g. `window 12`: the id of the chat that was last shown there. */
type Shown = Record<string, string>;

const KEY = 'shownChats';

/** More places than these are forgotten, the oldest first: windows and tabs are closed without a word. */
const MOST = 200;

/** Who sends a message says where, and the message's run reads the settings. */
const shownChats = async (db: Database): Promise<Shown> =>
  ((await withoutCache(db).get('settings', KEY)) ?? {}) as Shown;

export async function shownChatAt(db: Database, place: string): Promise<string | undefined> {
  return (await shownChats(db))[place];
}

/** Writes nothing where this was the last to be shown: whoever sends a message says so, and the write would go before it. */
export async function putShownChat(db: Database, place: string, id: string): Promise<void> {
  const last = Object.entries(await shownChats(db)).at(-1);
  if (last?.[0] === place && last[1] === id) return;
  const { store, done } = withoutCache(db).transaction('settings', 'readwrite');
  const { [place]: _before, ...others } = ((await store.get(KEY)) ?? {}) as Shown;
  const kept = Object.entries(others).slice(1 - MOST);
  await Promise.all([store.put(Object.fromEntries([...kept, [place, id]]), KEY), done]);
}

/** The browser began anew, and gives windows and tabs other ids. */
export async function forgetPlaces(db: Database): Promise<void> {
  await withoutCache(db).delete('settings', KEY);
}
