import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRetries } from '../../entrypoints/background/retries.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { add, input, startMcp, startWorkerServers } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: { permissions: { contains: async () => true } } }));

describe('servers that are lost', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are tried again every five seconds while any run works, and never otherwise', () => {
    const retry = vi.fn(async () => ({}));
    const working = createRetries({ retry });
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

it('a retry brings back a server that can be reached again, and leaves alone what only the person can mend', async () => {
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
  expect(await worker.connections.retry()).toEqual({ [id]: { ok: true } });
  expect(worker.connections.status(refused).state).toBe('error');
  expect(closed.requests).toHaveLength(asked);
});
