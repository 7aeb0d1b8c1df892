import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { config, createRig, startServer } from './harness.ts';
import { startModernServer } from './modern-server.ts';

function anHourLater(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
}

describe('three servers on one http origin', () => {
  it('get two streams; the third is listed again when it is used after a while', async () => {
    const server = await startServer();
    const rig = createRig();
    for (const id of [1, 2]) await rig.connect(config(server.url, { id }));
    const streams = () => server.requests.filter((request) => request === 'GET').length;
    await server.until(() => streams() === 2);
    await rig.connect(config(server.url, { id: 3 }));
    const lists = () => server.requests.filter((request) => request === 'POST tools/list').length;
    const before = lists();
    await rig.freshen();
    expect(lists()).toBe(before); // it was listed just now
    anHourLater();
    await rig.freshen();
    expect(lists()).toBe(before + 1);
    expect(streams()).toBe(2);
    expect(rig.status(3).state).toBe('connected');
  });

  it('get no more than two where one stream is for all that is told (2026-07-28)', async () => {
    const server = await startModernServer();
    const rig = createRig();
    for (const id of [1, 2]) await rig.connect(config(server.url, { id }));
    await server.until(() => server.listening().length === 2);
    await rig.connect(config(server.url, { id: 3 }));
    await rig.freshen();
    expect(server.methods.filter((method) => method === 'subscriptions/listen')).toHaveLength(2);
    await rig.disconnect(1);
    await server.until(() => server.listening().length === 1);
  });
});
