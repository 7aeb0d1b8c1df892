import { describe, expect, it } from 'vitest';
import { createOwnToolCalls } from '../../lib/tools/own-tool-calls.ts';
import { nearNames } from '../../lib/tools/near-names.ts';
import { createSearchTools, createToolSearch } from '../../lib/tools/search-tools.ts';
import { SEARCH_TOOLS_TOKENS } from '../../lib/types/tools/tool-search.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import { tokensOfTool } from '../../lib/agent/context/tokens.ts';
import { noTabs } from '../fakes/tabs.ts';

function tool(toolName: string, description = '', more: Partial<OfferedTool> = {}): OfferedTool {
  return {
    name: `mcp__1__${toolName}`,
    toolName,
    serverId: 1,
    serverName: 'Work',
    description,
    inputSchema: {},
    annotations: {},
    ...more,
  };
}

it('search_tools costs what the panel counts for it', () => {
  expect(tokensOfTool(createSearchTools(async () => []).definition)).toBe(SEARCH_TOOLS_TOKENS);
});

const tools = [
  tool('createIssue', 'Opens a ticket in the tracker'),
  tool('list-calendar.events', 'What is planned'),
  tool('send_mail', 'Sends a message', {
    inputSchema: { type: 'object', properties: { recipientAddress: { type: 'string' } } },
  }),
  tool('x1', 'x'.repeat(500), { annotations: { title: 'Translate a document' } }),
  tool('issue_report', 'Something else about an invoice'),
];

function find(query: string, limit?: number): string[] {
  const found: { tools: { name: string }[] } = JSON.parse(createToolSearch(tools)(query, limit));
  return found.tools.map(({ name }) => name.replace('mcp__1__', ''));
}

const none = {
  readCall: async () => undefined,
  messagesBefore: async () => [],
  originsRead: async () => [],
  tabs: noTabs,
};

describe('the search for tools', () => {
  it.each([
    ['create issue', 'createIssue'],
    ['calendar events', 'list-calendar.events'],
    ['recipient', 'send_mail'],
    ['translate', 'x1'],
    ['ticket', 'createIssue'],
    ['calend', 'list-calendar.events'],
    ['calandar', 'list-calendar.events'],
    ['isseu tikcet', 'createIssue'],
    ['the report', 'issue_report'],
    ['invoice', 'issue_report'],
  ])('finds by %j first of all %s', (query, name) => {
    expect(find(query)[0]).toBe(name);
  });

  it('reads the beginning of a description, the less of it the more tools there are', () => {
    const long = (at: number) => tool(`x${at}`, `${'x '.repeat(at)}zebra`);
    const ask = (all: OfferedTool[]) =>
      (JSON.parse(createToolSearch(all)('zebra')) as { tools: [] }).tools.length;
    expect([ask([long(900)]), ask([long(1_100)])]).toEqual([1, 0]);
    const many = Array.from({ length: 4_000 }, (_, at) => tool(`t${at}`, 'y'));
    expect(ask([...many, long(400)])).toBe(0);
  });

  it('gives offered names and short descriptions', () => {
    const { tools: found } = JSON.parse(createToolSearch(tools)('translate'));
    expect(found).toEqual([{ name: 'mcp__1__x1', description: `${'x'.repeat(199)}…` }]);
  });

  it('gives ten at most, or as few as asked', () => {
    const many = Array.from({ length: 30 }, (_, n) => tool(`note_${n}`));
    expect(JSON.parse(createToolSearch(many)('note')).tools).toHaveLength(10);
    expect(find('issue', 1)).toHaveLength(1);
    expect(find('issue', Number.NaN).length).toBeGreaterThan(1);
  });

  it('says what it searched when it finds nothing', () => {
    expect(JSON.parse(createToolSearch(tools)('zzzz'))).toEqual({
      tools: [],
      hint: 'None of the 5 tools fits. Try other or fewer words. They are of: Work.',
    });
  });

  it('of the same list is the same one, so that its index is built once', () => {
    expect(createToolSearch(tools)).toBe(createToolSearch(tools));
    expect(createToolSearch([...tools])).not.toBe(createToolSearch(tools));
  });

  it('takes any query', () => {
    for (const query of ['', '   ', '😀', '((', 'a '.repeat(5_000)]) {
      expect(() => JSON.parse(createToolSearch(tools)(query))).not.toThrow();
    }
  });

  it('reads no more of a query than a user would write', async () => {
    expect(find(`${'zzzz '.repeat(70)}ticket`)).toEqual([]);
    const { searchTool } = createOwnToolCalls({ ...none, toolsOf: async () => [] });
    expect(searchTool.inputSchema).toMatchObject({ properties: { query: { maxLength: 300 } } });
  });

  it('is called as a tool of its own, over the tools of the conversation', async () => {
    const { call, searchTool } = createOwnToolCalls({
      ...none,
      toolsOf: async (id) => (id === 'c1' ? tools : []),
    });
    const options = {
      signal: new AbortController().signal,
      started: async () => {},
      accepted: async () => {},
      progress: () => {},
    };
    const { result } = await call(
      { callId: 'm1.0', serverId: null, toolName: searchTool.toolName, conversationId: 'c1' },
      { query: 'ticket' },
      options,
    );
    expect(JSON.parse(result.text).tools[0].name).toBe('mcp__1__createIssue');
  });
});

describe('near names', () => {
  it.each([
    ['create_issue', 'mcp__1__createIssue'],
    ['mcp__2__sendMail', 'mcp__1__send_mail'],
    ['calendar_events', 'mcp__1__list-calendar.events'],
  ])('of %s begin with %s', (name, near) => {
    expect(nearNames(name, tools)[0]).toBe(near);
  });

  it('are three at most, and none of what nothing is like', () => {
    const many = Array.from({ length: 9 }, (_, n) => tool(`note${n}`));
    expect(nearNames('note', many)).toHaveLength(3);
    expect(nearNames('qqqq', tools)).toEqual([]);
    expect(nearNames('', tools)).toEqual([]);
  });
});
