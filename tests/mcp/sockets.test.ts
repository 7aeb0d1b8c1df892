import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sleep, untilAborted } from '../../lib/mcp/clock.ts';
import { createSockets } from '../../lib/mcp/sockets.ts';
import type { Sockets } from '../../lib/mcp/sockets.ts';

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
  ])('with %i streams carry %i calls, and one is kept for answers and cancels', (streams, calls) => {
    const sockets = createSockets();
    for (let each = 0; each < streams; each++) sockets.opened(plain);
    expect(begun(sockets.calls.run, plain).count()).toBe(calls);
  });

  it('have room for two streams that servers can do without, and five that they can’t', () => {
    const sockets = createSockets();
    const room = () => [sockets.hasRoom(plain, true), sockets.hasRoom(plain, false)];
    const close = sockets.opened(plain);
    expect(room()).toEqual([true, true]);
    sockets.opened(plain);
    expect(room()).toEqual([false, true]);
    for (let each = 0; each < 3; each++) sockets.opened(plain);
    expect(room()).toEqual([false, false]);
    close();
    close();
    expect(room()).toEqual([false, true]);
  });

  it('keep the place of a stream that comes back, which nobody else takes meanwhile', () => {
    const sockets = createSockets();
    for (let each = 0; each < 4; each++) sockets.opened(plain);
    const { own, release } = sockets.keep(plain);
    const room = () => [sockets.hasRoom(plain, false), own.hasRoom(plain, false)];
    expect(room()).toEqual([false, true]);
    expect(own.hasRoom(plain, true)).toBe(false);
    const close = own.opened(plain);
    expect(room()).toEqual([false, false]);
    close();
    release();
    release();
    expect(room()).toEqual([true, true]);
  });

  it('carry two handshakes at once, one call less for each, and more calls as soon as those are over', async () => {
    const sockets = createSockets();
    sockets.opened(plain);
    sockets.opened(plain);
    const handshakes = begun(sockets.handshake, plain);
    const calls = begun(sockets.calls.run, plain);
    expect([handshakes.count(), calls.count()]).toEqual([2, 1]);
    await handshakes.end();
    expect([handshakes.count(), calls.count()]).toEqual([20, 3]);
  });

  it('carry a handshake beside calls that take long, if only one', () => {
    const sockets = createSockets();
    expect(begun(sockets.calls.run, plain).count()).toBe(4);
    expect(begun(sockets.handshake, plain).count()).toBe(1);
  });

  it('are nothing to go by over https', () => {
    const sockets = createSockets();
    for (let each = 0; each < 20; each++) sockets.opened(secure);
    expect(sockets.hasRoom(secure, true)).toBe(true);
    expect(begun(sockets.handshake, secure).count()).toBe(20);
    expect(begun(sockets.calls.run, secure).count()).toBe(16);
  });
});

describe('handshakes that take longer than their turn', () => {
  /** Handshakes that hang until their time is over, and what became of them. */
  function hanging(sockets: Sockets) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const never = new AbortController().signal;
    const starts: string[] = [];
    const underWay = new Set<string>();
    const begin = (name: string, time: number, origin = plain): Promise<string> =>
      sockets.handshake(origin, never, async (signal) => {
        starts.push(name);
        underWay.add(name);
        const done = new Promise<string>((resolve) => setTimeout(() => resolve(`${name} done`), time));
        return untilAborted(done, signal).finally(() => underWay.delete(name));
      });
    return { starts, underWay: () => [...underWay].toSorted(), begin };
  }

  it('leave their places to those that wait, and go on where there is a connection for them', async () => {
    const { starts, underWay, begin } = hanging(createSockets());
    const slow = Promise.all(['a', 'b'].map((name) => begin(name, 15_000)));
    const quick = Promise.all(Array.from({ length: 20 }, (_, index) => begin(String(index), 50)));
    await vi.advanceTimersByTimeAsync(100);
    expect(starts).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(1200);
    expect(await quick).toHaveLength(20);
    expect(underWay()).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(14_000);
    expect(await slow).toEqual(['a done', 'b done']);
    expect(starts.filter((name) => name === 'a' || name === 'b')).toEqual(['a', 'b']);
  });

  it('leave fewer connections for streams that servers can do without', async () => {
    const sockets = createSockets();
    const { begin } = hanging(sockets);
    const slow = Promise.all(['a', 'b'].map((name) => begin(name, 15_000)));
    await vi.advanceTimersByTimeAsync(2000);
    const close = sockets.opened(plain);
    expect(sockets.hasRoom(plain, true)).toBe(false);
    close();
    expect(sockets.hasRoom(plain, true)).toBe(true);
    await vi.advanceTimersByTimeAsync(15_000);
    await slow;
    sockets.opened(plain);
    expect(sockets.hasRoom(plain, true)).toBe(true);
  });

  it('begin anew, with their whole time, where there is no connection for them yet', async () => {
    const sockets = createSockets();
    sockets.opened(plain);
    sockets.opened(plain);
    const { starts, underWay, begin } = hanging(sockets);
    const slow = Promise.all(['a', 'b', 'c', 'd'].map((name) => begin(name, 15_000)));
    const quick = begin('quick', 50);
    await vi.advanceTimersByTimeAsync(700);
    expect(await quick).toBe('quick done');
    // Two streams and this one leave a connection for a handshake, a call and its cancel each.
    expect(underWay()).toEqual(['a', 'b']);
    expect(starts).toEqual(['a', 'b', 'c', 'd', 'quick', 'b']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await slow).toEqual(['a done', 'b done', 'c done', 'd done']);
    // Each had a longer turn; the last of them was not in anybody's way.
    expect(starts.slice(5)).toEqual(['b', 'c', 'd', 'b', 'c']);
  });

  it('have a longer turn once all the others had a short one', async () => {
    const { underWay, begin } = hanging(createSockets());
    const names = Array.from({ length: 12 }, (_, index) => `hanging ${index}`);
    const slow = Promise.all(names.map((name) => begin(name, 15_000)));
    const other = begin('other', 300);
    const quick = Promise.all(Array.from({ length: 6 }, (_, index) => begin(String(index), 100)));
    await vi.advanceTimersByTimeAsync(3100);
    expect(await quick).toHaveLength(6);
    await vi.advanceTimersByTimeAsync(4700);
    expect(await other).toBe('other done');
    expect(underWay()).toEqual(names.slice(0, 3));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await slow).toEqual(names.map((name) => `${name} done`));
  });

  it('may stay for a few turns where the server answers', async () => {
    const sockets = createSockets();
    const { begin, underWay } = hanging(sockets);
    const slow = Promise.all(['a', 'b', 'c'].map((name) => begin(name, 15_000)));
    const { signal } = new AbortController();
    const answers = async (turn: AbortSignal, heard: () => void, times: number): Promise<string> => {
      for (let each = 0; each < times; each++) {
        await sleep(150, turn);
        heard();
      }
      return 'answered';
    };
    const talks = sockets.handshake(plain, signal, (turn, heard) => answers(turn, heard, 5));
    const chatters = sockets.handshake(plain, signal, (turn, heard) => answers(turn, heard, 50));
    const last = begin('last', 50);
    await vi.advanceTimersByTimeAsync(1200);
    expect(await talks).toBe('answered');
    await vi.advanceTimersByTimeAsync(1100);
    expect(await last).toBe('last done');
    expect(underWay()).toEqual(['a', 'b', 'c']);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await chatters).toBe('answered');
    await slow;
  });

  it('stay where they are, without beginning anew, for as long as no other waits', async () => {
    const sockets = createSockets();
    for (let each = 0; each < 2; each++) sockets.opened(plain);
    const { starts, underWay, begin } = hanging(sockets);
    const both = [begin('a', 15_000), begin('b', 4000)];
    await vi.advanceTimersByTimeAsync(3000);
    expect([starts, underWay()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await both[1]).toBe('b done');
    const late = [begin('c', 4000), begin('d', 50)];
    await vi.advanceTimersByTimeAsync(600);
    expect(await late[1]).toBe('d done'); // c made way
    expect(underWay()).toEqual(['a', 'c']);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await Promise.all([both[0], late[0]])).toEqual(['a done', 'c done']);
    expect(starts).toEqual(['a', 'b', 'c', 'd', 'c']);
  });

  it('are waited for no longer after five seconds, or two turns without an answer; the wait for a turn does not count', async () => {
    const sockets = createSockets();
    hanging(sockets);
    const { signal } = new AbortController();
    const silent = new Set<string>();
    const begin = (name: string, time: number, origin = plain): Promise<void> =>
      sockets.handshake(
        origin,
        signal,
        (turn) => sleep(time, turn),
        () => silent.add(name),
      );
    const all = Promise.all([
      ...['a', 'b', 'c', 'd', 'e'].map((name) => begin(name, 15_000)),
      ...Array.from({ length: 100 }, (_, at) => begin(String(at), 100)),
      begin('secure', 15_000, secure),
      begin('quick', 4900, secure),
    ]);
    await vi.advanceTimersByTimeAsync(4900);
    expect(silent.size).toBe(0);
    await vi.advanceTimersByTimeAsync(300);
    expect([...silent]).toEqual(['a', 'b', 'secure', 'c']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([...silent]).toEqual(['a', 'b', 'secure', 'c', 'd', 'e']);
    await vi.advanceTimersByTimeAsync(30_000);
    await all;
  });

  it('may end by themselves at the very moment', async () => {
    const { starts, begin } = hanging(createSockets());
    const both = Promise.all([begin('a', 200), begin('b', 199)]);
    await vi.advanceTimersByTimeAsync(200);
    expect(await both).toEqual(['a done', 'b done']);
    expect(starts).toEqual(['a', 'b']);
  });
});
