import { describe, expect, it } from 'vitest';
import { config, connected, createRig, options, startServer } from './harness.ts';

describe('a server whose calls are made one at a time', () => {
  it('gets its calls one after another, first come first served', async () => {
    const { server, rig } = await connected({ oneAtATime: true });
    server.hold('look_up');
    const started: string[] = [];
    const calls = ['a', 'b', 'c'].map((word) =>
      rig.call(1, 'look_up', { word }, options({ started: async () => void started.push(word) })),
    );
    await server.until(() => server.executions.length === 1);
    expect(started).toEqual(['a']);
    server.release('look_up');
    await Promise.all(calls);
    expect(server.executions.map(({ args }) => args)).toEqual([{ word: 'a' }, { word: 'b' }, { word: 'c' }]);
    const [first, second, third] = server.executions;
    expect(second?.startedAt).toBeGreaterThanOrEqual(first?.endedAt ?? Infinity);
    expect(third?.startedAt).toBeGreaterThanOrEqual(second?.endedAt ?? Infinity);
  });

  it('takes one call of its origin’s cap, which leaves the rest to other servers', async () => {
    const server = await startServer();
    const rig = createRig();
    await rig.connect(config(server.url, { oneAtATime: true }));
    await rig.connect(config(server.url, { id: 2 }));
    server.hold('look_up');
    const slow = Array.from({ length: 8 }, () => rig.call(1, 'look_up', { word: 'a' }, options()));
    await server.until(() => server.executions.length === 1);
    expect((await rig.call(2, 'add', { a: 1, b: 2 }, options())).status).toBe('success');
    server.release('look_up');
    await Promise.all(slow);
  });

  it('never gets a call that was stopped in the queue', async () => {
    const { server, rig } = await connected({ oneAtATime: true });
    server.hold('look_up');
    const stop = new AbortController();
    const first = rig.call(1, 'look_up', { word: 'a' }, options());
    const second = rig.call(1, 'look_up', { word: 'b' }, options({ signal: stop.signal }));
    const third = rig.call(1, 'look_up', { word: 'c' }, options());
    await server.until(() => server.executions.length === 1);
    stop.abort();
    expect((await second).status).toBe('cancelled');
    server.release('look_up');
    await Promise.all([first, third]);
    expect(server.executions.map(({ args }) => args)).toEqual([{ word: 'a' }, { word: 'c' }]);
  });
});
