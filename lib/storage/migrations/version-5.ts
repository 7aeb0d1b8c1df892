import { noteChanged } from '../search/index.ts';
import type { Upgrade, Upgraded } from './version-2.ts';

/** Until version 5: how far the search had got with the rows from before there was one; absent when it was done. */
const BACKFILL = 'searchBackfill';

/** Version 5: rows from before there was a search are changes, which the index catches up with as with any others. */
export async function upgradeToVersion5(_db: Upgraded, tx: Upgrade): Promise<void> {
  const settings = tx.objectStore('settings');
  if ((await settings.get(BACKFILL)) === undefined) return;
  await settings.delete(BACKFILL);
  const places = tx.objectStore('messages').index('by-place');
  for (const id of await tx.objectStore('conversations').getAllKeys()) {
    const messageIds = await places.getAllKeys(IDBKeyRange.bound([id], [id, []]));
    await noteChanged(tx.objectStore('unindexed'), id, [id, ...messageIds]);
  }
}
