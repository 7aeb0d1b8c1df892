/**
 * A job that never runs twice at once: who asks for it while it runs gets the next one, which all who asked meanwhile
 * share. So it sees all that was so when it was asked for, and asking a hundred times costs two jobs.
 */
export function inTurn(job: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    running = job().finally(() => (running = undefined));
    return running;
  }

  return () => {
    if (next) return next;
    if (!running) return start();
    next = running.then(start, start); // whoever asked for the one before is told how it failed
    return next;
  };
}
