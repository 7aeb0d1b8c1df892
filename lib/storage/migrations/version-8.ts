import type { Upgraded } from './version-2.ts';

/** Version 8: prompts that are asked by a schedule. */
export function upgradeToVersion8(db: Upgraded): void {
  db.createObjectStore('schedules', { keyPath: 'id', autoIncrement: true });
}
