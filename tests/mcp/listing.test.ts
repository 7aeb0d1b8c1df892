import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excess } from '../../lib/mcp/content/excess.ts';
import { type About, listOffer, listTools } from '../../lib/mcp/offer/listing.ts';
import { readPrompts, readResources, readTemplates } from '../../lib/mcp/offer/read-offer.ts';
import { readTools } from '../../lib/mcp/offer/read-tools.ts';
import { connectPeer, type PeerOptions } from './raw-peer.ts';
import '../properties.ts';

const inputSchema = { type: 'object' };
const complete = { resultType: 'complete' };
const about: About = {
  transport: 'streamable-http',
  protocolVersion: '2025-11-25',
  capabilities: { prompts: {}, resources: { subscribe: true }, logging: {} },
  serverInfo: { name: 'notes', version: '2' },
  instructions: undefined,
};

async function toolsOf(tools: unknown[], era: PeerOptions['era'] = 'legacy') {
  const answers = { 'tools/list': () => ({ ...(era === 'modern' && complete), tools }) };
  const { client } = await connectPeer({ answers, era });
  return listTools(client, {});
}

describe('the list of tools', () => {
  it('keeps what a tool says of itself', async () => {
    const tool = {
      name: 'add',
      title: 'Add',
      description: 'Adds.',
      inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
      annotations: { readOnlyHint: true },
      icons: [{ src: 'data:image/png;base64,AAAA', mimeType: 'image/png', sizes: ['48x48'] }],
    };
    expect(await toolsOf([{ ...tool, extra: 1 }])).toEqual([tool]);
  });

  it.each(['legacy', 'modern'] as const)('survives entries that are no tools (%s)', async (era) => {
    const tools = await toolsOf([null, 7, { name: 'good', inputSchema }, { name: 8 }, []], era);
    expect(tools.filter(({ problem }) => problem === undefined).map(({ name }) => name)).toEqual(['good']);
    expect(tools.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
  });

  it('comes in pages, all of which are read', async () => {
    const answers = {
      'tools/list': ({ cursor = '0' }: Record<string, unknown>) => ({
        tools: [{ name: `t${String(cursor)}`, inputSchema }],
        ...(Number(cursor) < 3 && { nextCursor: String(Number(cursor) + 1) }),
      }),
    };
    const { client } = await connectPeer({ answers });
    expect((await listTools(client, {})).map(({ name }) => name)).toEqual(['t0', 't1', 't2', 't3']);
  });

  it('ends where a cursor repeats, with a note', async () => {
    const answers = { 'tools/list': () => ({ tools: [], nextCursor: 'again' }) };
    const { client, sent } = await connectPeer({ answers });
    const problems: string[] = [];
    await listTools(client, { onProblem: (text) => problems.push(text) });
    expect(problems).toEqual([expect.stringContaining('the same page twice')]);
    expect(sent.filter((each) => 'method' in each && each.method === 'tools/list')).toHaveLength(2);
  });

  it('ends at a limit when the cursors never do, with a note', async () => {
    let page = 0;
    const answers = {
      'tools/list': () => ({ tools: [{ name: `t${page++}`, inputSchema }], nextCursor: `c${page}` }),
    };
    const { client } = await connectPeer({ answers });
    const problems: string[] = [];
    expect(await listTools(client, { onProblem: (text) => problems.push(text) })).toHaveLength(100);
    expect(problems).toEqual([expect.stringContaining('did not end')]);
  });

  it('leaves out a tool whose schema holds one huge list, without going through that', async () => {
    let looked = 0;
    const list = new Proxy(Array<number>(5_000_000), { ownKeys: () => ((looked += 1), ['length']) });
    expect(excess({ enum: list })).toContain('large');
    expect(looked).toBe(0);
  });

  it('ends at a limit of characters, with a note', async () => {
    const tools = Array.from({ length: 60 }, (_, at) => ({
      name: `t${at}`,
      description: 'x'.repeat(400_000),
      inputSchema,
    }));
    const { client } = await connectPeer({ answers: { 'tools/list': () => ({ tools }) } });
    const problems: string[] = [];
    expect(await listTools(client, { onProblem: (text) => problems.push(text) })).toHaveLength(49);
    expect(problems).toContainEqual(expect.stringContaining('only the first 49 entries are used'));
  });

  it('is not requested where the server has no tools', async () => {
    const { client, sent } = await connectPeer({ capabilities: {} });
    expect(await listTools(client, {})).toEqual([]);
    expect(sent.some((each) => 'method' in each && each.method === 'tools/list')).toBe(false);
  });

  it('fails when the server refuses it', async () => {
    const { client } = await connectPeer({
      answers: { 'tools/list': () => ({ error: { code: -32603, message: 'Oh' } }) },
    });
    await expect(listTools(client, {})).rejects.toThrow('Oh');
  });

  it('knows the tools that may or must be called as tasks', async () => {
    const supports = ['required', 'optional', 'forbidden', undefined];
    const tools = await toolsOf(
      supports.map((taskSupport, at) => ({ name: `t${at}`, inputSchema, execution: { taskSupport } })),
    );
    expect(tools.map(({ hasTasks, problem }) => [hasTasks, problem])).toEqual([
      [true, undefined],
      [true, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('uses the first of two with one name, and says so of the second', async () => {
    const tools = await toolsOf([
      { name: 'echo', description: 'first', inputSchema },
      { name: 'echo', description: 'second', inputSchema },
    ]);
    expect(tools[0]).toMatchObject({ name: 'echo', description: 'first' });
    expect(tools[0]?.problem).toBeUndefined();
    expect(tools[1]).toMatchObject({
      description: 'second',
      problem: expect.stringContaining('“echo” more than once'),
    });
    expect(tools[1]?.name).not.toBe('echo');
  });

  it.each(['', 'a'.repeat(300), 'line\nbreak'])(
    'has a tool whose name can’t be used, with a sentence',
    async (name) => {
      const [tool] = await toolsOf([{ name, inputSchema }]);
      expect(tool?.problem).toMatch(/name/);
      expect(tool?.name).toMatch(/\(entry 1\)$/);
    },
  );

  const broken: [string, unknown, RegExp][] = [
    ['none', undefined, /no JSON schema/],
    ['a text', 'object', /no JSON schema/],
    ['of a text', { type: 'string' }, /does not describe an object/],
    ['with properties in a list', { type: 'object', properties: [] }, /“properties”/],
    [
      'with a property that is no schema',
      { type: 'object', properties: { a: 'text' } },
      /“properties\.a” is not a schema/,
    ],
    [
      'with an unknown type',
      { type: 'object', properties: { a: { type: 'int' } } },
      /“properties\.a” has an unknown type/,
    ],
    [
      'that refers to nothing',
      { type: 'object', properties: { a: { $ref: '#/$defs/no' } } },
      /“#\/\$defs\/no”/,
    ],
    ['that refers elsewhere', { type: 'object', properties: { a: { $ref: 'https://x.test/s' } } }, /x\.test/],
    [
      'with a reference that is none',
      { type: 'object', properties: { a: { $ref: 5 } } },
      /is not an address/,
    ],
    ['that nests too deep', nested(200), /levels deep/],
    [
      'whose parts have addresses within addresses',
      nested(14, (level) => ({ $id: `x${level}` })),
      /too many/,
    ],
    ['with a name that is a book', { type: 'object', properties: { ['x'.repeat(20_000)]: {} } }, /too long/],
    ['that is too large', { type: 'object', description: 'x'.repeat(600_000) }, /too large/],
  ];
  it.each(broken)('quarantines a tool whose schema is broken: %s', async (_what, schema, problem) => {
    const tools = await toolsOf([
      { name: 'bad', inputSchema: schema },
      { name: 'good', inputSchema },
    ]);
    expect(tools[0]).toMatchObject({
      name: 'bad',
      inputSchema: { type: 'object' },
      problem: expect.stringMatching(problem),
    });
    expect(tools[1]?.problem).toBeUndefined();
  });

  it.each([
    {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
    },
    { properties: { $ref: { type: 'string' } }, type: 'object' },
    {
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: true, c: { items: [{ type: 'number' }] } },
    },
    { type: 'object', properties: { a: { enum: [1, null], default: { type: 'int' } } }, required: 'a' },
    {
      $id: 'https://x.test/all',
      type: 'object',
      properties: { a: { $ref: 'one' } },
      $defs: { one: { $id: 'one', $defs: { two: { $id: 'two', $anchor: 'it' } }, $ref: 'two#it' } },
    },
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      definitions: { a: {} },
      properties: { x: { $ref: '#/definitions/a' } },
    },
    {},
  ])('leaves an unusual schema that can be called alone: %j', async (schema) => {
    const [tool] = await toolsOf([{ name: 'odd', inputSchema: schema }]);
    expect(tool).toMatchObject({ inputSchema: schema });
    expect(tool?.problem).toBeUndefined();
  });

  it('quarantines a tool whose headers can’t be made, on the revision that has them', async () => {
    const tool = {
      name: 'find',
      inputSchema: { type: 'object', properties: { at: { type: 'object', 'x-mcp-header': 'At' } } },
    };
    expect((await toolsOf([tool], 'modern'))[0]?.problem).toMatch(/headers/);
    expect((await toolsOf([tool]))[0]?.problem).toBeUndefined();
  });

  it('reads anything', () => {
    const entry = fc.oneof(
      fc.anything(),
      fc.record({
        name: fc.anything(),
        inputSchema: fc.anything(),
        annotations: fc.anything(),
        icons: fc.anything(),
      }),
      fc.record({
        name: fc.string(),
        uri: fc.string(),
        uriTemplate: fc.string(),
        arguments: fc.anything(),
        sizes: fc.anything(),
      }),
    );
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const tools = readTools(entries, { mirrorsArguments: true });
        expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
        expect(() => structuredClone(tools)).not.toThrow();
        for (const read of [readPrompts, readResources, readTemplates]) {
          expect(() => structuredClone(read(entries, {}))).not.toThrow();
        }
      }),
    );
  });
});

describe('what a server offers besides tools', () => {
  const answers = {
    'prompts/list': () => ({
      prompts: [
        { name: 'greet', title: 'Greet', arguments: [{ name: 'who', required: true }, { title: 'no name' }] },
        { name: 'greet' },
        { title: 'no name' },
        null,
      ],
    }),
    'resources/list': () => ({
      resources: [
        {
          uri: 'note://1',
          name: 'One',
          mimeType: 'text/plain',
          size: 12,
          annotations: { audience: ['user', 'admin'], priority: 0.5, lastModified: '2026-01-01' },
        },
        { uri: 'note://2' },
        { name: 'nowhere' },
      ],
    }),
    'resources/templates/list': () => ({
      resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'A note' }],
    }),
  };

  it('is read entry by entry', async () => {
    const { client } = await connectPeer({ answers });
    const problems: string[] = [];
    const offer = await listOffer(client, about, { onProblem: (text) => problems.push(text) });
    expect(offer).toEqual({
      info: {
        name: 'notes',
        version: '2',
        protocolVersion: '2025-11-25',
        transport: 'streamable-http',
        can: ['subscribe', 'log'],
      },
      prompts: [
        {
          name: 'greet',
          title: 'Greet',
          description: '',
          arguments: [{ name: 'who', description: '', required: true }],
        },
      ],
      resources: [
        {
          uri: 'note://1',
          name: 'One',
          description: '',
          mimeType: 'text/plain',
          size: 12,
          annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01' },
        },
        { uri: 'note://2', name: 'note://2', description: '' },
      ],
      templates: [{ uriTemplate: 'note://{id}', name: 'A note', description: '' }],
    });
    expect(problems).toHaveLength(4);
  });

  it('is the same on the 2026-07-28 revision, whose client checks more strictly', async () => {
    const modern = Object.fromEntries(
      Object.entries(answers).map(([method, answer]) => [method, () => ({ ...complete, ...answer() })]),
    );
    const { client } = await connectPeer({ answers: modern, era: 'modern' });
    const offer = await listOffer(client, about, {});
    expect([offer.prompts.length, offer.resources.length, offer.templates.length]).toEqual([1, 2, 1]);
  });

  it('loses one list when that one fails', async () => {
    const { client } = await connectPeer({
      answers: { ...answers, 'resources/list': () => ({ error: { code: -32603, message: 'No disk' } }) },
    });
    const problems: string[] = [];
    const offer = await listOffer(client, about, { onProblem: (text) => problems.push(text) });
    expect([offer.prompts.length, offer.resources.length, offer.templates.length]).toEqual([1, 0, 1]);
    expect(problems).toContainEqual(expect.stringMatching(/resources\/list failed: .*No disk/));
  });

  it('keeps of a list that can’t be read again what was in it', async () => {
    let isBroken = false;
    const failing = (method: keyof typeof answers) => () =>
      isBroken ? { error: { code: -32603, message: 'No disk' } } : answers[method]();
    const { client } = await connectPeer({
      answers: {
        ...answers,
        'prompts/list': failing('prompts/list'),
        'resources/list': failing('resources/list'),
      },
    });
    const first = await listOffer(client, about, {});
    isBroken = true;
    expect(await listOffer(client, about, {}, first)).toEqual(first);
  });

  it('is not requested where the server declares no such capability', async () => {
    const { client, sent } = await connectPeer({ answers });
    const before = sent.length;
    const offer = await listOffer(client, { ...about, capabilities: {} }, {});
    expect(offer.prompts.length + offer.resources.length + offer.templates.length).toBe(0);
    expect(sent.length).toBe(before);
  });

  it('is given up when it is aborted', async () => {
    const { client } = await connectPeer({ answers });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(listOffer(client, about, { signal })).rejects.toThrow('enough');
  });

  it('has the server’s own words, and only icons of bounded size that can be shown', async () => {
    const { client } = await connectPeer({});
    const png = 'data:image/png;base64,AAAA';
    const serverInfo = {
      name: 'notes',
      title: 'Notes',
      version: '2',
      websiteUrl: 'javascript:alert(1)',
      icons: [
        { src: png },
        { src: 'http://x.test/a.png' },
        { src: 'data:text/html,hi' },
        { src: `data:image/png;base64,${'A'.repeat(100_000)}` },
        { src: 'https://x.test/a.png', sizes: '48x48' },
        { src: 5 },
      ],
    };
    const { info } = await listOffer(
      client,
      { ...about, capabilities: {}, serverInfo, instructions: 'Be kind.' },
      {},
    );
    expect(info).toEqual({
      name: 'notes',
      title: 'Notes',
      version: '2',
      icons: [{ src: png }, { src: 'https://x.test/a.png', sizes: ['48x48'] }],
      protocolVersion: '2025-11-25',
      transport: 'streamable-http',
      instructions: 'Be kind.',
      can: [],
    });
  });
});

function nested(depth: number, more: (level: number) => object = () => ({})): unknown {
  let schema: unknown = { type: 'object' };
  for (let level = 0; level < depth; level += 1)
    schema = { ...more(level), type: 'object', properties: { in: schema } };
  return schema;
}
