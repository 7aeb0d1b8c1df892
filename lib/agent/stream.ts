/**
 * Hands an event to the stream's reader; resolves once the reader has dealt with it. Of the events under one `key`
 * that the reader has not taken yet only the newest is kept.
 */
export type Emit<E> = (event: E, key?: string) => Promise<void>;

type Unread<E> = { event: E; key: string | undefined; handled: PromiseWithResolvers<void> };

/**
 * Runs the task and yields what it emits, from wherever in it, as one sequence. `await emit(event)` returns only when
 * the reader asks for the next event, so what the reader wrote down for this one is durable by then. An event costs the
 * same however deep in the task it comes from; with generators inside generators each level would add to it.
 * @throws what the task threw
 */
export async function* streamOf<E>(task: (emit: Emit<E>) => Promise<void>): AsyncGenerator<E, void> {
  let queue: Unread<E>[] = [];
  const newest = new Map<string, Unread<E>>();
  let wake = Promise.withResolvers<void>();
  const emit: Emit<E> = (event, key) => {
    const replaced = key === undefined ? undefined : newest.get(key);
    if (replaced) {
      replaced.event = event;
      return replaced.handled.promise;
    }
    const unread = { event, key, handled: Promise.withResolvers<void>() };
    queue.push(unread);
    if (key !== undefined) newest.set(key, unread);
    wake.resolve();
    return unread.handled.promise;
  };

  let finished = false;
  const end = task(emit).finally(() => {
    finished = true;
    wake.resolve();
  });
  end.catch(() => undefined); // read below; this only keeps a failure from being reported twice

  while (true) {
    const taken = queue;
    queue = [];
    for (const unread of taken) {
      if (unread.key !== undefined) newest.delete(unread.key);
      yield unread.event;
      unread.handled.resolve();
    }
    if (queue.length > 0) continue;
    if (finished) return await end;
    await wake.promise;
    wake = Promise.withResolvers();
  }
}
