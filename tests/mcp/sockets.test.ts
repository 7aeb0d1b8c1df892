import { describe, expect, it, vi } from 'vitest';
import { createSockets } from '../../lib/mcp/sockets.ts';
import type { Sockets } from '../../lib/mcp/sockets.ts';

const plain = 'http://127.0.0.1:1';
const secure = 'https://a.example';

/** How many of twenty begin, none of which ends until `end`. */
function begun(run: Sockets['handshake'], origin: string) {
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
