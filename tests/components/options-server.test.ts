import { describe, expect, it } from 'vitest';
import { routeOf } from '../../components/options/route.ts';
import { exampleArguments } from '../../components/options/server/example-arguments.ts';
import { previewOf } from '../../components/options/server/preview.tsx';
import { filterTools, offeredSum, withKept } from '../../components/options/server/tool-list.ts';
import type { ToolSummary } from '../../lib/protocol/setup.ts';
import { units } from '../../locales/units.ts';
import { dates } from '../../locales/dates.ts';

const tool = (name: string, more: Partial<ToolSummary> = {}): ToolSummary => ({
  serverId: 1,
  name,
  offeredName: `mcp__1__${name}`,
  description: `Does ${name}`,
  annotations: {},
  enabled: true,
  permission: 'ask',
  present: true,
  tokens: 10,
  ...more,
});
const names = (tools: ToolSummary[]): string => tools.map(({ name }) => name).join();

describe('the tools of a server', () => {
  const tools = [
    tool('echo', { title: 'Say it again' }),
    tool('add', { enabled: false }),
    tool('broken', { problem: 'Its schema is broken.' }),
    tool('gone', { present: false }),
  ];

  it('are found by name, title and description, whatever the case', () => {
    expect(names(filterTools(tools, 'all', ' ECHO '))).toBe('echo');
    expect(names(filterTools(tools, 'all', 'again'))).toBe('echo');
    expect(names(filterTools(tools, 'all', 'does a'))).toBe('add');
  });

  it('are shown by whether they are on; one that no model is offered is not', () => {
    expect(names(filterTools(tools, 'on', ''))).toBe('echo,gone');
    expect(names(filterTools(tools, 'off', ''))).toBe('add,broken');
  });

  it('cost what those cost that models are offered', () => {
    const priced = tools.map((each, position) => ({ ...each, tokens: 10 ** position }));
    expect(offeredSum(priced)).toEqual({ on: 1, price: 1 });
  });

  it('keep their identity unless they changed, so that no other row is drawn again', () => {
    const now = withKept(tools, structuredClone([tool('new'), ...tools.slice(0, 1), tool('add')]));
    expect(now.map((each) => tools.includes(each))).toEqual([false, true, false]);
    expect(now[2]?.enabled).toBe(true);
  });
});

describe('the arguments to start from', () => {
  const start = (properties: object, required: string[] = [], more: object = {}): unknown =>
    JSON.parse(exampleArguments({ type: 'object', properties, required, ...more }));

  it('are what is required and what has a default', () => {
    const properties = {
      query: { type: 'string' },
      page: { type: 'integer', default: 2 },
      sort: { enum: ['a'] },
    };
    expect(start(properties, ['query'])).toEqual({ query: '', page: 2 });
  });

  it('take the first value that the schema allows', () => {
    const properties = {
      sort: { enum: ['new', 'old'] },
      kind: { const: 'issue' },
      count: { type: 'number', minimum: 3 },
      maybe: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      list: { type: ['array', 'null'] },
    };
    const values = { sort: 'new', kind: 'issue', count: 3, maybe: false, list: [] };
    expect(start(properties, Object.keys(properties))).toEqual(values);
  });

  it('follow a named part of the schema, and end where it names itself', () => {
    const $defs = {
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] },
    };
    const text = JSON.stringify(start({ node: { $ref: '#/$defs/Node' } }, ['node'], { $defs }));
    expect(text).toMatch(/^\{"node":\{"next":/);
    expect(text.length).toBeLessThan(200);
  });

  it.each([
    {},
    { properties: [] },
    { properties: { a: null }, required: 'a' },
    { properties: { a: 1 }, required: ['a'] },
  ])('are an object whatever the server says: %j', (schema) =>
    expect(JSON.parse(exampleArguments(schema))).toBeTypeOf('object'),
  );
});

describe('a preview', () => {
  it('cuts long texts, and says so', () => {
    const resource = { uri: 'a:b', text: 'x'.repeat(30_000) };
    const { shown, cut } = previewOf([
      { type: 'resource', resource },
      { type: 'text', text: 'short' },
    ]);
    expect(cut).toEqual({ shown: 20_000, all: 30_000 });
    expect(shown[0]).toEqual({ type: 'resource', resource: { uri: 'a:b', text: 'x'.repeat(20_000) } });
    expect(shown[1]).toEqual({ type: 'text', text: 'short' });
  });

  it('leaves everything else as it is', () => {
    const blocks = [{ type: 'image' as const, data: 'x'.repeat(30_000), mimeType: 'image/png' }];
    expect(previewOf(blocks)).toEqual({ shown: blocks });
  });
});

describe('the address of a server’s page', () => {
  it.each([
    ['#servers/3', { page: 'servers', item: 3 }],
    ['#servers/3/tools', { page: 'servers', item: 3, tab: 'tools' }],
    ['#servers/3/nonsense', { page: 'servers', item: 3 }],
  ])('%s names the tab', (hash, route) => expect(routeOf(hash)).toEqual(route));
});

describe('the words of the log', () => {
  it('tell the time to the millisecond, durations and sizes', () => {
    expect(dates.millisecond(new Date(2026, 10, 14, 9, 4, 5, 20).toISOString())).toBe('09:04:05.020');
    expect([84, 1188, 72_000].map(units.took)).toEqual(['84 ms', '1.2 s', '1 min 12 s']);
    expect([54, 7_600, 58_000, 2_400_000].map(units.bytes)).toEqual(['54 B', '8 kB', '58 kB', '2.4 MB']);
  });
});
