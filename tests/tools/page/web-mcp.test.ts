import { afterEach, describe, expect, it, vi } from 'vitest';
import { webMcp } from '../../../lib/tools/page/web-mcp.ts';

const site = 'https://shop.example';

type Tool = { name: string; inputSchema?: unknown } & Record<string, unknown>;

/** A document whose browser has WebMCP, on `document` or, as older ones, on `navigator`. */
function openDocument(
  tools: Tool[],
  execute: (tool: Tool, args: unknown, options: { signal: AbortSignal }) => Promise<string | null>,
  { on = 'document', chrome = 156, origin = site, secrets = [] as object[] } = {},
): void {
  const modelContext = { getTools: async () => tools, executeTool: execute };
  const without = class {
    querySelectorAll() {
      return secrets;
    }
  };
  const withContext = class extends without {
    get modelContext() {
      return modelContext;
    }
  };
  vi.stubGlobal('Document', on === 'document' ? withContext : without);
  vi.stubGlobal('Navigator', on === 'navigator' ? withContext : without);
  // An element of the page's with that name stands before the browser's own property.
  const document = Object.defineProperty({}, 'modelContext', { value: 'an element' });
  vi.stubGlobal('document', document);
  vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 Chrome/${chrome}.0.0.0 Safari/537.36` });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('self', { origin });
  vi.stubGlobal('location', { href: `${site}/cart` });
}
afterEach(() => vi.unstubAllGlobals());

const schema = { type: 'object', properties: { item: { type: 'string' } } };
const add: Tool = { name: 'add', title: 'Add', description: 'Adds an item', inputSchema: schema };

const list = async () => {
  const answer = await webMcp({ type: 'list' });
  return answer?.type === 'list' ? answer.tools : [];
};
/** Calls the first tool that is listed. */
const call = async (args: Record<string, unknown>, of = site) => {
  const [tool] = await list();
  return webMcp({ type: 'call', id: 'x', site: of, definition: tool?.definition ?? '', args });
};

describe('a document’s tools', () => {
  it('are none where the browser has no WebMCP, or the document has no origin', async () => {
    openDocument([add], async () => null, { on: 'nowhere' });
    expect(await webMcp({ type: 'list' })).toBeNull();
    openDocument([add], async () => null, { origin: 'null' });
    expect(await webMcp({ type: 'list' })).toBeNull();
  });

  it('are not those of forms with what the user alone may type, wherever the field stands', async () => {
    vi.stubGlobal('Element', {
      prototype: {
        getAttribute: vi.fn(function (this: { name: string }) {
          return this.name;
        }),
        closest: () => ({ name: 'pay' }),
      },
    });
    const secrets = [{ form: { name: 'sign in' } }, {}];
    openDocument([{ name: 'sign in' }, { name: 'pay' }, add], async () => null, { secrets });
    const found = await list();
    vi.unstubAllGlobals(); // vitest tells elements by them
    expect(found.map(({ name }) => name)).toEqual(['add']);
  });

  it.each(['document', 'navigator'])('are found on %s, without those of its frames', async (on) => {
    openDocument([add, { ...add, window: {} }, { name: 'clear', window: globalThis }], async () => null, {
      on,
    });
    expect((await list()).map(({ name }) => name)).toEqual(['add', 'clear']);
  });

  it('have their schema as an object in both dialects', async () => {
    for (const inputSchema of [schema, JSON.stringify(schema)]) {
      openDocument([{ ...add, inputSchema }], async () => null);
      expect((await list())[0]?.inputSchema).toEqual(schema);
    }
    openDocument([{ ...add, inputSchema: '{' }], async () => null);
    expect((await list())[0]?.inputSchema).toBeNull();
  });
});

describe('a call', () => {
  it.each([
    ['an object, as its schema is', schema, 150, { item: 'tea' }],
    ['a JSON text, as its schema is', JSON.stringify(schema), 156, '{"item":"tea"}'],
    ['an object from Chromium 154 on', undefined, 154, { item: 'tea' }],
    ['a JSON text before', undefined, 153, '{"item":"tea"}'],
  ])('gets its arguments once, as %s', async (_title, inputSchema, chrome, expected) => {
    const execute = vi.fn(async () => 'added');
    openDocument([{ ...add, inputSchema }], execute, { chrome });
    expect(await call({ item: 'tea' })).toEqual({ type: 'answer', text: 'added', url: `${site}/cart` });
    expect(execute).toHaveBeenCalledTimes(1);
    expect(execute).toHaveBeenCalledWith(expect.anything(), expected, expect.anything());
  });

  it('is not made of a tool that changed, or by a document of another site', async () => {
    const execute = vi.fn(async () => 'added');
    openDocument([add], execute);
    const [seen] = await list();
    expect(await call({}, 'https://other.example')).toEqual({ type: 'gone' });
    openDocument([{ ...add, description: 'Buys an item' }], execute);
    const definition = seen?.definition ?? '';
    expect(await webMcp({ type: 'call', id: 'x', site, definition, args: {} })).toEqual({ type: 'gone' });
    expect(execute).not.toHaveBeenCalled();
  });

  it('that fails says so, and one that is cancelled is cancelled in the page', async () => {
    openDocument([add], (_tool, _args, { signal }) => {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    const made = call({});
    await vi.waitFor(async () => {
      await webMcp({ type: 'cancel', id: 'x' });
      expect(await Promise.race([made, null])).toMatchObject({ type: 'failed', text: 'Error: stopped' });
    });
  });
});
