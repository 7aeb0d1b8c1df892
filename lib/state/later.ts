const DELAY_MS = 300;

/** Saves what is typed a moment after the last change. */
export function createLater<T>(save: (value: T) => void) {
  let waiting: { value: T; timer: ReturnType<typeof setTimeout> } | null = null;

  function drop(): void {
    clearTimeout(waiting?.timer);
    waiting = null;
  }
  function flush(): void {
    const last = waiting;
    drop();
    if (last) save(last.value);
  }
  return {
    /** Saves `value` soon, instead of what waits. */
    put(value: T): void {
      drop();
      waiting = { value, timer: setTimeout(flush, DELAY_MS) };
    },
    /** Saves at once what waits. */
    flush,
    /** Forgets what waits. */
    drop,
  };
}
