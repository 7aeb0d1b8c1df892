import { browser } from 'wxt/browser';

/** Chromium ends a worker 30.0 s after its last extension event, even while bytes stream in. */
const TICK_MS = 20_000;
const ALARM = 'resume';

/**
 * Keeps the worker alive while runs work, and has an alarm wake it should it die all the same. A run that waits for
 * the person holds nothing.
 */
export function createKeepAlive(): (runId: string, working: boolean) => void {
  const working = new Set<string>();
  let tick: ReturnType<typeof setInterval> | undefined;
  return (runId, works) => {
    if (works) working.add(runId);
    else working.delete(runId);
    if (working.size > 0 && tick === undefined) {
      tick = setInterval(() => void browser.runtime.getPlatformInfo(), TICK_MS);
      void browser.alarms.create(ALARM, { periodInMinutes: 0.5 });
    } else if (working.size === 0 && tick !== undefined) {
      clearInterval(tick);
      tick = undefined;
      void browser.alarms.clear(ALARM);
    }
  };
}

/** Being woken is all it takes: a starting worker resumes what it finds. The listener must exist for the alarm to wake it. */
export function listenForAlarm(): void {
  browser.alarms.onAlarm.addListener(() => undefined);
}
