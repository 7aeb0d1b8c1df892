import { describe, expect, it } from 'vitest';
import { createSockets } from '../../lib/mcp/sockets.ts';

const plain = 'http://127.0.0.1:1';

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
    expect(sockets.calls(plain)).toBe(calls);
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

  it('are nothing to go by over https', () => {
    const sockets = createSockets();
    for (let each = 0; each < 20; each++) sockets.opened('https://a.example');
    expect([sockets.calls('https://a.example'), sockets.hasRoom('https://a.example', true)]).toEqual([
      16,
      true,
    ]);
  });
});
