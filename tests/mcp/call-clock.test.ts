import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startClock } from '../../lib/mcp/calls/call-clock.ts';

const never = new AbortController().signal;

describe('the clock of a call', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs out after the timeout', () => {
    const clock = startClock(1000, never);
    vi.advanceTimersByTime(999);
    expect(clock.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(clock.signal.aborted).toBe(true);
    expect(clock.timedOut()).toBe(true);
  });

  it('starts again at each progress', () => {
    const clock = startClock(1000, never);
    vi.advanceTimersByTime(900);
    clock.restart();
    vi.advanceTimersByTime(900);
    expect(clock.signal.aborted).toBe(false);
    vi.advanceTimersByTime(100);
    expect(clock.timedOut()).toBe(true);
  });

  it('runs out after ten timeouts whatever the progress', () => {
    const clock = startClock(1000, never);
    for (let elapsed = 0; elapsed < 9500; elapsed += 500) {
      vi.advanceTimersByTime(500);
      clock.restart();
    }
    expect(clock.signal.aborted).toBe(false);
    vi.advanceTimersByTime(500);
    expect(clock.timedOut()).toBe(true);
  });

  it.each([2 ** 31, 1e12, Number.MAX_SAFE_INTEGER])(
    'does not run out at once when the timeout of %d ms is more than a timer can count',
    (timeout) => {
      const clock = startClock(timeout, never);
      clock.restart();
      vi.advanceTimersByTime(60_000);
      expect(clock.signal.aborted).toBe(false);
      clock.stop();
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('does not report the user’s stop as a timeout', () => {
    const stop = new AbortController();
    const clock = startClock(1000, stop.signal);
    stop.abort();
    expect(clock.signal.aborted).toBe(true);
    expect(clock.timedOut()).toBe(false);
  });

  it('never runs out once it is stopped', () => {
    const clock = startClock(1000, never);
    clock.stop();
    vi.advanceTimersByTime(20_000);
    expect(clock.signal.aborted).toBe(false);
  });
});
