import { isWhole, type Store } from '../damaged.ts';
import type { Database } from '../schema.ts';

/** Small, read at the start of every run, and seldom changed. The secrets are not among them. */
const KEPT: ReadonlySet<Store> = new Set([
  'servers',
  'tools',
  'providers',
  'models',
  'notes',
  'projects',
  'settings',
]);

const uncached = new WeakMap<Database, Database>();
const damaged = new WeakMap<Database, Set<Store>>();

/**
 * The database without the memory: for a row among the configuration that is none, so that no run waits for a write of it.
 * It has to be read and written by this alone.
 */
export const withoutCache = (db: Database): Database => uncached.get(db) ?? db;

/** Whether rows that can't be shown were left out of what was read of the configuration. */
export const hasDamaged = (db: Database): boolean => (damaged.get(db)?.size ?? 0) > 0;

/**
 * The database, with what `get` and `getAll` read of the configuration kept in memory: between Enter and the model's request
 * nothing waits for it. What is kept of a store is forgotten when a transaction begins that may change it: whatever is
 * read from then on, the browser reads after that transaction. Rows are shared, and never changed in place; all
 * writing has to go through the database that this returns. `getAll` leaves out rows that can't be shown.
 */
export function cacheConfiguration(db: Database): Database {
  const kept = new Map<Store, Map<string, Promise<unknown>>>();
  const damagedIn = new Set<Store>();

  function keep(store: Store, asked: string, reading: Promise<unknown>): Promise<unknown> {
    const rows = kept.get(store) ?? new Map<string, Promise<unknown>>();
    kept.set(store, rows.set(asked, reading));
    // What could not be read is asked for again.
    reading.catch(() => rows.delete(asked));
    return reading;
  }

  async function getWhole(store: Store, query: unknown[]): Promise<unknown[]> {
    const rows: unknown[] = await Reflect.apply(db.getAll, db, [store, ...query]);
    const whole = rows.filter((row) => isWhole(store, row));
    if (whole.length < rows.length) damagedIn.add(store);
    else if (query.length === 0) damagedIn.delete(store);
    return whole;
  }

  function read(method: 'get' | 'getAll', store: Store, query: unknown[]): Promise<unknown> {
    const asked = JSON.stringify([method, ...query]);
    const known = kept.get(store)?.get(asked);
    return (
      known ??
      keep(
        store,
        asked,
        method === 'getAll' ? getWhole(store, query) : Reflect.apply(db.get, db, [store, ...query]),
      )
    );
  }

  /**
   * Settings are asked for anew at once, all in one transaction: beginning a chat changes which one is shown, and then
   * sends its message.
   */
  function forget(store: Store): void {
    const asked = [...(kept.get(store)?.keys() ?? [])];
    kept.delete(store);
    if (store !== 'settings' || asked.length === 0) return;
    const again = db.transaction(store).store;
    for (const each of asked) {
      const [method, ...query] = JSON.parse(each) as ['get' | 'getAll', ...unknown[]];
      keep(store, each, Reflect.apply(again[method], again, query));
    }
  }

  const cached = new Proxy(db, {
    get(target, name, proxy) {
      if (name === 'transaction')
        return (stores: Store | Store[], mode?: IDBTransactionMode, options?: IDBTransactionOptions) => {
          const tx = Reflect.apply(target.transaction, target, [stores, mode, options]);
          if (mode === 'readwrite') for (const store of [stores].flat()) forget(store);
          return tx;
        };
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => {
        const [store, ...query] = given as [Store, ...unknown[]];
        const isKept = (name === 'get' || name === 'getAll') && KEPT.has(store);
        if (isKept && !query.some((each) => each instanceof IDBKeyRange)) return read(name, store, query);
        if (name === 'getAll') return getWhole(store, query);
        // The shortcuts for writing begin their transaction on what they are called on: here, where it is noticed.
        return Reflect.apply(method, name in IDBDatabase.prototype ? target : proxy, given);
      };
    },
  });
  uncached.set(cached, db);
  damaged.set(cached, damagedIn);
  return cached;
}
