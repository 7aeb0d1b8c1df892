import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPageTools } from '../../entrypoints/background/tools/page-tools.ts';
import type { FoundTool, WebMcpAnswer, WebMcpRequest } from '../../lib/tools/page/web-mcp.ts';
import { PAGE_TOOLS } from '../../lib/types/tools/tool-source.ts';

type Target = { tabId: number; allFrames?: boolean; documentIds?: string[] };
type Frame = { frameId: number; documentId: string; answer: (request: WebMcpRequest) => unknown };

/** The browser at its seam: the documents of each tab, and what was asked of them. */
const fake = vi.hoisted(() => ({
  tabs: new Map<number, Frame[]>(),
  asked: [] as [target: Target, request: WebMcpRequest][],
}));
vi.mock('wxt/browser', () => ({
  browser: {
    scripting: {
      executeScript: async ({ target, args: [request] }: { target: Target; args: [WebMcpRequest] }) => {
        fake.asked.push([target, request]);
        const frames = fake.tabs.get(target.tabId);
        if (!frames) throw new Error('Cannot access contents of the page.');
        const { documentIds, allFrames } = target;
        const meant = frames.filter(({ frameId, documentId }) =>
          documentIds ? documentIds.includes(documentId) : allFrames || frameId === 0,
        );
        return Promise.all(
          meant.map(async ({ answer, ...frame }) => ({ ...frame, result: await answer(request) })),
        );
      },
    },
  },
}));

const site = 'https://shop.example';
const found = (name: string, more: Partial<FoundTool> = {}): FoundTool => ({
  name,
  title: '',
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  isConsequential: false,
  definition: name + JSON.stringify(more),
  ...more,
});
const frame = (frameId: number, of: string, tools: FoundTool[], answer?: Frame['answer']): Frame => ({
  frameId,
  documentId: `d${frameId}`,
  answer: (request) =>
    request.type === 'list' ? { type: 'list', site: of, tools } : (answer?.(request) ?? null),
});

/** The tabs of the chat, and one that no model may know of. */
let tabs: number[];
let closed: number;
const pageTools = createPageTools({
  tabsOf: async () => tabs,
  wait: () => new Promise(() => {}),
  isPrivate: async ({ id }) => id === closed,
});
const offered = async () => pageTools.offer(await pageTools.tabsOf('c1'));

beforeEach(() => {
  tabs = [7];
  closed = -1;
  fake.asked = [];
  fake.tabs = new Map([[7, [frame(0, site, [found('add')])]]]);
});

describe('what pages offer', () => {
  it('are none where no model may see what is there', async () => {
    closed = 7;
    expect(await offered()).toEqual([]);
    expect(await pageTools.find({ tab: 7, toolName: 'add', reads: site })).toBeUndefined();
  });

  it('is offered as the tab’s and the site’s own, whatever their names are', async () => {
    tabs = [7, 8, 9];
    fake.tabs.set(8, [frame(0, site, [found('add')])]);
    expect(await offered()).toEqual([
      {
        name: 'page__7__add',
        toolName: 'shop.example:add',
        serverId: PAGE_TOOLS,
        serverName: 'shop.example',
        description: `A tool of the page ${site} in tab 7, which says of it: Does add.`,
        inputSchema: { type: 'object', properties: {} },
        annotations: { openWorldHint: true },
        page: { tab: 7, site },
      },
      expect.objectContaining({ name: 'page__8__add', page: { tab: 8, site } }),
    ]);
  });

  it('is found on the site alone that it was found on, not on one of the same name without encryption', async () => {
    const wanted = { tab: 7, toolName: 'shop.example:add' };
    expect(await pageTools.find({ ...wanted, reads: site })).toMatchObject({ name: 'shop.example:add' });
    fake.tabs.set(7, [frame(0, 'http://shop.example', [found('add')])]);
    expect(await pageTools.find({ ...wanted, reads: site })).toBeUndefined();
  });

  it('is named by the frame’s own site where that is another one, and never twice the same', async () => {
    fake.tabs.set(7, [
      frame(4, 'https://pay.example', [found('add')]),
      frame(0, site, [found('add')]),
      frame(5, site, [found('add', { description: 'Another.' })]),
    ]);
    expect((await offered()).map(({ name, toolName }) => [name, toolName])).toEqual([
      ['page__7__add', 'shop.example:add'],
      [expect.stringMatching(/^page__7__add_\w+$/), 'pay.example:add'],
    ]);
  });

  it('has names that models take, which are no server’s and none of Portside’s own', async () => {
    const names = ['mcp__1__echo', 'read_page', 'a b', 'é', 'x'.repeat(200), '\u200b', 'page__9__add'];
    fake.tabs.set(7, [
      frame(
        0,
        site,
        names.map((name) => found(name)),
      ),
    ]);
    const all = await offered();
    expect(all).toHaveLength(names.length - 1); // one has nothing to be seen
    for (const { name } of all) expect(name).toMatch(/^page__7__[\w-]{1,55}$/);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('is without what is invisible, and cut', async () => {
    const hidden = '\u{E0041}\u200b';
    const properties = { item: { type: 'string', description: `An item${hidden}` } };
    const described = { title: `Add${hidden}\n now`, description: `Adds${hidden} ${'x'.repeat(9_000)}` };
    fake.tabs.set(7, [
      frame(0, site, [found(`add${hidden}`, { ...described, inputSchema: { type: 'object', properties } })]),
    ]);
    const [tool] = await offered();
    expect(JSON.stringify(tool)).not.toMatch(/[\u{E0041}\u200b]/u);
    expect(tool?.toolName).toBe('shop.example:add');
    expect(tool?.annotations.title).toBe('Add now');
    expect(tool?.description.length).toBeLessThan(2_200);
  });

  it('is never believed to only read, but to destroy', async () => {
    fake.tabs.set(7, [frame(0, site, [found('wipe', { isConsequential: true })])]);
    expect((await offered())[0]?.annotations).toEqual({ openWorldHint: true, destructiveHint: true });
  });

  it('is left out where its schema is none', async () => {
    const broken = [null, { type: 'string' }, { type: 'object', properties: 3 }, 'text'];
    fake.tabs.set(7, [
      frame(
        0,
        site,
        broken.map((inputSchema, at) => found(`t${at}`, { inputSchema })),
      ),
    ]);
    expect(await offered()).toEqual([]);
  });

  it('is no more than can be looked through at each request, however many frames offer it', async () => {
    const definition = 'x'.repeat(30_000);
    const many = (frameId: number, more: Partial<FoundTool>) =>
      frame(
        frameId,
        site,
        Array.from({ length: 100 }, (_, at) => found(`t${frameId}_${at}`, more)),
      );
    fake.tabs.set(7, [frame(0, site, [found('add')]), ...[1, 2, 3].map((id) => many(id, { definition }))]);
    const large = await offered();
    expect(large).toHaveLength(7);
    expect(large[0]?.toolName).toBe('shop.example:add');
    fake.tabs.set(
      7,
      [1, 2, 3].map((id) => many(id, {})),
    );
    expect(await offered()).toHaveLength(200);
  });

  it('follows the pages: each look finds what they offer by then', async () => {
    fake.tabs.set(7, [frame(0, site, [found('add'), found('pay')])]);
    expect((await offered()).map(({ name }) => name)).toEqual(['page__7__add', 'page__7__pay']);
    fake.tabs.set(7, []);
    expect(await offered()).toEqual([]);
    fake.tabs.delete(7);
    expect(await offered()).toEqual([]);
  });

  it('is waited for no longer than a moment, and then asked of the tab’s own document alone', async () => {
    const hangs: Frame = { ...frame(4, site, []), answer: () => new Promise(() => {}) };
    fake.tabs.set(7, [frame(0, site, [found('add')]), hangs]);
    const impatient = createPageTools({
      isPrivate: async () => false,
      tabsOf: async () => tabs,
      wait: () => new Promise((resolve) => setImmediate(resolve)),
    });
    expect((await impatient.offer(tabs)).map(({ name }) => name)).toEqual(['page__7__add']);
  });
});

describe('a call', () => {
  const wanted = { callId: 'm1.0', conversationId: 'c1', serverId: PAGE_TOOLS, toolName: 'shop.example:add' };
  const made = { ...wanted, tab: 7, reads: site };
  const call = async (
    args: Record<string, unknown>,
    at: ReturnType<typeof options>,
    change = (): unknown => undefined,
  ) => {
    const judged = await pageTools.find(made);
    if (!judged) throw new Error('The page does not offer it.');
    await change();
    fake.asked = [];
    return pageTools.call(judged, made, args, at);
  };
  const options = (signal = new AbortController().signal) => ({
    signal,
    started: vi.fn(async () => {}),
    accepted: async () => {},
    progress: () => {},
  });
  const answeredBy = (answer: Frame['answer']): void => {
    fake.tabs.set(7, [frame(0, site, [found('add')], answer)]);
  };
  const answering = (answer: WebMcpAnswer | null | Promise<WebMcpAnswer>): void => answeredBy(() => answer);
  const calls = () => fake.asked.filter(([, { type }]) => type === 'call');
  const url = `${site}/cart`;

  it('is told to the document that offers the tool, once it is written down', async () => {
    answering({ type: 'answer', text: 'added', url });
    const at = options();
    at.started.mockImplementation(async () => expect(calls()).toEqual([]));
    expect(await call({ item: 'tea' }, at)).toEqual({
      status: 'success',
      result: { text: 'added', isError: false, url },
    });
    const request = expect.objectContaining({ site, args: { item: 'tea' }, definition: 'add{}' });
    expect(calls()).toEqual([[{ tabId: 7, documentIds: ['d0'] }, request]]);
  });

  it('reads what MCP has for answers', async () => {
    const raw = { content: [{ type: 'text', text: 'sold out' }], isError: true };
    answering({ type: 'answer', text: JSON.stringify(raw), url });
    expect(await call({}, options())).toMatchObject({
      status: 'error',
      result: { text: 'sold out', isError: true, url },
    });
  });

  it.each([
    ['the tool is gone', () => fake.tabs.set(7, [frame(0, site, [])])],
    [
      'the tool changed since it was judged',
      () => fake.tabs.set(7, [frame(0, site, [found('add', { description: 'Buys.' })])]),
    ],
    ['the tab is gone', () => fake.tabs.delete(7)],
    ['the tab shows another site', () => fake.tabs.set(7, [frame(0, 'https://x.example', [found('add')])])],
  ])('is not made when %s, and says so', async (_why, change) => {
    const at = options();
    const { status, result } = await call({}, at, change);
    expect([status, result.text]).toEqual(['error', expect.stringContaining('does not offer it any more')]);
    expect(at.started).not.toHaveBeenCalled();
    expect(calls()).toEqual([]);
  });

  it('whose page goes away in the middle of it has an unknown end', async () => {
    answering(null);
    const { status, result } = await call({}, options());
    expect([status, result.text]).toEqual(['unknown', expect.stringContaining('It may have been done')]);
    expect(calls()).toHaveLength(1);
  });

  it.each([
    ['says so', () => answering({ type: 'answer', text: null, url })],
    [
      'is gone before it says so',
      () =>
        answeredBy(() => {
          fake.tabs.set(7, [{ ...frame(0, site, []), documentId: 'next' }]);
          return null;
        }),
    ],
  ])('that leads to another page has no answer, where the page %s', async (_when, leads) => {
    leads();
    const { status, result } = await call({}, options());
    expect([status, result.text]).toEqual(['success', expect.stringContaining('gave no answer')]);
  });

  it('that is cancelled is cancelled in the page', async () => {
    answering(new Promise(() => {}));
    const stop = new AbortController();
    const ended = call({}, options(stop.signal));
    await vi.waitFor(() => expect(calls()).toHaveLength(1));
    stop.abort();
    expect((await ended).status).toBe('cancelled');
    const types = fake.asked.map(([, { type }]) => type);
    expect(types).toEqual(['list', 'call', 'cancel']);
  });
});
