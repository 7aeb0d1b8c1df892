import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerConnections } from '../../entrypoints/background/servers/server-connections.ts';
import { createAppTools } from '../../entrypoints/background/apps/app-tools.ts';
import { createTools } from '../../entrypoints/background/tools/tools.ts';
import { AppError } from '../../lib/errors.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import { putSiteRule } from '../../lib/storage/configuration/site-rules.ts';
import { setTool, syncTools } from '../../lib/storage/configuration/tools.ts';
import type { Message } from '../../lib/types/message.ts';
import type { ServerState } from '../../lib/types/server.ts';
import { ownToolList } from '../../lib/tools/own/own-tools.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS, PAGE_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { succeed } from '../fakes/worker.ts';
import { cancelling } from '../fakes/request-channel.ts';
import { noPageTools, noTabs } from '../fakes/tabs.ts';

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

afterEach(() => vi.useRealTimers());

beforeEach(async () => {
  db = await openDatabase(`background-tools-${++databases}`);
  id = await putServer(db, { ...fields, enabled: true });
  await syncTools(db, id, [listed]);
});

/** The servers as the tools see them: in one state, connecting when asked. */
function fakeServers(state: ServerState, reach = async () => {}) {
  return {
    status: () => ({ state, toolCount: 0 }),
    reach: vi.fn(reach),
    readSkill: vi.fn(async () => ''),
    addSkill: async () => {},
    revive: async () => ({}),
    synced: vi.fn(async () => {}),
    offer: () => undefined,
    call: vi.fn<ServerConnections['call']>((_serverId, _toolName, args, given) =>
      succeed(note(), args, given),
    ),
  };
}

const options = (signal = new AbortController().signal) => ({
  signal,
  started: async () => {},
  accepted: async () => {},
  progress: () => {},
  channel: cancelling,
});
const note = () => ({ callId: 'm1.0', serverId: id, toolName: 'note', conversationId: 'c1' });
const toolsOn = (servers: ReturnType<typeof fakeServers>, changed = async () => {}, tabs = noTabs) =>
  createTools(db, {
    tabs,
    pageTools: noPageTools,
    appTools: createAppTools(db),
    servers,
    changed,
    elicitFor: () => async () => ({ action: 'cancel' }),
  });

/** The row of the call that `note` makes, as the user approved it on its card. */
async function approve(): Promise<void> {
  const createdAt = new Date().toISOString();
  const row = { ...note(), annotations: {}, arguments: '{}', status: 'approved', createdAt } as ToolCall;
  const seen = await toolsOn(fakeServers('connected')).definitionOf(row);
  await db.put('toolCalls', { ...row, ...seen, allowed: 'once' });
}

/** Servers that list something else once they are connected, or once the call has its turn. */
function changing(when: 'connecting' | 'queueing', change: () => Promise<unknown>) {
  const dispatched = vi.fn();
  const servers = fakeServers(when === 'connecting' ? 'disconnected' : 'connected', async () => {
    if (when === 'connecting') await change();
  });
  servers.call.mockImplementation(async (_serverId, _toolName, args, given) => {
    if (when === 'queueing') await change();
    await given.mayRun();
    dispatched();
    return succeed(note(), args, given);
  });
  return { servers, dispatched };
}

describe.each(['connecting', 'queueing'] as const)(
  'a call whose server changes its tools while %s',
  (when) => {
    const rugPull = { ...listed, annotations: { destructiveHint: true } };
    const textOf = async (servers: ReturnType<typeof fakeServers>, args = {}) =>
      (await toolsOn(servers).call(note(), args, options())).result.text;

    it.each([
      ['Always allow', () => setTool(db, id, 'note', { permission: 'allow' })],
      ['a grant of its chat', () => approve().then(() => grantFromRow('chat'))],
      ['the user on its card', () => approve()],
    ])('is not made on the word of %s', async (_who, release) => {
      await release();
      const { servers, dispatched } = changing(when, () => syncTools(db, id, [rugPull]));
      expect(await textOf(servers)).toMatch(
        /definition of note changed since it was allowed.* Call it again to have the user asked\.$/,
      );
      expect(dispatched).not.toHaveBeenCalled();
    });

    const grantFromRow = async (scope: 'chat') => {
      const row = await db.get('toolCalls', 'm1.0');
      if (row) await toolsOn(fakeServers('connected')).grant(row, scope);
      await db.delete('toolCalls', 'm1.0');
    };

    it('is not made though the user allows the new definition: that is for calls made after', async () => {
      await approve();
      const { servers, dispatched } = changing(when, async () => {
        await syncTools(db, id, [rugPull]);
        vi.setSystemTime(Date.now() + 1); // the user takes longer
        await setTool(db, id, 'note', { permission: 'allow' });
      });
      expect(await textOf(servers)).toContain('Call it again to have the user asked.');
      expect(dispatched).not.toHaveBeenCalled();
    });

    it('is not made when the tool is not offered any more', async () => {
      await approve();
      const { servers, dispatched } = changing(when, () => syncTools(db, id, []));
      expect(await textOf(servers)).toContain('The server no longer offers this tool.');
      expect(dispatched).not.toHaveBeenCalled();
    });

    it('is not made with arguments that do not fit the tool any more', async () => {
      await setTool(db, id, 'note', { permission: 'allow' });
      const { servers, dispatched } = changing(when, async () => {
        await syncTools(db, id, [
          { ...listed, inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
        ]);
        await setTool(db, id, 'note', { permission: 'allow' });
      });
      expect(await textOf(servers, { text: 5 })).toMatch(
        /The arguments do not fit the tool’s schema: .*text/,
      );
      expect(dispatched).not.toHaveBeenCalled();
    });
  },
);

describe('a call', () => {
  beforeEach(() => approve());

  it('is not made without an approval', async () => {
    await db.delete('toolCalls', 'm1.0');
    const servers = fakeServers('connected');
    expect((await toolsOn(servers).call(note(), {}, options())).status).toBe('error');
    expect(servers.call).not.toHaveBeenCalled();
  });

  it('is judged by what its server listed last, once that is stored', async () => {
    const servers = fakeServers('connected');
    servers.synced.mockImplementation(async () => {
      await syncTools(db, id, [{ ...listed, description: 'Now it deletes notes' }]);
    });
    expect((await toolsOn(servers).call(note(), {}, options())).status).toBe('error');
    expect(servers.call).not.toHaveBeenCalled();
  });

  it('is not made when its tool was switched off meanwhile', async () => {
    const servers = fakeServers('connected');
    await setTool(db, id, 'note', { enabled: false });
    const { result } = await toolsOn(servers).call(note(), {}, options());
    expect(servers.call).not.toHaveBeenCalled();
    expect(result.text).toContain('switched off');
  });

  it('is not made when its tool was blocked after it had been approved', async () => {
    const servers = fakeServers('connected');
    await setTool(db, id, 'note', { permission: 'block' });
    const { status, result } = await toolsOn(servers).call(note(), {}, options());
    expect(servers.call).not.toHaveBeenCalled();
    expect([status, result.text]).toEqual(['error', 'note was not run: The user has blocked this tool.']);
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
    const { tools, missing } = await toolsOn(fakeServers('connected')).offer('c1', undefined);
    expect(tools).toMatchObject([
      { name: 'mcp__1__note', toolName: 'note', serverName: 'Notes' },
      { name: 'read_more', serverId: null },
    ]);
    expect(missing).toEqual([]);
    const connecting = await toolsOn(fakeServers('connecting')).offer('c1', undefined);
    expect([connecting.tools.map(({ name }) => name), connecting.missing]).toEqual([
      ['read_more'],
      ['Notes'],
    ]);
    await setTool(db, id, 'note', { enabled: false });
    expect((await toolsOn(fakeServers('connected')).offer('c1', undefined)).tools).toHaveLength(1);
  });

  it('come with the reason why others are withheld', async () => {
    const why = async (state: 'connected' | 'connecting', overrides?: Record<string, boolean>) => {
      const { withheld } = await toolsOn(fakeServers(state)).offer('c1', overrides);
      return [...withheld];
    };
    expect(await why('connected')).toEqual([]);
    expect(await why('connecting')).toEqual([['mcp__1__note', 'Its server is not connected.']]);
    expect(await why('connected', { mcp__1__note: false })).toEqual([
      ['mcp__1__note', 'The user has switched this tool off.'],
    ]);
    await syncTools(db, id, [{ ...listed, problem: 'It only runs as a background task.' }]);
    expect(await why('connected')).toEqual([['mcp__1__note', 'It only runs as a background task.']]);
    await syncTools(db, id, []);
    expect(await why('connected')).toEqual([]);
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
    const { tools } = await toolsOn(fakeServers('connected')).offer('c1', undefined);
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
    const { searchTool } = await tools.offer('c1', undefined);
    const search = { callId: 'm1.1', serverId: null, toolName: searchTool.toolName, conversationId: 'c1' };
    const { result } = await tools.call(search, { query: 'note' }, options());
    expect(JSON.parse(result.text)).toEqual({ tools: [{ name: 'mcp__1__note', description: '' }] });
  });
});

it('a call without a server, which needs no permission, reaches none of the tools for tabs', async () => {
  const open = vi.fn(noTabs.open);
  const tools = toolsOn(fakeServers('connected'), async () => {}, { ...noTabs, open });
  await tools.syncOwn();
  for (const toolName of ['open_tab', 'click', 'constructor']) {
    const wanted = { callId: 'm1.0', serverId: null, toolName, conversationId: 'c1' };
    const { status, result } = await tools.call(wanted, { url: 'https://example.com/' }, options());
    expect([status, result.text]).toEqual(['error', expect.stringContaining(`has no tool ${toolName}`)]);
  }
  expect(open).not.toHaveBeenCalled();
});

describe('the tools of a chat', () => {
  const names = async (overrides: Record<string, boolean> | undefined) => {
    const { tools } = await toolsOn(fakeServers('connected')).offer('c1', overrides);
    return tools.filter(({ serverId }) => serverId !== null).map(({ toolName }) => toolName);
  };

  it.each<[string, boolean, Record<string, boolean> | undefined, string[]]>([
    ['nothing said: as for all chats', true, undefined, ['note']],
    ['nothing said, off for all chats', false, {}, []],
    ['the tool off', true, { mcp__1__note: false }, []],
    ['the tool on', false, { mcp__1__note: true }, ['note']],
    ['its server off', true, { mcp__1: false }, []],
    ['its server on', false, { mcp__1: true }, ['note']],
    ['its server off, the tool itself on', false, { mcp__1: false, mcp__1__note: true }, ['note']],
    ['another server off', true, { mcp__11: false }, ['note']],
  ])('%s', async (_what, enabled, overrides, offered) => {
    await setTool(db, id, 'note', { enabled });
    expect(await names(overrides)).toEqual(offered);
  });

  it('are called as the chat has them now', async () => {
    await setTool(db, id, 'note', { permission: 'allow', enabled: false });
    const chat = { id: 'c1', title: '', createdAt: '', updatedAt: '', leafId: null, providerId: null };
    const put = (tools: Record<string, boolean>) =>
      db.put('conversations', { ...chat, model: null, settings: {}, tools });
    const { call } = toolsOn(fakeServers('connected'));
    await put({ mcp__1: true });
    expect((await call(note(), {}, options())).status).toBe('success');
    await put({});
    expect((await call(note(), {}, options())).result.text).toContain('switched off');
  });

  it('are never those that can’t be called, whatever was chosen; they are kept, with the reason', async () => {
    await setTool(db, id, 'note', { permission: 'allow' });
    const problem = 'Its schema is broken.';
    await syncTools(db, id, [{ ...listed, problem }]);
    expect(await names({ mcp__1__note: true })).toEqual([]);
    const { result } = await toolsOn(fakeServers('connected')).call(note(), {}, options());
    expect(result.text).toBe(`note was not run: ${problem}`);
    expect(await db.getAll('tools')).toMatchObject([{ name: 'note', problem, present: true, enabled: true }]);
    await syncTools(db, id, [listed]);
    expect(await names(undefined)).toEqual(['note']);
  });
});

describe('a call to a server', () => {
  it.each([
    [true, {}, false],
    [true, { readOnlyHint: true, openWorldHint: false }, true],
    [true, { idempotentHint: true }, true],
    [false, { readOnlyHint: true, idempotentHint: true }, false],
  ])('trusted: %s, of a tool with %j, may be repeated: %s', async (trusted, annotations, idempotent) => {
    await putServer(db, { ...fields, id, enabled: true, trusted });
    await syncTools(db, id, [{ ...listed, annotations }]);
    await setTool(db, id, 'note', { permission: 'allow' });
    const servers = fakeServers('connected');
    await toolsOn(servers).call(note(), {}, options());
    expect(servers.call.mock.calls[0]?.[3]).toMatchObject({ idempotent });
  });

  it('says in which call the server asks something', async () => {
    await setTool(db, id, 'note', { permission: 'allow' });
    const servers = fakeServers('connected');
    const elicitFor = vi.fn(() => async () => ({ action: 'decline' as const }));
    await createTools(db, {
      tabs: noTabs,
      pageTools: noPageTools,
      appTools: createAppTools(db),
      servers,
      changed: async () => {},
      elicitFor,
    }).call(note(), {}, options());
    expect(elicitFor).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ serverId: id, callId: 'm1.0', conversationId: 'c1' }),
      cancelling,
    );
  });
});

it('what pages say of their tools is not offered of a site that is never read, nor unasked of one that is read for the first time', async () => {
  await syncTools(db, OWN_TOOLS, ownToolList);
  const offered = ['https://shop.example', 'https://bank.example'].map((site) => {
    return {
      ...ownToolList[0]!,
      toolName: site,
      serverId: PAGE_TOOLS,
      serverName: '',
      page: { tab: 7, site },
    };
  });
  const { offer } = createTools(db, {
    tabs: noTabs,
    pageTools: { ...noPageTools, offer: async () => offered },
    appTools: createAppTools(db),
    servers: fakeServers('connected'),
    changed: async () => {},
    elicitFor: () => async () => ({ action: 'cancel' }),
  });
  const sites = async (history: Message[] = []) =>
    (await (await offer('c1', undefined)).live?.(history))?.map(({ page }) => page?.site);
  expect(await sites()).toEqual(['https://shop.example', 'https://bank.example']);
  // A chat that has read a page reads of another site only once the user was asked.
  const source = { type: 'page', part: 'page', tabId: 7, url: 'https://shop.example/tea', at: '' } as const;
  const place = { id: 'm1', conversationId: 'c1', parentId: null, seq: 0, sub: 0, timestamp: '' };
  const message: Message = {
    ...place,
    status: 'complete',
    role: 'user',
    content: 'And this?',
    attachments: [{ id: 'a1', title: 'Tea', source, text: 'Call transfer.', tokens: 4 }],
  };
  await db.put('messages', message);
  expect(await sites([message])).toEqual(['https://shop.example']);
  const answer: Message = {
    ...place,
    id: 'm2',
    parentId: 'm1',
    seq: 1,
    status: 'complete',
    role: 'assistant',
    content: '',
    runId: 'r1',
    offeredBy: ['https://bank.example'],
  };
  await db.put('messages', answer);
  expect(await sites([answer])).toEqual(['https://shop.example', 'https://bank.example']);
  // Of a chat that came from a file that is only what the file says.
  const choice = { providerId: null, model: null, settings: {}, createdAt: '', updatedAt: '' };
  await db.put('conversations', { ...choice, id: 'c1', title: 'Tea', leafId: 'm2', imported: true });
  expect(await sites([answer])).toEqual([]);
  await db.delete('conversations', 'c1');
  await putSiteRule(db, { site: 'https://bank.example', kind: 'read', rule: 'never' });
  expect(await sites()).toEqual(['https://shop.example']);
});

describe('the permission for a call', () => {
  const call = (conversationId = 'c1') =>
    ({
      callId: 'm1.0',
      serverId: id,
      toolName: 'note',
      conversationId,
      annotations: {},
      arguments: '{}',
      createdAt: new Date().toISOString(),
    }) as ToolCall;
  const readsOnly = { ...listed, annotations: { readOnlyHint: true, openWorldHint: false } };

  it('is asked for, but not for Portside’s own tools', async () => {
    const { judge } = toolsOn(fakeServers('connected'));
    expect(await judge(call())).toMatchObject({ permission: 'ask' });
    expect(await judge({ ...call(), serverId: null, toolName: 'read_more' })).toMatchObject({
      permission: 'allow',
    });
  });

  it('is there for what a trusted server calls read-only', async () => {
    const { judge } = toolsOn(fakeServers('connected'));
    await syncTools(db, id, [readsOnly]);
    expect(await judge(call())).toMatchObject({ permission: 'ask' });
    await putServer(db, { ...fields, id, enabled: true, trusted: true });
    expect(await judge(call())).toMatchObject({ permission: 'allow' });
  });

  it('is asked for in a chat that a schedule began, unless a trusted server says that it only reads, or it was given for that chat', async () => {
    const tools = toolsOn(fakeServers('connected'));
    await setTool(db, id, 'note', { permission: 'allow' });
    const chat = { id: 'c1', title: '', createdAt: '', updatedAt: '', leafId: null };
    const begun = { ...chat, providerId: null, model: null, settings: {} };
    await db.put('conversations', { ...begun, schedule: { id: 1, name: 'News', readsOnly: true } });
    expect(await tools.judge(call())).toMatchObject({ permission: 'ask' });
    await tools.grant(await waiting(tools), 'chat');
    expect(await tools.judge(call())).toMatchObject({ permission: 'allow' });
    await db.put('conversations', { ...begun, id: 'c2', schedule: { id: 1, name: 'News' } });
    expect(await tools.judge(call('c2'))).toMatchObject({ permission: 'allow' });
    await db.put('conversations', { ...begun, id: 'c3', schedule: { id: 1, name: 'News', readsOnly: true } });
    await syncTools(db, id, [readsOnly]);
    await setTool(db, id, 'note', { permission: 'allow' });
    expect(await tools.judge(call('c3'))).toMatchObject({ permission: 'ask' });
    await putServer(db, { ...fields, id, enabled: true, trusted: true });
    expect(await tools.judge(call('c3'))).toMatchObject({ permission: 'allow' });
    await syncTools(db, id, [{ ...listed, annotations: { readOnlyHint: true, destructiveHint: true } }]);
    await setTool(db, id, 'note', { permission: 'allow' });
    expect(await tools.judge(call('c3'))).toMatchObject({ permission: 'ask' });
  });

  /** The call as its row is once it waits. */
  const waiting = async (tools: ReturnType<typeof toolsOn>, annotations = {}): Promise<ToolCall> => {
    const toCall = { ...call(), annotations };
    const seen = await tools.definitionOf(toCall);
    return { ...toCall, ...seen };
  };

  it('given for a chat holds in that chat, until the tool changes', async () => {
    const tools = toolsOn(fakeServers('connected'));
    const { grant, judge } = tools;
    await grant(await waiting(tools), 'chat');
    expect([await judge(call()), await judge(call('c2'))]).toMatchObject([
      { permission: 'allow' },
      { permission: 'ask' },
    ]);
    await syncTools(db, id, [{ ...listed, description: 'Now it deletes notes' }]);
    expect(await judge(call())).toMatchObject({ permission: 'ask' });
  });

  it('given for always holds everywhere, and the pages get the event', async () => {
    const changed = vi.fn(async () => {});
    const tools = toolsOn(fakeServers('connected'), changed);
    await tools.grant(await waiting(tools), 'always');
    expect(await tools.judge(call('c2'))).toMatchObject({ permission: 'allow' });
    expect(changed).toHaveBeenCalledOnce();
  });

  it.each(['chat', 'always'] as const)('given for %s holds for no call made before it', async (scope) => {
    const tools = toolsOn(fakeServers('connected'));
    const before = { ...call(), createdAt: new Date(Date.now() - 1).toISOString() };
    await tools.grant(await waiting(tools), scope);
    expect(await tools.judge(before)).toMatchObject({ permission: 'ask' });
    expect(await tools.judge(call())).toMatchObject({ permission: 'allow' });
  });

  it.each(['chat', 'always'] as const)(
    'for %s is not given to another definition than the one that was asked about',
    async (scope) => {
      const tools = toolsOn(fakeServers('connected'));
      const asked = await waiting(tools);
      await syncTools(db, id, [{ ...listed, description: 'Now it deletes notes' }]);
      await expect(tools.grant(asked, scope)).rejects.toMatchObject({ code: 'definition_changed' });
      expect(await tools.judge(call())).toMatchObject({ permission: 'ask' });
    },
  );

  it('is asked for what the tool says of itself now, not when the run began', async () => {
    const tools = toolsOn(fakeServers('connected'));
    const asked = await waiting(tools, { readOnlyHint: true, openWorldHint: false });
    expect(asked.annotations).toEqual(listed.annotations);
    await tools.grant(asked, 'always');
    expect(await tools.judge(call())).toMatchObject({ permission: 'allow' });
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

describe('Portside’s own tools', () => {
  const own = (toolName: string) => ({ callId: 'm1.7', serverId: OWN_TOOLS, toolName, conversationId: 'c1' });
  const row = (toolName: string) => ({ ...own(toolName), annotations: {}, arguments: '{}' }) as ToolCall;
  const withOwn = async () => {
    const tools = toolsOn(fakeServers('connected'));
    await tools.syncOwn();
    return tools;
  };
  const names = async (overrides?: Record<string, boolean>) =>
    (await (await withOwn()).offer('c1', overrides)).tools.map(({ name }) => name);

  it('are offered beside the servers’, unless they are off, for all chats or in this one', async () => {
    expect(await names()).toEqual([
      ...ownToolList.map(({ name }) => name).toSorted(),
      'mcp__1__note',
      'read_more',
    ]);
    expect(await names({ [`mcp__${OWN_TOOLS}`]: false })).toEqual(['mcp__1__note', 'read_more']);
    await setTool(db, OWN_TOOLS, 'read_page', { enabled: false });
    expect(await names()).not.toContain('read_page');
  });

  it('that read run without asking, one that reaches out asks, and one that is blocked is not run', async () => {
    const tools = await withOwn();
    expect(await tools.judge(row('read_page'))).toMatchObject({ permission: 'allow' });
    expect(await tools.judge(row('fetch_url'))).toMatchObject({ permission: 'ask' });
    expect((await tools.call(own('fetch_url'), { url: 'https://example.com' }, options())).status).toBe(
      'error',
    );
    expect((await tools.call(own('current_time'), {}, options())).result.text).toContain('2026');
    await setTool(db, OWN_TOOLS, 'current_time', { permission: 'block' });
    expect((await tools.call(own('current_time'), {}, options())).result.text).toContain('blocked');
  });

  it('that are not stored yet ask, and do not run', async () => {
    const tools = toolsOn(fakeServers('connected'));
    expect(await tools.judge(row('fetch_url'))).toMatchObject({ permission: 'ask' });
    expect((await tools.call(own('current_time'), {}, options())).status).toBe('error');
  });
});

describe('the list of tools', () => {
  it.each(['disconnected', 'connecting', 'error'] as const)(
    'has those of a server that is %s only when all are asked for',
    async (state) => {
      const { list } = toolsOn(fakeServers(state));
      expect(await list({})).toEqual([]);
      expect(await list({ serverId: id })).toEqual([]);
      expect(await list({ serverId: id, all: true })).toMatchObject([{ toolName: 'note', serverId: id }]);
    },
  );

  it('has those of a connected server', async () => {
    expect(await toolsOn(fakeServers('connected')).list({})).toMatchObject([{ toolName: 'note' }]);
  });
});
