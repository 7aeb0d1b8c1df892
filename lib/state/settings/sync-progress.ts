import { type ReadonlySignal, signal } from '@preact/signals';
import { syncProgress } from '../../broadcasts.ts';
import type { SyncProgress } from '../../types/sync.ts';

/** How far the sync of chats is; null while none is under way. `stop`: it is of no interest any more. */
export function watchSync(): { progress: ReadonlySignal<SyncProgress>; stop: () => void } {
  const progress = signal<SyncProgress>(null);
  const stop = syncProgress.listen((told) => void (progress.value = told));
  return { progress, stop };
}
