/** Streamed text is at most this far ahead of the disk. */
const FLUSH_MS = 500;

/**
 * Writes a growing message down from time to time: the first change waits 500 ms, a long message longer (a millisecond
 * more for every 200 characters), since the whole row is rewritten each time.
 */
export function createFlush(write: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    /** @param length characters of the message so far */
    touch(length: number): void {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          write().catch((error: unknown) =>
            console.warn('Streamed text could not be written down yet.', error),
          );
        },
        FLUSH_MS + length / 200,
      );
    },
    cancel(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
