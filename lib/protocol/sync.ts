import type { SyncFault, SyncPlace } from '../types/sync.ts';

/** Chats on the user's other machines (docs/sync.md). */
export type SyncCommands = {
  /** Begins it, if the store can be reached and the passphrase is the store's; the first one to come gives it one. */
  setUpSync(request: { place: SyncPlace; password: string; passphrase: string }): { fault?: SyncFault };
  /** Resolves when it is over; how it went is in the set-up. */
  syncNow(): void;
  pauseSync(request: { paused: boolean }): void;
  removeSync(): void;
  /** Settings and saved prompts by the browser's own sync. */
  setBrowserSync(request: { on: boolean }): void;
};
