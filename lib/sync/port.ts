import type { WireError } from '../types/error.ts';
import type { SyncFault, SyncPlace } from '../types/sync.ts';
import type { SyncKey } from './key-file.ts';
import type { Asked } from './store.ts';

/** Begins the name of a job's port. */
export const SYNC_PORT = 'sync/';

/** Where a machine keeps what it knows of the store; without it the next sync begins anew. */
export const SYNC_DATABASE = 'portside-sync';

/** What the worker has the document do. `join`: looks whether there is a store, and opens or makes its key. */
export type SyncJob = { place: SyncPlace; password: string } & (
  | { type: 'join'; passphrase: string }
  | { type: 'sync'; machine: string; key: SyncKey }
);
export type SyncOutcome = { key?: SyncKey; fault?: SyncFault };

/** What the document asks of the worker, and what comes back. */
export type Asking = { id: number; command: Asked; request: unknown };
export type Answered = { id: number } & ({ reply: unknown } | { error: WireError });
