import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTools } from '../../entrypoints/background/tools.ts';
import { AppError } from '../../lib/errors.ts';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import { putServer } from '../../lib/storage/servers.ts';
import { setTool, syncTools } from '../../lib/storage/tools.ts';
import type { CallOptions, ServerState } from '../../lib/types.ts';
import { succeed } from '../fakes/worker.ts';

let db: Database;
let databases = 0;
let id: number;

const listed = {
  offeredName: 'mcp__1__note',
  name: 'note',
  description: '',
  inputSchema: {},
  annotations: {},
};
const fields = {
  name: 'Notes',
  transport: 'streamable-http',
  url: 'http://127.0.0.1/mcp',
  toolTimeout: 1,
} as const;

beforeEach(async () => {
  db = await openDatabase(`background-tools-${++databases}`);
  id = await putServer(db, { ...fields, enabled: true });
  await syncTools(db, id, [listed]);
});

/** The servers as the tools see them: in one state, connecting when asked. */
function fakeServers(state: ServerState, connect = async () => {}) {
  return {
    status: () => ({ state, toolCount: 0 }),
    connect: vi.fn(connect),
    revive: async () => {},
    call: vi.fn((serverId: number, toolName: string, args: Record<string, unknown>, options: CallOptions) =>
      succeed({ serverId, toolName }, args, options),
    ),
  };
}

const options = (signal = new AbortController().signal) => ({
  signal,
  started: async () => {},
  progress: () => {},
});
const note = () => ({ serverId: id, toolName: 'note' });

describe('a call', () => {
  it('connects its server first when a new worker has no connection yet', async () => {
    const servers = fakeServers('disconnected');
    const { status } = await createTools(db, servers).call(note(), {}, options());
    expect(servers.connect).toHaveBeenCalledOnce();
    expect(status).toBe('success');
  });

  it('does not bring back a server that the person switched off', async () => {
    await putServer(db, { ...fields, id, enabled: false });
    const servers = fakeServers('disconnected');
    const { status, result } = await createTools(db, servers).call(note(), {}, options());
    expect(servers.connect).not.toHaveBeenCalled();
    expect(servers.call).not.toHaveBeenCalled();
    expect([status, result.text]).toEqual(['error', 'note was not run: The server Notes was switched off.']);
  });

  it('is not made when its tool was switched off meanwhile, or its server removed', async () => {
    const servers = fakeServers('connected');
    await setTool(db, id, 'note', { enabled: false });
    const off = await createTools(db, servers).call(note(), {}, options());
    const gone = await createTools(db, servers).call({ serverId: 99, toolName: 'note' }, {}, options());
    expect(servers.call).not.toHaveBeenCalled();
    expect(off.result.text).toContain('switched off');
    expect(gone.result.text).toContain('removed');
  });

  it('says why its server is not connected, and is not made', async () => {
    const unreachable = new AppError({
      code: 'server_unreachable',
      message: 'Notes is not there.',
      fix: 'Start it.',
    });
    const servers = fakeServers('error', () => Promise.reject(unreachable));
    const { result } = await createTools(db, servers).call(note(), {}, options());
    expect(result.text).toBe('note was not run: Notes is not there. Start it.');
    expect(servers.call).not.toHaveBeenCalled();
  });

  it('is cancelled at once while its server is still connecting', async () => {
    const stop = new AbortController();
    const servers = fakeServers('disconnected', () => new Promise(() => {}));
    const outcome = createTools(db, servers).call(note(), {}, options(stop.signal));
    stop.abort();
    expect((await outcome).status).toBe('cancelled');
  });
});

describe('the tools of a run', () => {
  it('are those of connected servers that are on; other enabled servers are named as missing', async () => {
    const { tools } = await createTools(db, fakeServers('connected')).offer();
    expect(tools).toMatchObject([{ name: 'mcp__1__note', toolName: 'note', serverName: 'Notes' }]);
    expect(await createTools(db, fakeServers('connecting')).offer()).toEqual({
      tools: [],
      missing: ['Notes'],
    });
    await setTool(db, id, 'note', { enabled: false });
    expect(await createTools(db, fakeServers('connected')).offer()).toEqual({ tools: [], missing: [] });
  });
});
