import { describe, expect, it } from 'vitest';
import { createSetup, isLoopback, reduceSetup, serverSummary } from '../../lib/state/setup.ts';
import type { Server, ServerState } from '../../lib/types/setup.ts';
import { fakeWorker, setup } from './fake-worker.ts';

const server = (id: number, enabled = true): Server => ({
  id,
  name: `Server ${id}`,
  transport: 'streamable-http',
  url: 'http://127.0.0.1/mcp',
  enabled,
  toolTimeout: 30_000,
  headerNames: [],
  trusted: false,
  oneAtATime: false,
});
const status = (state: ServerState) => ({ state, toolCount: 0 });

describe('the set-up', () => {
  it('follows a server’s status between the whole pushes', () => {
    const known = reduceSetup(null, { type: 'setup', setup });
    const next = reduceSetup(known, { type: 'server_status', serverId: 3, status: status('connected') });
    expect(next?.statuses[3]).toEqual(status('connected'));
  });

  it('is watched again with the next command after the port dropped', async () => {
    const worker = fakeWorker();
    const state = createSetup(worker.link);
    state.use();
    worker.drop();
    expect(worker.ports).toHaveLength(1);
    await state.command('removeServer', { id: 1 });
    expect(worker.requests).toEqual([{ type: 'watch_setup' }, { type: 'watch_setup' }]);
  });

  it('counts the enabled servers and shows the worst lamp', () => {
    const statuses = {
      1: status('connected'),
      2: status('error'),
      3: status('connected'),
      4: status('error'),
    };
    const servers = [server(1), server(2), server(3), server(4, false)];
    expect(serverSummary({ ...setup, servers, statuses })).toEqual({
      connected: 2,
      failed: 1,
      state: 'error',
    });
    expect(serverSummary(setup)).toEqual({ connected: 0, failed: 0, state: null });
  });
});

describe('a provider', () => {
  it.each([
    'http://127.0.0.1:11434/v1',
    'http://localhost:1234',
    'http://[::1]:8080/v1',
    'http://demo.localhost/v1',
  ])('at %s stays on this computer', (url) => expect(isLoopback(url)).toBe(true));
  it.each([
    'https://api.openai.com/v1',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com',
    'nonsense',
  ])('at %s does not', (url) => expect(isLoopback(url)).toBe(false));
});
