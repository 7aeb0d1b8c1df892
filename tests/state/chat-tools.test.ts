import { describe, expect, it } from 'vitest';
import type { Setup, ToolSummary } from '../../lib/protocol/setup.ts';
import {
  choose,
  chooseServer,
  readsPages,
  searchTools,
  serversOfChat,
  switchServer,
  toolsSeen,
  toolsSent,
} from '../../lib/state/settings/chat-tools.ts';
import { type ToolOverrides, withChanges } from '../../lib/types/conversation.ts';
import type { Server } from '../../lib/types/server.ts';
import { setup } from './fake-worker.ts';
import { READ_MORE_TOKENS } from '../../lib/types/tools/own-tool-rules.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { SEARCH_TOOLS_TOKENS } from '../../lib/types/tools/tool-search.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';

const server = (id: number, name: string, enabled = true): Server => ({
  id,
  name,
  enabled,
  transport: 'streamable-http',
  url: 'https://example.com/mcp',
  headerNames: [],
  toolTimeout: 30_000,
  trusted: false,
  oneAtATime: false,
});
const tool = (serverId: number, name: string, more: Partial<ToolSummary> = {}): ToolSummary => ({
  serverId,
  name,
  offeredName: `mcp__${serverId}__${name}`,
  description: '',
  annotations: {},
  enabled: true,
  permission: 'ask',
  present: true,
  tokens: 10,
  ...more,
});
/** An answer that makes these calls. */
const answer = (id: string, ...names: string[]): AssistantMessage =>
  ({
    id,
    role: 'assistant',
    tool_calls: names.map((name) => ({ id: name, name, arguments: '{}' })),
  }) as never;
const full: Setup = {
  ...setup,
  servers: [server(1, 'GitHub'), server(2, 'Memory', false)],
  statuses: { 1: { state: 'connected', toolCount: 3 } },
  tools: [
    tool(1, 'read'),
    tool(1, 'write', { title: 'Write an issue', annotations: { destructiveHint: true } }),
    tool(1, 'off', { enabled: false }),
    tool(1, 'broken', { problem: 'Its schema is broken.' }),
    tool(1, 'gone', { present: false }),
    tool(2, 'recall'),
  ],
};
const onIn = (overrides: ToolOverrides): string[] =>
  serversOfChat(full, overrides)
    .flatMap(({ tools }) => tools)
    .filter(({ on }) => on)
    .map(({ name }) => name);
const github = (overrides: ToolOverrides) => {
  const [found] = serversOfChat(full, overrides);
  if (!found) throw new Error('no server');
  return found;
};

describe('the tools of a chat', () => {
  it('are those of the settings until the chat says otherwise', () => {
    expect(onIn({})).toEqual(['read', 'write', 'recall']);
    expect(github({}).tools.map(({ choice }) => choice)).toEqual(Array(4).fill('inherit'));
  });

  it('follow a tool’s own choice before that of its server', () => {
    expect(onIn({ mcp__1: false, mcp__1__read: true })).toEqual(['read', 'recall']);
    expect(onIn({ mcp__1: true, mcp__1__read: false })).toEqual(['write', 'off', 'recall']);
  });

  it('never hold one that models can’t be offered', () => {
    expect(onIn({ mcp__1__broken: true })).not.toContain('broken');
    expect(github({}).tools.find(({ name }) => name === 'broken')?.problem).toBe('Its schema is broken.');
  });

  it('count as none of a server that is off, and leave out what is not there any more', () => {
    const servers = serversOfChat(full, {});
    expect(servers.map(({ on, tools }) => [on, tools.length])).toEqual([
      [2, 4],
      [0, 1],
    ]);
    expect(servers[1]?.status).toEqual({ state: 'disconnected', toolCount: 0 });
  });

  it('cost what those cost that are on', () => {
    expect(github({}).tokens).toBe(20);
    expect(github({ mcp__1__write: false }).tokens).toBe(10);
    expect(serversOfChat(full, {})[1]?.tokens).toBe(0);
  });

  it('go back to the settings one by one', () => {
    const changed = withChanges({ mcp__1__write: false }, choose('mcp__1__read', 'off'));
    expect(changed).toEqual({ mcp__1__write: false, mcp__1__read: false });
    expect(withChanges(changed, choose('mcp__1__read', 'inherit'))).toEqual({ mcp__1__write: false });
  });

  it('forget what was said of them one by one when the whole server is chosen', () => {
    const before = { mcp__1__read: false, mcp__2__recall: false };
    const after = withChanges(before, chooseServer(github({}), 'on'));
    expect(after).toEqual({ mcp__2__recall: false, mcp__1: true });
  });

  it('are switched off together, and on again as they were', () => {
    const before = { mcp__1__off: true };
    const off = withChanges(before, switchServer(before, github(before), full));
    expect(off).toEqual({ mcp__1: false });
    expect(withChanges(off, switchServer(off, github(off), full))).toEqual({});
  });

  it('are all switched on where the settings leave none on', () => {
    const none: Setup = { ...full, tools: [tool(1, 'off', { enabled: false })] };
    const [of] = serversOfChat(none, {});
    if (!of) throw new Error('no server');
    expect(switchServer({}, of, none)).toEqual({ mcp__1__off: null, mcp__1: true });
  });

  it('are found by name, by title and by server', () => {
    const found = (query: string): string[] =>
      searchTools(serversOfChat(full, {}), query).flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(found('ISSUE')).toEqual(['write']);
    expect(found('reca')).toEqual(['recall']);
    expect(found('memory')).toEqual(['recall']);
    expect(found('nothing')).toEqual([]);
  });

  it('of which there are thousands are counted in no time', () => {
    const many = Array.from({ length: 5000 }, (_, index) => tool((index % 50) + 1, `tool${index}`));
    const servers = Array.from({ length: 50 }, (_, index) => server(index + 1, `Server ${index}`));
    const counted = serversOfChat({ ...full, servers, tools: many }, { mcp__1: false });
    expect(counted.reduce((sum, { on }) => sum + on, 0)).toBe(4900);
  });
});

describe('what is said of how tools are sent', () => {
  const { settings } = full;
  const servers = serversOfChat(full, {});
  const tokens = READ_MORE_TOKENS + 2 * 10;
  const room = (100 / settings.maxToolShare) * tokens;

  it.each([
    ['all of them, while they fit', { contextWindow: room }, settings, 'all'],
    ['all of them, with a context of unknown size', {}, settings, 'all'],
    [
      'found by search, when they take too much of the context',
      { contextWindow: room - 1 },
      settings,
      'search',
    ],
    ['all of them, as many as a request may have', {}, { ...settings, maxTools: 3 }, 'all'],
    ['found by search, when they are too many with read_more', {}, { ...settings, maxTools: 2 }, 'search'],
    ['none, to a model that calls none', { tools: false, contextWindow: room }, settings, 'none'],
  ] as const)('is %s', (_, traits, limits, expected) => {
    expect(toolsSent(servers, traits, limits).type).toBe(expected);
  });

  it('counts of those found by search what every chat needs, and what this one has found or called', () => {
    const own = ['read_page', 'current_time', 'open_tab'].map((name) =>
      tool(OWN_TOOLS, name, { offeredName: name }),
    );
    const chat = serversOfChat({ ...full, tools: [...full.tools, ...own] }, { current_time: false });
    const limits = { ...settings, maxTools: 2 };
    const always = READ_MORE_TOKENS + SEARCH_TOOLS_TOKENS + 10;
    expect(toolsSent(chat, {}, limits)).toEqual({ type: 'search', which: 'all', on: 4, tokens: always });
    const seen = toolsSeen({
      messages: [answer('m1', 'search_tools'), answer('m2', 'mcp__1__read', 'mcp__2__recall')],
      calls: { 'm1.0': { result: { text: '{"tools":[{"name":"open_tab"}]}', isError: false } } as ToolCall },
    });
    expect(seen).toEqual(['search_tools', 'open_tab', 'mcp__1__read', 'mcp__2__recall']);
    expect(toolsSent(chat, {}, limits, seen)).toEqual({
      type: 'search',
      which: 'all',
      on: 4,
      tokens: always + 20,
    });
  });

  it('has the model search for what acts on pages before it has it search for a server’s tools', () => {
    const click = tool(OWN_TOOLS, 'click', { offeredName: 'click' });
    const chat = serversOfChat({ ...full, tools: [...full.tools, click] }, {});
    const search = { type: 'search', which: 'acting', on: 3, tokens: tokens + SEARCH_TOOLS_TOKENS };
    expect(toolsSent(chat, {}, { ...settings, maxTools: 3 })).toEqual(search);
    expect(toolsSent(chat, { contextWindow: room }, settings)).toEqual({ ...search, window: room });
  });

  it('says that pages can be read only while one of Portside’s own tools does that', () => {
    const own = ['read_page', 'current_time'].map((name) => tool(OWN_TOOLS, name, { offeredName: name }));
    const reads = (overrides: ToolOverrides) => readsPages(serversOfChat({ ...full, tools: own }, overrides));
    expect([reads({}), reads({ read_page: false })]).toEqual([true, false]);
  });
});
