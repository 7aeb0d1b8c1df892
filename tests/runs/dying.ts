import type { RunStore } from '../../lib/storage/chats/run-store.ts';

/**
 * Lets so many `writes` through; the next one never returns, as when the worker dies in it. `write` is for those that
 * do not go through the store.
 */
export function dyingAfter(writes: number) {
  const died = Promise.withResolvers<void>();
  let left = writes;
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left === 0) {
      died.resolve();
      await new Promise(() => {});
    }
    left -= 1;
    return work();
  };
  const store = (whole: RunStore): RunStore => ({
    ...whole,
    begin: (...asked) => write(() => whole.begin(...asked)),
    write: (entry) => write(() => whole.write(entry)),
  });
  return { store, write, died: died.promise };
}
