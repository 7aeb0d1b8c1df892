import { browser } from 'wxt/browser';
import { coalesced } from '../../../lib/async.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { purgeDeleted } from '../../../lib/storage/chats/purge.ts';

/** How long what was deleted can be had back. */
const KEPT_MS = 10 * 60_000;

/** The alarm that wakes the worker for it. */
export const PURGE_ALARM = 'purge';

/** Removes for good what was deleted, once it can't be restored any more. */
export function createPurging(db: Database, { now, changed }: { now: () => number; changed: () => void }) {
  const purge = coalesced(async () => {
    const isSomethingLeft = await purgeDeleted(db, new Date(now() - KEPT_MS).toISOString());
    changed();
    if (isSomethingLeft) await browser.alarms.create(PURGE_ALARM, { delayInMinutes: 1 + KEPT_MS / 60_000 });
  });
  /** When a worker starts, when the alarm goes off, and after something was deleted. */
  return () =>
    void purge().catch((error: unknown) => console.warn('What was deleted is still on the disk.', error));
}
