import type { Upgraded } from './version-2.ts';

/** Version 9: notes for models to know. */
export function upgradeToVersion9(db: Upgraded): void {
  db.createObjectStore('notes', { keyPath: 'id', autoIncrement: true });
}
