import type { Database } from '../schema.ts';

const KEY = 'notified';

/** By conversation: what its notification was last about. Kept, so that a worker that starts anew tells nothing twice. */
type Notified = Record<string, string>;

/** @returns what the conversation's notification was about before */
export async function putNotified(
  db: Database,
  id: string,
  about: string | undefined,
): Promise<string | undefined> {
  const tx = db.transaction('settings', 'readwrite');
  const { [id]: before, ...others } = ((await tx.store.get(KEY)) ?? {}) as Notified;
  if (before !== about) await tx.store.put(about === undefined ? others : { ...others, [id]: about }, KEY);
  await tx.done;
  return before;
}
