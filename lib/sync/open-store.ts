import type { SyncFault, SyncPlace } from '../types/sync.ts';
import { createS3 } from './s3.ts';
import { SyncError, type Store } from './store.ts';
import { createWebdav } from './webdav.ts';

/** Longer than a file of the log takes on a slow line. */
const TIMEOUT_MS = 120_000;

/** The user's store. What it does @throws SyncError */
export function openStore(place: SyncPlace, password: string): Store {
  const signal = (): AbortSignal => AbortSignal.timeout(TIMEOUT_MS);
  const store =
    place.type === 'webdav' ? createWebdav(place, password, signal) : createS3(place, password, signal);
  const withSyncErrors =
    <Given extends unknown[], T>(method: (...given: Given) => Promise<T>) =>
    (...given: Given): Promise<T> =>
      method(...given).catch((error: unknown) => {
        throw error instanceof SyncError ? error : new SyncError(faultOf(error));
      });
  return {
    list: withSyncErrors(store.list),
    get: withSyncErrors(store.get),
    put: withSyncErrors(store.put),
    putNew: withSyncErrors(store.putNew),
    remove: withSyncErrors(store.remove),
  };
}

function faultOf(error: unknown): SyncFault {
  const status = Object(error).status as unknown;
  if (typeof status !== 'number') return { code: 'unreachable', detail: String(error) };
  const detail = String(status);
  if (status === 401 || status === 403) return { code: 'refused', detail };
  if (status === 404 || status === 405 || status === 409) return { code: 'not_found', detail };
  if (status === 507 || status === 413) return { code: 'full', detail };
  return { code: 'unreachable', detail };
}
