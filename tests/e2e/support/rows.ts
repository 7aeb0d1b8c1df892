import type { Schema } from '../../../lib/storage/schema.ts';

/** A page of the extension, of whatever drives it. */
export type ReadingPage = { evaluate: <T>(expression: string) => Promise<T> };

type Store =
  | 'conversations'
  | 'runs'
  | 'messages'
  | 'toolCalls'
  | 'tools'
  | 'grants'
  | 'models'
  | 'prompts'
  | 'notes'
  | 'schedules'
  | 'attachments';

/** Every row of a store, from the database and not by a command: reading wakes no worker. */
export function readRows<S extends Store>(page: ReadingPage, store: S): Promise<Schema[S]['value'][]> {
  return inStore(page, store, 'readonly', 'rows.getAll()');
}

/** Puts rows into a store, as if they had been there for long. */
export async function writeRows<S extends Store>(
  page: ReadingPage,
  store: S,
  rows: Schema[S]['value'][],
): Promise<void> {
  await inStore(page, store, 'readwrite', `${JSON.stringify(rows)}.map((row) => rows.put(row)).at(-1)`);
}

/** @param work an expression over the object store `rows` that makes a request. @returns its result */
function inStore<T>(
  page: ReadingPage,
  store: Store,
  mode: 'readonly' | 'readwrite',
  work: string,
): Promise<T> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('portside');
    opening.onupgradeneeded = () => opening.transaction.abort(); // there is none: none is to be made
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction(${JSON.stringify(store)}, '${mode}');
      const rows = transaction.objectStore(${JSON.stringify(store)});
      const request = ${work};
      transaction.oncomplete = () => {
        opening.result.close();
        resolve(request?.result);
      };
      transaction.onerror = () => reject(transaction.error);
    };
  })`);
}
