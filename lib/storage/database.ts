import { openDB } from 'idb';
import { migrations } from './migrations.ts';
import type { Database, Schema } from './schema.ts';

export const DATABASE = 'portside';

/** Opens the database, upgrading it from any released version. @param name only tests choose another one */
export function openDatabase(name = DATABASE): Promise<Database> {
  return openDB<Schema>(name, migrations.length, {
    async upgrade(db, from, _to, tx) {
      try {
        for (const migrate of migrations.slice(from)) await migrate(db, tx);
      } catch (error) {
        console.error('The database could not be upgraded.', error);
        tx.done.catch(() => undefined); // opening fails with the same
        tx.abort(); // what was upgraded before it would be kept
      }
    },
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close(); // a newer Portside wants to upgrade: let it
    },
  });
}
