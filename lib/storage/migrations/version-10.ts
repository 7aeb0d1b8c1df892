import type { Upgrade, Upgraded } from './version-2.ts';

/** Version 10: projects, and their chats by when they were used. */
export function upgradeToVersion10(db: Upgraded, tx: Upgrade): void {
  db.createObjectStore('projects', { keyPath: 'id', autoIncrement: true });
  tx.objectStore('conversations').createIndex('by-project', ['project', 'updatedAt']);
}
