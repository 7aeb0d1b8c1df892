/** Progress keeps a call alive, but not for ever: at most this many times its timeout. */
const HARD_CAP = 10;

/** A timer set for longer than this, about 25 days, fires at once. */
const LONGEST = 2 ** 31 - 1;

/** Starts at dispatch. `timeout` in milliseconds. */
export function startClock(timeout: number, outer: AbortSignal) {
  const expired = new AbortController();
  const expire = (): void => expired.abort(new Error(`No result within ${timeout} ms.`));
  const cap = countdown(timeout * HARD_CAP, expire);
  const timer = countdown(timeout, expire);
  let paused = 0;
  let stopped = false;
  const resume = (): void => {
    if (stopped || paused > 0) return;
    cap.resume();
    timer.resume();
  };
  resume();
  return {
    /** Aborts when the time is up or when the caller's signal aborts. */
    signal: AbortSignal.any([outer, expired.signal]),
    /** True when it was the time. */
    timedOut: (): boolean => expired.signal.aborted && !outer.aborted,
    /** Progress came: the timeout starts again, within the hard cap. */
    restart(): void {
      timer.reset();
      resume();
    },
    /** The time stands still while this runs. */
    async pause<T>(job: () => Promise<T>): Promise<T> {
      paused++;
      cap.pause();
      timer.pause();
      try {
        return await job();
      } finally {
        paused--;
        resume();
      }
    },
    stop(): void {
      stopped = true;
      timer.pause();
      cap.pause();
    },
  };
}

/** A timer that can be stopped and go on with what was left of it. */
function countdown(ms: number, done: () => void) {
  let left = ms;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - since;
  };
  return {
    pause,
    resume() {
      if (timer !== undefined) return;
      since = performance.now();
      timer = setTimeout(done, Math.min(Math.max(left, 0), LONGEST));
    },
    reset() {
      pause();
      left = ms;
    },
  };
}
