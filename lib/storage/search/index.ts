import type { Database, SearchedText } from '../database.ts';
import { messageRow, titleRow } from './text.ts';
import { BACKFILL, type Backfill } from './unindexed.ts';

/** Rows of one step: a search that comes meanwhile waits for no more than these. */
const BATCH = 20;

/** Looks at the oldest changes. To be called again as long as it says so, and never twice at once. @returns whether there may be more */
export async function indexChanges(db: Database): Promise<boolean> {
  const { store } = db.transaction('unindexed');
  const [keys, changes] = await Promise.all([store.getAllKeys(null, BATCH), store.getAll(null, BATCH)]);
  const last = keys.at(-1);
  if (last === undefined) return false;
  const conversationOf = new Map(
    changes.flatMap(({ conversationId, ids }) => ids.map((id) => [id, conversationId] as const)),
  );
  await putTexts(db, await changedTexts(db, conversationOf));
  // Only now, so that a worker that died before does it again. What was noted meanwhile has a greater key.
  await db.delete('unindexed', IDBKeyRange.upperBound(last));
  return keys.length === BATCH;
}

/** How many changes the search does not know of yet. */
export function countChanges(db: Database): Promise<number> {
  return db.count('unindexed');
}

type Changed = { texts: SearchedText[]; gone: string[]; goneConversations: string[] };

async function changedTexts(db: Database, conversationOf: ReadonlyMap<string, string>): Promise<Changed> {
  const changed: Changed = { texts: [], gone: [], goneConversations: [] };
  const tx = db.transaction(['conversations', 'messages']);
  for (const [id, conversationId] of conversationOf) {
    if (id === conversationId) {
      const conversation = await tx.objectStore('conversations').get(id);
      if (conversation) changed.texts.push(titleRow(conversation));
      else changed.goneConversations.push(id);
    } else {
      const message = await tx.objectStore('messages').get(id);
      if (message) changed.texts.push(messageRow(message));
      else changed.gone.push(id);
    }
  }
  return changed;
}

/** Puts these in the place of what was there under their ids. One without words takes no room. */
async function putTexts(db: Database, { texts, gone, goneConversations }: Changed): Promise<void> {
  const tx = db.transaction('texts', 'readwrite');
  const { store } = tx;
  const outdated = await Promise.all([
    ...[...texts.map(({ id }) => id), ...gone].map((id) => store.index('by-id').getAllKeys(id)),
    ...goneConversations.map((id) => store.index('by-conversation').getAllKeys(id)),
  ]);
  await Promise.all(outdated.flat().map((key) => store.delete(key)));
  for (const text of texts) {
    if (text.words.length === 0) continue;
    let { place } = text;
    // In growing steps: an imported chat may have one time for all that was said.
    for (let step = 1; (await store.getKey(place)) !== undefined; step *= 2) place += step;
    void store.put({ ...text, place });
  }
  await tx.done;
}

/**
 * Looks at the next rows from before there was a search. To be called again as long as it says so, and never twice at
 * once. @returns whether there are more
 */
export async function indexOlder(db: Database): Promise<boolean> {
  const at = (await db.get('settings', BACKFILL)) as Backfill | undefined;
  if (!at) return false;
  const range = IDBKeyRange.lowerBound(at.after, true);
  const rows =
    at.store === 'conversations'
      ? (await db.getAll('conversations', range, BATCH)).map(titleRow)
      : (await db.getAll('messages', range, BATCH)).map(messageRow);
  await putTexts(db, { texts: rows, gone: [], goneConversations: [] });
  const last = rows.at(-1);
  if (last) await db.put('settings', { store: at.store, after: last.id } satisfies Backfill, BACKFILL);
  else if (at.store === 'conversations')
    await db.put('settings', { store: 'messages', after: '' } satisfies Backfill, BACKFILL);
  else await db.delete('settings', BACKFILL);
  return last !== undefined || at.store === 'conversations';
}
