import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTools } from '../../entrypoints/background/tools.ts';
import { AppError } from '../../lib/errors.ts';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import { putServer } from '../../lib/storage/servers.ts';
import { setTool, syncTools } from '../../lib/storage/tools.ts';
import type { ServerState } from '../../lib/types/setup.ts';
import type { CallOptions, ToolCall } from '../../lib/types/tool.ts';
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
  trusted: false,
  oneAtATime: false,
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
      succeed({ serverId, toolName, conversationId: 'c1' }, args, options),
    ),
  };
}

const options = (signal = new AbortController().signal) => ({
  signal,
  started: async () => {},
  progress: () => {},
});
const note = () => ({ serverId: id, toolName: 'note', conversationId: 'c1' });
const toolsOn = (servers: ReturnType<typeof fakeServers>) => createTools(db, servers, async () => {});

describe('a call', () => {
  it('connects its server first when a new worker has no connection yet', async () => {
    const servers = fakeServers('disconnected');
    const { status } = await toolsOn(servers).call(note(), {}, options());
    expect(servers.connect).toHaveBeenCalledOnce();
    expect(status).toBe('success');
  });

  it('does not bring back a server that the person switched off', async () => {
    await putServer(db, { ...fields, id, enabled: false });
    const servers = fakeServers('disconnected');
    const { status, result } = await toolsOn(servers).call(note(), {}, options());
    expect(servers.connect).not.toHaveBeenCalled();
    expect(servers.call).not.toHaveBeenCalled();
    expect([status, result.text]).toEqual(['error', 'note was not run: The server Notes was switched off.']);
  });

  it('is not made when its tool was switched off meanwhile, or its server removed', async () => {
    const servers = fakeServers('connected');
    await setTool(db, id, 'note', { enabled: false });
    const off = await toolsOn(servers).call(note(), {}, options());
    const gone = await toolsOn(servers).call({ ...note(), serverId: 99 }, {}, options());
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
    const { result } = await toolsOn(servers).call(note(), {}, options());
    expect(result.text).toBe('note was not run: Notes is not there. Start it.');
    expect(servers.call).not.toHaveBeenCalled();
  });

  it('is cancelled at once while its server is still connecting', async () => {
    const stop = new AbortController();
    const servers = fakeServers('disconnected', () => new Promise(() => {}));
    const outcome = toolsOn(servers).call(note(), {}, options(stop.signal));
    stop.abort();
    expect((await outcome).status).toBe('cancelled');
  });
});

describe('the tools of a run', () => {
  it('are those of connected servers that are on, and Portside’s own; other enabled servers are missing', async () => {
    const { tools, missing } = await toolsOn(fakeServers('connected')).offer('c1');
    expect(tools).toMatchObject([
      { name: 'mcp__1__note', toolName: 'note', serverName: 'Notes' },
      { name: 'read_more', serverId: null },
    ]);
    expect(missing).toEqual([]);
    const connecting = await toolsOn(fakeServers('connecting')).offer('c1');
    expect([connecting.tools.map(({ name }) => name), connecting.missing]).toEqual([
      ['read_more'],
      ['Notes'],
    ]);
    await setTool(db, id, 'note', { enabled: false });
    expect((await toolsOn(fakeServers('connected')).offer('c1')).tools).toHaveLength(1);
  });

  it('always stand in the same order', async () => {
    const names = ['b', 'a', 'c'];
    await syncTools(
      db,
      id,
      names.map((name) => ({ ...listed, name, offeredName: `mcp__1__${name}` })),
    );
    const second = await putServer(db, { ...fields, name: 'Other', enabled: true });
    await syncTools(db, second, [{ ...listed, name: 'a', offeredName: 'mcp__2__a' }]);
    const { tools } = await toolsOn(fakeServers('connected')).offer('c1');
    expect(tools.map(({ name }) => name)).toEqual([
      'mcp__1__a',
      'mcp__1__b',
      'mcp__1__c',
      'mcp__2__a',
      'read_more',
    ]);
  });

  it('are searched as they were offered to the conversation', async () => {
    const tools = toolsOn(fakeServers('connected'));
    const { searchTool } = await tools.offer('c1');
    const search = { serverId: null, toolName: searchTool.toolName, conversationId: 'c1' };
    const { result } = await tools.call(search, { query: 'note' }, options());
    expect(JSON.parse(result.text)).toEqual({ tools: [{ name: 'mcp__1__note', description: '' }] });
  });
});

describe('the permission for a call', () => {
  const call = (conversationId = 'c1') => ({ serverId: id, toolName: 'note', conversationId }) as ToolCall;
  const readsOnly = { ...listed, annotations: { readOnlyHint: true } };

  it('is asked for, but not for Portside’s own tools', async () => {
    const { permission } = toolsOn(fakeServers('connected'));
    expect(await permission(call())).toBe('ask');
    expect(await permission({ ...call(), serverId: null, toolName: 'read_more' })).toBe('allow');
  });

  it('is there for what a trusted server calls read-only', async () => {
    const { permission } = toolsOn(fakeServers('connected'));
    await syncTools(db, id, [readsOnly]);
    expect(await permission(call())).toBe('ask');
    await putServer(db, { ...fields, id, enabled: true, trusted: true });
    expect(await permission(call())).toBe('allow');
  });

  it('given for a chat holds in that chat, until the tool changes', async () => {
    const { grant, permission } = toolsOn(fakeServers('connected'));
    await grant(call(), 'chat');
    expect([await permission(call()), await permission(call('c2'))]).toEqual(['allow', 'ask']);
    await syncTools(db, id, [{ ...listed, description: 'Now it deletes notes' }]);
    expect(await permission(call())).toBe('ask');
  });

  it('given for always holds everywhere, and the pages are told', async () => {
    const changed = vi.fn(async () => {});
    const { grant, permission } = createTools(db, fakeServers('connected'), changed);
    await grant(call(), 'always');
    expect(await permission(call('c2'))).toBe('allow');
    expect(changed).toHaveBeenCalledOnce();
  });

  it('has the schema at hand that edited arguments must fit', async () => {
    const { schemaOf } = toolsOn(fakeServers('connected'));
    expect(await schemaOf(call())).toEqual(listed.inputSchema);
    expect(await schemaOf({ ...call(), serverId: null, toolName: 'read_more' })).toMatchObject({
      required: ['result'],
    });
    expect(await schemaOf({ ...call(), toolName: 'gone' })).toBeUndefined();
  });
});
