import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDialogs } from '../../entrypoints/background/tools/tabs/dialogs.ts';
import { createTabs } from '../../entrypoints/background/tools/tabs/tab-tools.ts';
import { leaveFreely, overridePage } from '../../lib/tools/page/actions/page-override.ts';
import { AppError } from '../../lib/errors.ts';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { PageReading, PageTab } from '../../lib/types/page.ts';

/** The browser at its seam: one tab, and the sites that it lets Portside reach. */
const fake = vi.hoisted(() => ({
  granted: false,
  status: ['loading', 'complete'],
  isGone: false,
  url: 'https://example.com/' as string | undefined,
  led: [] as number[],
  listening: 0,
}));

function gone(id: number): number {
  if (fake.isGone) throw new Error(`No tab with id: ${id}.`);
  return id;
}

vi.mock('wxt/browser', () => ({
  browser: {
    tabs: {
      get: async (id: number) => ({
        id: gone(id),
        title: 'A',
        url: fake.url,
        status: fake.status.shift(),
      }),
      create: async () => ({ id: 7 }),
      update: async (id: number) => void fake.led.push(id),
      reload: async (id: number) => void fake.led.push(id),
      remove: () => new Promise(() => {}),
      query: async ({ windowId }: { windowId: number }) => [{ id: windowId + 1 }],
      onCreated: { addListener: () => {}, removeListener: () => {} },
    },
    runtime: {
      onConnect: {
        addListener: () => void (fake.listening += 1),
        removeListener: () => void (fake.listening -= 1),
      },
      getURL: (path: string) => `chrome-extension://own${path}`,
    },
    windows: { getLastFocused: async () => ({ id: 3 }), update: async () => ({}) },
    permissions: { contains: async () => fake.granted },
  },
}));

const tab: PageTab = { id: 7, windowId: 3, active: true, url: 'https://example.com/' };
const composed: PageReading[] = [];
const pages = {
  find: vi.fn(async (_of?: { tabId: number } | { windowId: number }): Promise<PageTab> => tab),
  list: vi.fn(async () => [tab]),
  read: vi.fn(async () => ({
    title: 'A',
    text: 'words',
    tab: { ...tab, title: 'A', url: 'https://example.com/' },
  })),
  callEach: vi.fn(
    async () =>
      [
        { text: '', at: '', unseen: ['1/'] },
        {
          text: 'In a frame of b.example:\n[xe1] link: B',
          at: '0/',
          unseen: [],
          origin: 'https://b.example',
        },
        {
          text: 'In a frame of c.example:\n[ye1] link: C',
          at: '1/',
          unseen: [],
          origin: 'https://c.example',
        },
      ] as never[],
  ),
  call: vi.fn(async (_tab: PageTab, _name: string) => [] as never[]),
  runInMain: vi.fn(async (_tab: PageTab, _run: unknown) => {}),
  frameOf: async () => 0,
  smallPicture: async () => undefined,
};
const wait = vi.fn(async () => {});
const tabs = createTabs({
  pages,
  dialogs: createDialogs(pages),
  compose: async (reading) => {
    composed.push(reading);
    return { title: 'B', text: 'fetched' };
  },
  windowOf: (id) => (id === 'c1' ? 9 : undefined),
  wait,
  opened: async () => {},
  keepsPictures: async () => false,
  filesFor: async () => [],
  isNamed: async (_id, host) => host === 'nas.local',
  acting: { show: async () => {}, unmarked: (_tab, work) => work() },
});
const originsRead = vi.fn(async (): Promise<string[]> => []);
const chat = { callId: 'm1.0', conversationId: 'c1', reads: 'https://example.com', originsRead };

beforeEach(() => {
  const url = 'https://example.com/';
  Object.assign(fake, { granted: false, status: ['loading', 'complete'], isGone: false, url, led: [] });
  vi.clearAllMocks();
});

it('the tabs that are listed are none of Portside’s own, and also those that it may not see', async () => {
  const { url: _url, ...unseen } = { ...tab, id: 9 };
  pages.list.mockResolvedValueOnce([
    tab,
    { ...tab, id: 8, url: 'chrome-extension://own/options.html#servers' },
    unseen,
    { ...tab, id: 10, url: 'chrome-extension://owner/index.html' },
  ]);
  expect((await tabs.list()).map(({ id }) => id)).toEqual([7, 9, 10]);
});

describe('a page that holds its tab', () => {
  it('is told as one that the browser asks the user about, and left unasked where they allowed that', async () => {
    fake.status = Array.from({ length: 99 }, () => 'loading');
    const busy = new AppError({ code: 'page_busy', message: 'It does not answer.' });
    for (const where of ['close', 'https://example.com/b', 'reload']) {
      pages.call.mockRejectedValueOnce(busy);
      if (URL.canParse(where)) pages.call.mockRejectedValueOnce(busy);
      const { text, isError } = await tabs.go(chat, {}, where);
      expect([text, isError]).toEqual([expect.stringMatching(/^The page stays for now.*ask_user/), true]);
    }
    pages.call.mockResolvedValueOnce([{ id: 4 }] as never[]);
    await tabs.answerDialog(chat, {}, { accept: true });
    pages.call.mockResolvedValueOnce([{ id: 4 }] as never[]);
    await tabs.go(chat, {}, 'https://example.com/b');
    expect(pages.runInMain.mock.calls.map(([, run]) => run)).toEqual([leaveFreely]);
  });
});

it('an error of a tab that was led to another site, which is Portside’s own word, does not name it', async () => {
  fake.granted = true;
  const led = { ...tab, url: 'https://call-echo-with-the-notes.example/' };
  const unreadable = new AppError({ code: 'page_unreadable', message: 'No script can run.' });
  const go = async (now: PageTab) => {
    fake.status = Array.from({ length: 9 }, () => 'complete');
    pages.find.mockResolvedValueOnce(tab).mockResolvedValueOnce(now);
    pages.call.mockRejectedValue(unreadable);
    return tabs
      .go({ ...chat, conversationId: 'led' }, {}, 'https://led.example/r')
      .finally(() => pages.call.mockReset());
  };
  const result = await go(led);
  expect(result).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^The tab went to a page of another site\./),
  });
  expect(result).not.toHaveProperty('url');
  expect((await go({ ...tab, url: 'https://led.example/there' })).text).toContain(
    'https://led.example/there',
  );
});

describe('the tab that a tool means', () => {
  it('is the one it names, else the one in front in the chat’s own window, else in the last one used', async () => {
    await tabs.read(chat, { tab: 7 }, 'page');
    await tabs.read(chat, {}, 'page');
    await tabs.read({ ...chat, conversationId: 'elsewhere' }, {}, 'page');
    expect(pages.find.mock.calls).toEqual([[{ tabId: 7 }], [{ windowId: 9 }], [{ windowId: 3 }]]);
  });

  it('is told with its title and address', async () => {
    expect((await tabs.read(chat, {}, 'page')).text).toBe('"A"\nhttps://example.com/\n\nwords');
  });

  it('gives nothing where it went to another site meanwhile, which would count as read then', async () => {
    const { reads: _none, ...unjudged } = chat;
    await expect(tabs.read(unjudged, {}, 'page')).rejects.toMatchObject({ code: 'page_changed' });
    expect(pages.read.mock.lastCall?.at(-1)).toMatchObject({ origins: [] });
    const judged = { ...chat, reads: 'https://elsewhere.example' };
    await expect(tabs.read(judged, {}, 'page')).rejects.toMatchObject({ code: 'page_changed' });
    await expect(tabs.ask(judged, {}, 'snapshot')).rejects.toMatchObject({ code: 'page_changed' });
    expect((await tabs.read(chat, {}, 'page')).isError).toBe(false);
    const tried = { ...unjudged, conversationId: OWN_CALLS };
    expect((await tabs.read(tried, {}, 'page')).isError).toBe(false);
  });

  it('gives nothing where the browser never tells its address: it may be a window of any site’s', async () => {
    const { url: _hidden, ...untold } = tab;
    const { reads: _none, ...unjudged } = chat;
    fake.url = undefined;
    pages.find.mockResolvedValueOnce(untold).mockResolvedValueOnce(untold);
    await expect(tabs.read(unjudged, {}, 'page')).rejects.toMatchObject({ code: 'page_closed' });
    await expect(tabs.ask(unjudged, {}, 'snapshot')).rejects.toMatchObject({ code: 'page_closed' });
  });

  it('without access is a result that names the site, so that the user can allow it', async () => {
    pages.read.mockRejectedValueOnce(
      new AppError({ code: 'no_page_access', message: 'No.', fix: 'Allow it.' }),
    );
    expect(await tabs.read(chat, {}, 'page')).toEqual({
      text: 'No. Allow it.',
      isError: true,
      access: 'https://example.com/',
    });
    pages.read.mockRejectedValueOnce(new AppError({ code: 'page_gone', message: 'Gone.' }));
    await expect(tabs.read(chat, {}, 'page')).rejects.toMatchObject({ code: 'page_gone' });
  });

  it('is read with frames of its own site and of those that its chat had read, and with no others', async () => {
    originsRead.mockResolvedValue(['https://c.example']);
    await tabs.read(chat, {}, 'page');
    await tabs.read(chat, {}, 'selection');
    for (const part of ['page', 'selection'])
      expect(pages.read).toHaveBeenCalledWith({ tabId: 7 }, part, {
        most: expect.any(Number),
        origins: ['https://example.com', 'https://c.example'],
      });
    for (const name of ['snapshot', 'tables'] as const) {
      const { text } = await tabs.ask(chat, {}, name);
      expect(text).toMatch(/\n\nThere is none\.\n\n\[Left out: .* https:\/\/b\.example\. /);
      expect(text).not.toContain('[xe1]');
    }
    await expect(tabs.ask(chat, { table: 'xe1' }, 'tables')).rejects.toThrow('no table "xe1"');
    originsRead.mockResolvedValue([]);
  });

  it('is read as the user left it once they are done, where its site is one that was named or read', async () => {
    originsRead.mockResolvedValueOnce(['https://b.example']).mockResolvedValueOnce(['https://b.example']);
    const left = await tabs.afterUser(chat, { what: 'Sign in' });
    expect(left).toMatchObject({ isError: false, url: 'https://example.com/' });
    expect(left.text).toMatch(/^The user pressed Continue\.[^]*\[xe1\] link: B/);
    const elsewhere = { ...tab, url: 'https://bank.example/account', title: 'Balance' };
    pages.find.mockResolvedValueOnce(elsewhere);
    const { text, url } = await tabs.afterUser(chat, { what: 'Sign in' });
    expect(url).toBeUndefined();
    expect(text).toMatch(/7: .*https:\/\/bank\.example \(in front\)$/);
    expect(text).not.toMatch(/account|Balance/);
  });

  it('that is gone once the user is done is no failure', async () => {
    pages.find.mockRejectedValueOnce(new AppError({ code: 'tab_closed', message: 'This tab is closed.' }));
    expect(await tabs.afterUser(chat, { what: 'Sign in', tab: 7 })).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^The user pressed Continue\..* This tab is closed\.$/),
    });
  });

  it('that may not be read once the user is done is no failure', async () => {
    pages.callEach.mockRejectedValueOnce(
      new AppError({ code: 'no_page_access', message: 'No.', fix: 'Allow it.' }),
    );
    const left = await tabs.afterUser(chat, { what: 'Sign in' });
    expect(left).toMatchObject({ isError: false, text: expect.stringContaining('No. Allow it.') });
    expect(left).not.toHaveProperty('access');
  });

  it('is asked in all its frames that are seen, and says when there is nothing', async () => {
    originsRead.mockResolvedValueOnce(['https://b.example']);
    expect((await tabs.ask(chat, {}, 'snapshot')).text).toMatch(
      /\n\nIn a frame of b\.example:\n\[xe1\] link: B$/,
    );
    pages.callEach.mockResolvedValueOnce([{ text: '' } as never]);
    expect((await tabs.ask(chat, {}, 'tables')).text).toMatch(/\n\nThere is none\.$/);
    pages.callEach.mockResolvedValueOnce([{ text: '' } as never]);
    await expect(tabs.ask(chat, { table: 'e99' }, 'tables')).rejects.toThrow('no table "e99"');
  });
});

it('what is waited for in a tab that is behind goes on there meanwhile, also once it shows another page', async () => {
  const before = fake.listening;
  fake.status = ['complete', 'complete', 'loading', 'complete', 'complete'];
  for (const goesOn of [true, false, true, false])
    pages.callEach.mockImplementationOnce(async () => {
      expect(fake.listening).toBe(before + 1);
      return [{ at: '', unseen: [], hasText: fake.status.length === 0, goesOn } as never];
    });
  expect((await tabs.waitFor(chat, { text: 'Loaded' })).text).toContain('It is so now.');
  expect(pages.runInMain.mock.calls.map(([, run]) => run)).toEqual([overridePage, overridePage]);
  expect(fake.listening).toBe(before);
});

describe('a call that does something in a tab', () => {
  const described = (document: number) => [
    { sites: ['https://example.com'], document, targets: { e1: 'button "Buy"' }, submits: false } as never,
  ];
  const other = { ...tab, id: 8 };
  /** The call as it is judged while tab 7 is in front; then tab 8 of the same site is. */
  async function judged() {
    wait.mockReturnValueOnce(new Promise(() => {}));
    pages.callEach.mockResolvedValueOnce(described(0.5));
    pages.find.mockResolvedValueOnce({ ...tab, title: 'Cart "A"' });
    const { at, targets } = await tabs.targetsOf(chat, { ref: 'e1' });
    expect(at).toEqual({ tab: 7, title: '"Cart \\"A\\""', document: 0.5 });
    pages.find.mockImplementation(async (of?: object) => (of && 'tabId' in of ? tab : other));
    return { ...chat, at: at ?? { tab: 0 }, targets };
  }
  afterEach(() => void pages.find.mockImplementation(async () => tab));

  it('does it in the one that was in front when it was judged, whichever is by then', async () => {
    const call = await judged();
    const marked = [{ origin: 'https://example.com', document: 0.5, at: '', unseen: [] } as never];
    pages.callEach.mockResolvedValueOnce(marked);
    await tabs.act(call, { ref: 'e1' }, 'click').catch(() => {});
    await tabs.go(call, {}, 'https://example.com/b');
    await tabs.go(call, {}, 'reload');
    expect(pages.find.mock.calls.slice(1).every(([of]) => of && 'tabId' in of && of.tabId === 7)).toBe(true);
    expect(pages.callEach.mock.calls.slice(1)).toEqual([[tab, 'mark', expect.anything()]]);
    expect(fake.led).toEqual([7, 7]);
  });

  it('does it in no other document, though that is of the same site', async () => {
    const call = await judged();
    pages.callEach.mockResolvedValueOnce(described(0.7));
    await expect(tabs.act(call, { ref: 'e1' }, 'click')).rejects.toMatchObject({ code: 'page_changed' });
    for (const where of ['back', 'reload', 'close', 'https://example.com/b']) {
      pages.call.mockResolvedValueOnce([{ id: 0.7 } as never]);
      await expect(tabs.go(call, {}, where)).rejects.toMatchObject({ code: 'page_changed' });
    }
    pages.call.mockResolvedValueOnce([{ id: 0.7 } as never]);
    await expect(tabs.answerDialog(call, {}, { accept: true })).rejects.toMatchObject({
      code: 'page_changed',
    });
    expect(pages.call.mock.calls.map(([, name]) => name)).toEqual(
      Array.from({ length: 5 }, () => 'identity'),
    );
    expect(fake.led).toEqual([]);
  });
});

it.each(['close', 'reload', 'back'])(
  'a tab that shows another site by then is not told to %s, also where no script can ask it',
  async (where) => {
    pages.find.mockResolvedValueOnce({ ...tab, url: 'https://b.example/' });
    await expect(tabs.go(chat, {}, where)).rejects.toMatchObject({ code: 'page_changed' });
    expect([fake.led, pages.call.mock.calls]).toEqual([[], []]);
  },
);

describe('a key', () => {
  it.each([
    ['Enter in a field of a form', 'Enter', [{ targets: { e1: 'textbox' }, sites: [], sends: true }], true],
    ['Enter on a link', 'Enter', [{ targets: { e1: 'link' }, sites: [] }], false],
    ['another one in that field', 'a', [{ targets: { e1: 'textbox' }, sites: [], sends: true }], false],
    ['one on a button that sends it', ' ', [{ targets: { e1: 'button' }, sites: [], submits: true }], true],
    ['one of which the page does not say what it goes to', 'a', [], true],
  ])('sends a form or not: %s', async (_what, key, described, sends) => {
    wait.mockReturnValueOnce(new Promise(() => {}));
    pages.callEach.mockResolvedValueOnce(described as never[]);
    expect(await tabs.targetsOf(chat, { key })).toMatchObject({ submits: sends });
  });
});

it('a press in a tab whose site is not told says why nothing is done: nobody can allow it, the user can, or it is another page by now', async () => {
  const { reads: _reads, ...untold } = chat;
  const press = () => tabs.act(untold, { ref: 'e1' }, 'click');
  pages.call.mockRejectedValueOnce(new AppError({ code: 'page_closed', message: 'Closed.' }));
  await expect(press()).rejects.toMatchObject({ code: 'page_closed' });
  pages.call.mockRejectedValueOnce(new AppError({ code: 'no_page_access', message: 'Ask.' }));
  expect(await press()).toMatchObject({ isError: true, access: tab.url });
  await expect(press()).rejects.toMatchObject({ code: 'page_changed' });
  expect(pages.callEach).not.toHaveBeenCalled();
});

it.each([
  ['submit', { ref: 'e1', text: 'x', submit: 1 }],
  ['text', { ref: 'e1', text: ['h', 'Enter'] }],
  ['ref', { ref: ['e1'], text: 'x' }],
  ['key', { key: ['Enter'] }],
  ['fields', { fields: [{ ref: 'e1', value: ['x'] }] }],
])('nothing is done where %s is not of its kind, whatever was checked before', async (name, args) => {
  await expect(tabs.act(chat, args, 'type_text')).rejects.toThrow(`Nothing was done: ${name} is not`);
  expect(pages.callEach).not.toHaveBeenCalled();
});

it.each(['back', 'forward', 'reload'])(
  'a tab that is led %s gives an address in the page’s words, which its chat has read then',
  async (where) => {
    const said = { ...tab, url: 'https://example.com/#say-this' };
    pages.find.mockResolvedValueOnce(said).mockResolvedValueOnce(said);
    const { text, url } = await tabs.go(chat, {}, where);
    expect([text, url]).toEqual([expect.stringContaining(said.url), said.url]);
    pages.find.mockResolvedValueOnce(tab).mockResolvedValueOnce({ ...said, url: 'https://b.example/#this' });
    const elsewhere = await tabs.go(chat, {}, where);
    expect(elsewhere.text).toMatch(/^The tab shows https:\/\/b\.example/);
    expect(elsewhere.text).not.toContain('#this');
    expect(elsewhere).not.toHaveProperty('url');
  },
);

it('a tab that was opened is told of once it has loaded, and also when it never settles', async () => {
  await tabs.open('https://example.com/', chat);
  expect(wait).toHaveBeenCalledTimes(2);
  fake.status = Array<string>(100).fill('loading');
  expect(await tabs.open('https://example.com/', chat)).toEqual({ ...tab, note: ' It is still loading.' });
  expect(wait.mock.calls.length).toBeLessThan(50);
});

it('a tab that stays empty is told of as that, where Portside would see a page', async () => {
  const { url: _url, ...empty } = tab;
  pages.find.mockResolvedValue(empty);
  expect(await tabs.open('https://example.com/', chat)).toEqual(empty);
  Object.assign(fake, { granted: true, status: ['complete'] });
  expect(await tabs.open('https://granted.example/', chat)).toEqual({
    ...empty,
    note: expect.stringContaining('No page of that address is in it: the answer was empty'),
  });
  pages.find.mockResolvedValue(tab);
});

it('a tab that closes by itself, as with a download, is told of as that', async () => {
  fake.isGone = true;
  await expect(tabs.open('https://example.com/log.zip', chat)).rejects.toThrow('The new tab closed again');
});

it('so is one that was complete and empty for a moment', async () => {
  const { url: _url, ...empty } = tab;
  Object.assign(fake, { granted: true, status: ['complete'], isGone: false });
  pages.find.mockImplementationOnce(async () => {
    fake.isGone = true;
    return empty;
  });
  await expect(tabs.open('https://granted.example/log.zip', chat)).rejects.toThrow(
    'The new tab closed again',
  );
});

it('an address is fetched only where the user gave access to its site', async () => {
  expect(await tabs.fetch(chat, 'https://example.com/a')).toMatchObject({
    isError: true,
    access: 'https://example.com/a',
  });
  expect(composed).toEqual([]);
  fake.granted = true;
  expect((await tabs.fetch(chat, 'https://example.com/a')).text).toMatch(/^"B"\nhttps:\/\/example\.com\/a\n/);
  expect(composed).toMatchObject([{ part: 'fetched', url: 'https://example.com/a' }]);
});

it('an address in the user’s own network is fetched only if they named it', async () => {
  fake.granted = true;
  composed.length = 0;
  for (const url of ['http://localhost:9/', 'http://192.168.1.1/', 'http://[::1]/', 'http://router/'])
    await expect(tabs.fetch(chat, url)).rejects.toMatchObject({ code: 'private_address' });
  expect(composed).toEqual([]);
  expect((await tabs.fetch(chat, 'http://nas.local/a')).isError).toBe(false);
});

it('the tabs of a chat are the one in front where it is shown, and those that it read or opened', async () => {
  const shown = { ...chat, conversationId: 'c1' };
  const hidden = { ...chat, conversationId: 'c2' };
  expect(await tabs.tabsOf('c2')).toEqual([]);
  await tabs.open('https://example.com/', hidden);
  expect(await tabs.tabsOf('c2')).toEqual([7]);
  await tabs.read(shown, { tab: 7 }, 'page');
  expect(await tabs.tabsOf('c1')).toEqual([10, 7]);
});
