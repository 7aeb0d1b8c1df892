import type { Page } from 'playwright-core';
import type { Schema } from '../../lib/storage/database.ts';

/** Every row of a store, from the database and not by a command: reading wakes no worker. */
export function readRows<S extends 'runs' | 'messages' | 'toolCalls' | 'tools' | 'grants' | 'models'>(
  page: Page,
  store: S,
): Promise<Schema[S]['value'][]> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('portside');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction(${JSON.stringify(store)});
      const rows = reading.objectStore(${JSON.stringify(store)}).getAll();
      reading.oncomplete = () => {
        opening.result.close();
        resolve(rows.result);
      };
      reading.onerror = () => reject(reading.error);
    };
  })`);
}
