import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { untilAborted } from '../../lib/async.ts';
import { createOriginLimits, type OriginLimits } from '../../lib/mcp/transport/origin-limits.ts';

const plain = 'http://127.0.0.1:1';
const secure = 'https://a.example';

/** How many of twenty begin, none of which ends until `end`. */
function begun(
  run: (origin: string, signal: AbortSignal, job: () => Promise<void>) => Promise<void>,
  origin: string,
) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const job = vi.fn(() => promise);
  const all = Promise.all(Array.from({ length: 20 }, () => run(origin, new AbortController().signal, job)));
  return { count: () => job.mock.calls.length, end: () => (end(), all) };
}

describe('the six connections of an http origin', () => {
  it.each([
    [0, 4],
    [1, 4],
    [2, 3],
    [4, 1],
    [7, 1],
  ])(
    'with %i streams open, carry %i calls, and one is reserved for answers and cancels',
    (streams, calls) => {
      const limits = createOriginLimits();
      for (let each = 0; each < streams; each++) limits.openStream(plain);
      expect(begun(limits.calls.run, plain).count()).toBe(calls);
    },
  );

  it('carry at most two optional streams and five required ones', () => {
    const limits = createOriginLimits();
    const room = () => [limits.hasRoomForStream(plain, true), limits.hasRoomForStream(plain, false)];
    const close = limits.openStream(plain);
    expect(room()).toEqual([true, true]);
    limits.openStream(plain);
    expect(room()).toEqual([false, true]);
    for (let each = 0; each < 3; each++) limits.openStream(plain);
    expect(room()).toEqual([false, false]);
    close();
    close();
    expect(room()).toEqual([false, true]);
  });

  it('carry two handshakes at once, which leave fewer calls until they are over', async () => {
    const limits = createOriginLimits();
    limits.openStream(plain);
    limits.openStream(plain);
    const handshakes = begun(limits.handshake, plain);
    const calls = begun(limits.calls.run, plain);
    expect([handshakes.count(), calls.count()]).toEqual([2, 1]);
    await handshakes.end();
    expect([handshakes.count(), calls.count()]).toEqual([20, 3]);
  });

  it('carry one handshake beside long-running calls', () => {
    const limits = createOriginLimits();
    expect(begun(limits.calls.run, plain).count()).toBe(4);
    expect(begun(limits.handshake, plain).count()).toBe(1);
  });
});

it('an https origin limits calls only, to sixteen', () => {
  const limits = createOriginLimits();
  for (let each = 0; each < 20; each++) limits.openStream(secure);
  expect(limits.hasRoomForStream(secure, true)).toBe(true);
  expect(begun(limits.handshake, secure).count()).toBe(20);
  expect(begun(limits.calls.run, secure).count()).toBe(16);
});

/** Begins handshakes that take a while, and tells which began, in order, which are under way and which timed out. */
function slowHandshakes(limits: OriginLimits) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const starts: string[] = [];
  const underWay = new Set<string>();
  const late: string[] = [];
  const begin = (name: string, time: number, origin = plain): Promise<string> =>
    limits.handshake(
      origin,
      new AbortController().signal,
      async (signal) => {
        starts.push(name);
        underWay.add(name);
        const done = new Promise<string>((resolve) => setTimeout(() => resolve(`${name} done`), time));
        return untilAborted(done, signal).finally(() => underWay.delete(name));
      },
      () => late.push(name),
    );
  return { starts, late, underWay: () => [...underWay].toSorted(), begin };
}

describe('a handshake that takes longer than its turn', () => {
  it('makes way for those that wait and begins anew after them', async () => {
    const { starts, begin } = slowHandshakes(createOriginLimits());
    const slow = Promise.all(['a', 'b'].map((name) => begin(name, 15_000)));
    const quick = Promise.all(Array.from({ length: 20 }, (_, index) => begin(String(index), 50)));
    await vi.advanceTimersByTimeAsync(499);
    expect(starts).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(501);
    expect(await quick).toHaveLength(20);
    await vi.advanceTimersByTimeAsync(15_500);
    expect(await slow).toEqual(['a done', 'b done']);
    expect(starts.filter((name) => name === 'a' || name === 'b')).toEqual(['a', 'b', 'a', 'b']);
  });

  it('gets ever longer turns, so that every one ends', async () => {
    const { begin } = slowHandshakes(createOriginLimits());
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => begin(name, 15_000)));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await all).toHaveLength(5);
  });

  it('goes on, without beginning anew, while no other waits', async () => {
    const { starts, begin } = slowHandshakes(createOriginLimits());
    const both = Promise.all([begin('a', 15_000), begin('b', 4000)]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await both).toEqual(['a done', 'b done']);
    expect(starts).toEqual(['a', 'b']);
  });

  it('may end at that very moment', async () => {
    const { starts, begin } = slowHandshakes(createOriginLimits());
    const all = Promise.all([begin('a', 500), begin('b', 499), begin('c', 50)]);
    await vi.advanceTimersByTimeAsync(1200);
    expect(await all).toEqual(['a done', 'b done', 'c done']);
    expect(starts.slice(0, 3)).toEqual(['a', 'b', 'c']);
  });
});

it('a handshake times out five seconds after its first request, not counting the wait for its place', async () => {
  const { late, begin } = slowHandshakes(createOriginLimits());
  const all = Promise.all([
    ...['a', 'b', 'c'].map((name) => begin(name, 15_000)),
    begin('secure', 15_000, secure),
    begin('quick', 4900, secure),
  ]);
  await vi.advanceTimersByTimeAsync(4999);
  expect(late).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(late).toEqual(['a', 'b', 'secure']);
  await vi.advanceTimersByTimeAsync(500);
  expect(late).toEqual(['a', 'b', 'secure', 'c']);
  await vi.advanceTimersByTimeAsync(90_000);
  await all;
  expect(late).toHaveLength(4);
});
