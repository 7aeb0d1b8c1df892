import type { Upgrade, Upgraded } from './version-2.ts';

/** Version 7: attached files as they were, and which messages refer to them. Of files from before there is no such. */
export function upgradeToVersion7(db: Upgraded, tx: Upgrade): void {
  db.createObjectStore('files');
  tx.objectStore('messages').createIndex('by-file', 'files', { multiEntry: true });
}
