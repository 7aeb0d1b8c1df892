/** Progress keeps a call alive, but not for ever: at most this many times its timeout. */
const HARD_CAP = 10;

/** A timer set for longer than this, about 25 days, fires at once. */
const LONGEST = 2 ** 31 - 1;

export type CallClock = {
  /** Aborts when the time is up or when the caller's signal aborts. */
  signal: AbortSignal;
  /** True when it was the time. */
  timedOut: () => boolean;
  /** Progress came: the timeout starts again, within the hard cap. */
  restart: () => void;
  stop: () => void;
};

/** Starts at dispatch. `timeout` in milliseconds. */
export function startClock(timeout: number, outer: AbortSignal): CallClock {
  const expired = new AbortController();
  const expire = (): void => expired.abort(new Error(`No result within ${timeout} ms.`));
  const expireIn = (ms: number) => setTimeout(expire, Math.min(ms, LONGEST));
  const cap = expireIn(timeout * HARD_CAP);
  let timer = expireIn(timeout);
  return {
    signal: AbortSignal.any([outer, expired.signal]),
    timedOut: () => expired.signal.aborted && !outer.aborted,
    restart() {
      clearTimeout(timer);
      timer = expireIn(timeout);
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(cap);
    },
  };
}

/** The promise, or a rejection with the signal's reason as soon as it aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
}
