import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLostServerRetries } from '../../entrypoints/background/servers/retry-lost-servers.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { add, input, startMcp, startWorkerServers } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: { permissions: { contains: async () => true } } }));

describe('servers that are lost', () => {
  it('are retried with backoff while a page is open, and at once when the network is back', async () => {
    const retry = vi.fn(async () => ({ 1: { ok: false } }));
    const retries = createLostServerRetries({ retry });
    const triesAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return retry.mock.calls.length;
    };
    retries.lost();
    retries.online();
    expect(await triesAfter(60_000)).toBe(0); // no panel is open
    retries.watched(true);
    const counts = [];
    for (const pause of [1_000, 3_000, 10_000, 25_000, 25_000]) counts.push(await triesAfter(pause));
    expect(counts).toEqual([1, 2, 3, 4, 5]);
    retries.online();
    expect(await triesAfter(0)).toBe(6);
    retry.mockResolvedValue({ 1: { ok: true } });
    expect(await triesAfter(3_000)).toBe(7);
    expect(await triesAfter(60_000)).toBe(7); // all are back
    retries.lost();
    expect(await triesAfter(1_000)).toBe(8);
    retries.lost();
    retries.watched(false);
    expect(await triesAfter(60_000)).toBe(8);
  });

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are tried again every five seconds while any run works, and never otherwise', () => {
    const retry = vi.fn(async () => ({}));
    const { working } = createLostServerRetries({ retry });
    vi.advanceTimersByTime(60_000);
    expect(retry).not.toHaveBeenCalled();
    working('r1', true);
    working('r2', true);
    vi.advanceTimersByTime(10_000);
    expect(retry).toHaveBeenCalledTimes(2);
    working('r1', false);
    vi.advanceTimersByTime(5_000);
    expect(retry).toHaveBeenCalledTimes(3);
    working('r2', false);
    vi.advanceTimersByTime(60_000);
    expect(retry).toHaveBeenCalledTimes(3);
  });
});

it('a retry brings back a server that can be reached again, and leaves alone what only the user can mend', async () => {
  const db = await openDatabase('background-retries');
  const worker = startWorkerServers(db);
  const [mcp, closed] = [await startMcp(), await startMcp({ instead: { status: 403 } })];
  const id = await add(worker, { url: mcp.url });
  const { id: refused = 0 } = await worker.servers.add({
    ...input,
    url: closed.url,
  });
  await mcp.stop();
  await worker.servers.reconnect({ id });
  expect(worker.connections.status(id).state).toBe('error');
  await mcp.restart().catch(() => undefined);
  const asked = closed.requests.length;
  const told = worker.sent.length;
  expect(await worker.connections.retry()).toEqual({ [id]: { ok: true } });
  const states = worker.sent
    .slice(told)
    .flatMap((event) => (event.type === 'server_status' ? [event.status.state] : []));
  expect(states).toEqual(['connected']);
  expect(worker.connections.status(refused).state).toBe('error');
  expect(closed.requests).toHaveLength(asked);
});
