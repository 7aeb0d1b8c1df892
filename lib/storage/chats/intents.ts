import type { Intent } from '../../protocol/attached.ts';
import type { Database } from '../schema.ts';

/** An intent that no panel took for this long is stale. */
const FRESH_MS = 10 * 60_000;
/** One that the user still writes may take longer; its tab may also have been closed. */
const DRAFT_MS = 24 * 60 * 60_000;

/** The window's oldest fresh intent. It stays until it is ended; one whose run there is has only not been. */
export async function nextIntent(db: Database, windowId: number, now: number): Promise<Intent | null> {
  const all = (await db.getAll('intents')).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  for (const intent of all) {
    const isStale = now - Date.parse(intent.createdAt) > (intent.isDraft ? DRAFT_MS : FRESH_MS);
    if (isStale || (await db.getKey('runs', intent.id)) !== undefined) await db.delete('intents', intent.id);
    else if (intent.windowId === windowId && !intent.isDraft) return intent;
  }
  return null;
}
