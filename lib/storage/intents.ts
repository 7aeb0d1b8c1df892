import type { Intent } from '../protocol.ts';
import type { Database } from './database.ts';

/** An intent nobody took for this long is stale: its panel never came. */
const FRESH_MS = 10 * 60_000;

export async function putIntent(db: Database, intent: Intent, now: number): Promise<void> {
  await db.put('intents', { ...intent, createdAt: new Date(now).toISOString() });
}

/** Gives out the window's oldest fresh intent, once: reading and removing are one transaction. */
export async function takeIntent(db: Database, windowId: number, now: number): Promise<Intent | null> {
  const tx = db.transaction('intents', 'readwrite');
  const all = (await tx.store.getAll()).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const stale = all.filter(({ createdAt }) => now - Date.parse(createdAt) > FRESH_MS);
  const next = all.find((intent) => !stale.includes(intent) && (intent.windowId ?? windowId) === windowId);
  await Promise.all([...[...stale, ...(next ? [next] : [])].map(({ id }) => tx.store.delete(id)), tx.done]);
  return next ?? null;
}
