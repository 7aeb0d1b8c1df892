import { browser } from 'wxt/browser';

/** Chromium ends a worker 30.0 s after its last extension event, even while bytes stream in. */
const TICK_MS = 20_000;
const ALARM = 'resume';

/**
 * Keeps the worker alive while runs work, and has an alarm wake it should it die all the same. A run that waits for
 * the user holds nothing.
 */
export function createKeepAlive() {
  const working = new Set<string>();
  let tick: ReturnType<typeof setInterval> | undefined;

  /** Lets the worker rest when no run works. */
  function settle(): void {
    if (working.size > 0) return;
    clearInterval(tick);
    tick = undefined;
    void browser.alarms.clear(ALARM); // also one that an earlier worker left
  }

  function setWorking(id: string, works: boolean): void {
    if (works) working.add(id);
    else if (!working.delete(id)) return;
    settle();
    if (working.size === 0 || tick !== undefined) return;
    tick = setInterval(() => void browser.runtime.getPlatformInfo(), TICK_MS);
    // Not before what goes on now: a run's request leaves a millisecond earlier.
    setTimeout(() => {
      if (tick !== undefined) void browser.alarms.create(ALARM, { periodInMinutes: 0.5 });
    });
  }

  return {
    /** A run, by its id, works or does no longer. */
    working: setWorking,
    /** Keeps the worker alive for something else that may take longer than it would live. */
    async during<T>(job: () => Promise<T>): Promise<T> {
      const id = crypto.randomUUID();
      setWorking(id, true);
      try {
        return await job();
      } finally {
        setWorking(id, false);
      }
    },
    /** Call it when a starting worker has picked up what there was. */
    settle,
  };
}

/**
 * Being woken is all it takes for runs: a starting worker resumes what it finds. The listener must exist for the alarms
 * to wake it.
 */
export function listenForAlarms(wentOff: (name: string) => void): void {
  browser.alarms.onAlarm.addListener(({ name }) => wentOff(name));
}
