/** Does `work` after everything that was given for the same conversation before it. */
export type Lane = <T>(conversationId: string, work: () => Promise<T>) => Promise<T>;

/** One thing at a time for each conversation: an event is written and told before the next one. Snapshots wait for none. */
export function createLanes(): Lane {
  const tails = new Map<string, Promise<unknown>>();
  return (conversationId, work) => {
    const before = tails.get(conversationId) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result
      .catch(() => undefined)
      .finally(() => {
        if (tails.get(conversationId) === tail) tails.delete(conversationId);
      });
    tails.set(conversationId, tail);
    return result;
  };
}
