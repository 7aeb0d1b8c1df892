/** Streamed text is at most this far ahead of the disk. */
const FLUSH_MS = 500;

/**
 * Writes a growing message down from time to time: the first change waits 500 ms, a long message longer (a millisecond
 * more for every 200 characters of text, thought and calls), since the whole row is rewritten each time.
 */
export function createFlush(write: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let length = 0;
  return {
    /** @param by characters that came to the message */
    grew(by: number): void {
      length += by;
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
    /** There is no message that grows any more. */
    cancel(): void {
      clearTimeout(timer);
      timer = undefined;
      length = 0;
    },
  };
}
