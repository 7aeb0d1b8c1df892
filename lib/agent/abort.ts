/** The promise's value, or `aborted` as soon as the signal aborts; what the promise does then is ignored. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  if (signal.aborted) return Promise.resolve('aborted');
  const { promise: aborted, resolve } = Promise.withResolvers<'aborted'>();
  const abort = () => resolve('aborted');
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
