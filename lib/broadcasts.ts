import type { Announcement } from './protocol/panel.ts';
import type { SyncProgress } from './types/sync.ts';

/** What all pages are told, also those whose event port is down. */
function createBroadcast<T>(name: string) {
  return {
    open(): { tell: (said: T) => void; close: () => void } {
      const channel = new BroadcastChannel(name);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
      return { tell: (said) => channel.postMessage(said), close: () => channel.close() };
    },
    /** @param heard called for all that is told from now on. @returns the undo */
    listen(heard: (said: T) => void): () => void {
      const channel = new BroadcastChannel(name);
      channel.addEventListener('message', ({ data }: MessageEvent<T>) => heard(data));
      return () => channel.close();
    },
  };
}

/** What a worker owns has come to a revision. */
export const announcements = createBroadcast<Announcement>('revisions');

/** How far the sync of chats is. */
export const syncProgress = createBroadcast<SyncProgress>('sync');

/** There is an intent, for the pages to take. */
export const intents = createBroadcast<null>('intents');

export function announceIntent(): void {
  const { tell, close } = intents.open();
  tell(null);
  close();
}
