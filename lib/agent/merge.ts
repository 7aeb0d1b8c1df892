/** Hands an event to whoever reads the merged stream; resolves once the reader has dealt with it. */
export type Emit<E> = (event: E) => Promise<void>;

/**
 * Runs the tasks in parallel and yields what they emit as one sequence. `await emit(event)` returns only when the
 * reader asks for the next event, so what the reader wrote down for this one is durable by then.
 * @returns the tasks' values, in the tasks' order
 * @throws what a task threw, after the others were let go
 */
export async function* merge<E, R>(tasks: ((emit: Emit<E>) => Promise<R>)[]): AsyncGenerator<E, R[]> {
  const queue: { event: E; handled: () => void }[] = [];
  let wake = Promise.withResolvers<void>();
  const emit: Emit<E> = (event) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push({ event, handled: resolve });
    wake.resolve();
    return promise;
  };

  let finished = false;
  const all = Promise.all(tasks.map((task) => task(emit))).finally(() => {
    finished = true;
    wake.resolve();
  });
  all.catch(() => undefined); // read below; this only keeps a failure from being reported twice

  while (true) {
    const next = queue.shift();
    if (next) {
      yield next.event;
      next.handled();
    } else if (finished) {
      return await all;
    } else {
      await wake.promise;
      wake = Promise.withResolvers();
    }
  }
}
