import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKeepAlive } from '../../entrypoints/background/browser/keep-alive.ts';

const fake = vi.hoisted(() => ({
  alarms: { create: vi.fn(), clear: vi.fn() },
  runtime: { getPlatformInfo: vi.fn() },
}));
vi.mock('wxt/browser', () => ({ browser: fake }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
});
afterEach(() => vi.useRealTimers());

describe('the keep-alive', () => {
  it('calls the browser every 20 s while a run works, and not while none does', () => {
    const { working } = createKeepAlive();
    working('r1', true);
    working('r2', true);
    vi.advanceTimersByTime(60_000);
    expect(fake.runtime.getPlatformInfo).toHaveBeenCalledTimes(3);
    expect(fake.alarms.create).toHaveBeenCalledOnce();
    working('r1', false);
    vi.advanceTimersByTime(20_000);
    expect(fake.runtime.getPlatformInfo).toHaveBeenCalledTimes(4);
    working('r2', false);
    vi.advanceTimersByTime(60_000);
    expect(fake.runtime.getPlatformInfo).toHaveBeenCalledTimes(4);
    expect(fake.alarms.clear).toHaveBeenCalledOnce();
  });

  it('calls it too while something else takes long, and no longer when that has failed', async () => {
    const { during } = createKeepAlive();
    const job = Promise.withResolvers<never>();
    const done = during(() => job.promise);
    vi.advanceTimersByTime(40_000);
    expect(fake.runtime.getPlatformInfo).toHaveBeenCalledTimes(2);
    job.reject(new Error('broke'));
    await expect(done).rejects.toThrow('broke');
    vi.advanceTimersByTime(40_000);
    expect(fake.runtime.getPlatformInfo).toHaveBeenCalledTimes(2);
  });

  it('sets no alarm for what is over by then', async () => {
    const { during } = createKeepAlive();
    await during(async () => {});
    vi.advanceTimersByTime(60_000);
    expect(fake.alarms.create).not.toHaveBeenCalled();
  });

  it('clears the alarm that an earlier worker left when there is nothing to take further', () => {
    createKeepAlive().settle();
    expect(fake.alarms.clear).toHaveBeenCalledOnce();
  });

  it('keeps the alarm when a run was picked up', () => {
    const { working, settle } = createKeepAlive();
    working('r1', true);
    settle();
    expect(fake.alarms.clear).not.toHaveBeenCalled();
  });
});
