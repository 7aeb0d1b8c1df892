import { type ReadonlySignal, signal } from '@preact/signals';
import { listenForSyncProgress } from '../../messaging.ts';
import type { SyncProgress } from '../../types/sync.ts';

/** How far the sync of chats is; null while none is under way. `stop`: it is of no interest any more. */
export function watchSync(): { progress: ReadonlySignal<SyncProgress>; stop: () => void } {
  const progress = signal<SyncProgress>(null);
  const stop = listenForSyncProgress((told) => void (progress.value = told));
  return { progress, stop };
}
