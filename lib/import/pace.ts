import { nextTask } from '../async.ts';

/** Milliseconds after which the thread is given back. */
const MOST_MS = 30;

/**
 * Lets a page that reads a long file answer its user: `rest` gives the thread back once it was held for long. It takes how
 * much of the file was read by then, from 0 to 1, and throws the signal's reason once the reading is no longer wanted.
 * @param progress is told of each rest
 */
export function createPace(
  signal?: AbortSignal,
  progress?: (share: number) => void,
): (share: number) => Promise<void> {
  let since = performance.now();
  let most = 0;
  return async function rest(share) {
    most = Math.max(most, share);
    signal?.throwIfAborted();
    if (performance.now() - since < MOST_MS) return;
    progress?.(most);
    await nextTask();
    signal?.throwIfAborted();
    since = performance.now();
  };
}
