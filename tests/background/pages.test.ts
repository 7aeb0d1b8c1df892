import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPages } from '../../entrypoints/background/page/pages.ts';
import { FREE, setRules } from '../../lib/fleet/rules.ts';
import type { FrameReading, PageReading, PageTab } from '../../lib/types/page.ts';

type Tab = {
  id: number;
  windowId: number;
  active: boolean;
  title?: string;
  url?: string;
  status?: string;
  openerTabId?: number;
};
type Result = { frameId: number; result?: unknown };

/** The browser at its seam: its tabs, what it lets in, and what a page answers. */
const fake = vi.hoisted(() => ({
  tabs: [] as Tab[],
  granted: false,
  allGranted: false,
  refusal: null as string | null,
  answers: {} as Record<string, Result[] | Promise<never>>,
  calls: [] as string[],
  /** The frames in which nothing of Portside is yet. */
  untouched: new Set<number>(),
  /** A tab that a server has the user visit. */
  closed: -1,
  /** Who is told that another tab of a window is in front. */
  told: new Set<(tab: { windowId: number }) => void>(),
  /** What happens as a picture is taken. */
  photographed: () => {},
}));

vi.mock('wxt/browser', () => ({
  browser: {
    tabs: {
      get: async (id: number) => {
        const tab = fake.tabs.find((each) => each.id === id);
        if (!tab) throw new Error(`No tab with id: ${id}.`);
        return tab;
      },
      query: async (asked: { windowId?: number }) =>
        fake.tabs.filter(
          (tab) => asked.windowId === undefined || (tab.active && tab.windowId === asked.windowId),
        ),
      onActivated: {
        addListener: (told: (tab: { windowId: number }) => void) => fake.told.add(told),
        removeListener: (told: (tab: { windowId: number }) => void) => fake.told.delete(told),
      },
      captureVisibleTab: async () => {
        if (fake.refusal !== null) throw new Error(fake.refusal);
        fake.photographed();
        return 'data:image/jpeg;base64,AAAA';
      },
    },
    scripting: {
      executeScript: async ({
        files,
        args,
        target,
      }: {
        files?: string[];
        args?: [name: string, args: unknown[], notThere: string];
        target: { allFrames?: boolean; frameIds?: number[] };
      }) => {
        if (fake.refusal !== null) throw new Error(fake.refusal);
        const where = target.allFrames ? '*' : (target.frameIds?.join() ?? '');
        const name = `${files ?? args?.[0]}${where}`;
        fake.calls.push(name);
        if (files) {
          if (target.frameIds) target.frameIds.forEach((each) => fake.untouched.delete(each));
          else fake.untouched.clear();
          return [];
        }
        const answers = await fake.answers[name];
        return (answers ?? []).map((each) =>
          fake.untouched.has(each.frameId) ? { ...each, result: args?.[2] } : each,
        );
      },
    },
    permissions: {
      contains: async ({ origins }: { origins: string[] }) =>
        origins.includes('<all_urls>') ? fake.allGranted : fake.granted,
    },
  },
}));

vi.mock('../../entrypoints/background/page/small-picture.ts', () => ({
  smaller: async ({ data }: { data: string }) => ({ mimeType: 'image/webp', data: `${data}, small` }),
}));

const reading = (html: string, more: Partial<FrameReading> = {}): FrameReading => ({
  url: 'https://example.com/a',
  title: 'A',
  contentType: 'text/html',
  html,
  base: 'https://example.com/a',
  hidden: 0,
  isCut: false,
  frames: [],
  drawn: [],
  ...more,
});

const never = (): Promise<void> => new Promise(() => {});
const composed: PageReading[] = [];
const compose = async (given: PageReading) => {
  composed.push(given);
  return { title: given.title, text: given.frames.map(({ html }) => html).join(' ') };
};
const most = 40_000;
const isPrivate = async ({ id, openerTabId }: { id: number; openerTabId?: number }): Promise<boolean> =>
  [id, openerTabId].includes(fake.closed);
const open = (wait: (ms: number) => Promise<void> = never) => {
  const { read, ...others } = createPages({ prepare: () => undefined, compose, wait, isPrivate });
  const readPart = (
    target: Parameters<typeof read>[0],
    part: Parameters<typeof read>[1],
    readId: string,
    origins?: string[],
  ) => read(target, part, { readId, most, ...(origins && { origins }) });
  return { ...others, read: readPart };
};

beforeEach(() => {
  const url = 'https://example.com/a';
  Object.assign(fake, {
    granted: false,
    allGranted: false,
    refusal: null,
    answers: {},
    calls: [],
    untouched: new Set(),
    closed: -1,
  });
  fake.photographed = () => {};
  fake.tabs = [{ id: 1, windowId: 9, active: true, title: 'A page', url }];
  composed.length = 0;
});

describe('a page', () => {
  it('has the script injected where it is not yet, and no call made twice in a frame', async () => {
    const [tab] = fake.tabs;
    const { callEach } = open();
    if (!tab) throw new Error('There is no tab.');
    fake.answers['identity*'] = [
      { frameId: 0, result: 1 },
      { frameId: 7, result: 2 },
    ];
    fake.answers['identity7'] = [{ frameId: 7, result: 3 }];
    fake.untouched = new Set([0, 7]);
    expect(await callEach(tab, 'identity', [])).toEqual([1, 2]);
    expect(await callEach(tab, 'identity', [])).toEqual([1, 2]);
    expect(fake.calls).toEqual(['identity*', '/page.js*', 'identity*', 'identity*']);
    fake.calls = [];
    fake.untouched = new Set([7]);
    expect(await callEach(tab, 'identity', [])).toEqual([1, 3]);
    expect(fake.calls).toEqual(['identity*', '/page.js7', 'identity7']);
  });

  it('that a server has the user visit is neither read nor found nor named, in a tab that it opened neither', async () => {
    const page: Tab = { id: 1, windowId: 9, active: true, title: 'Key', url: 'https://example.com/?key=1' };
    fake.tabs = [page, { ...page, id: 2, openerTabId: 1 }, { ...page, id: 3, active: false }];
    fake.closed = 1;
    const { read, find, list, front, call } = open();
    for (const id of [1, 2]) {
      await expect(read({ tabId: id }, 'page', 'page-1')).rejects.toMatchObject({ code: 'page_private' });
      await expect(find({ tabId: id })).rejects.toMatchObject({ code: 'page_private' });
      const known = { id, windowId: 9, active: true, ...(id === 2 && { openerTabId: 1 }) };
      await expect(call(known, 'identity')).rejects.toMatchObject({ code: 'page_private' });
    }
    expect(await front(9)).toBeNull();
    expect(fake.calls).toEqual([]);
    expect(await list()).toEqual([
      { id: 1, windowId: 9, active: true },
      { id: 2, windowId: 9, active: true, openerTabId: 1 },
      { id: 3, windowId: 9, active: false, title: 'Key', url: 'https://example.com/?key=1' },
    ]);
  });

  it('is read with its frames, the document first, under the title and address that its tab has', async () => {
    fake.answers['page*'] = [
      { frameId: 7, result: reading('inner') },
      { frameId: 0, result: reading('outer') },
      { frameId: 8, result: null },
    ];
    const content = await open().read({ tabId: 1 }, 'page', 'page-1');
    expect(content).toMatchObject({
      title: 'A page',
      text: 'outer inner',
      tab: { id: 1, url: 'https://example.com/a' },
    });
    expect(composed[0]).toMatchObject({ part: 'page', readId: 'page-1', url: 'https://example.com/a' });
  });

  it.each(['page', 'selection', 'field'] as const)(
    'that leads its tab to another site before each frame has answered does not pass for that one’s: %s',
    async (part) => {
      const leadsTo = (url: string) =>
        Object.defineProperty(fake.answers, `${part}*`, {
          configurable: true,
          get: () => {
            fake.tabs = fake.tabs.map((each) => ({ ...each, url }));
            return [{ frameId: 0, result: reading('words') }];
          },
        });
      leadsTo('https://example.com/b');
      expect((await open().read({ tabId: 1 }, part, 'page-1')).tab.url).toBe('https://example.com/b');
      leadsTo('https://bank.example/');
      const read = open().read({ tabId: 1 }, part, 'page-1');
      await expect(read).rejects.toMatchObject({ code: 'page_unreadable' });
    },
  );

  it('to which its tab was led from the site that the user asked about is not read', async () => {
    fake.answers['page*'] = [{ frameId: 0, result: reading('words') }];
    const { read } = createPages({ prepare: () => undefined, compose, wait: never, isPrivate });
    const readAs = (url: string) => read({ tabId: 1 }, 'page', { most, url });
    expect((await readAs('https://example.com/before')).tab.url).toBe('https://example.com/a');
    fake.calls = [];
    await expect(readAs('https://evil.example/')).rejects.toMatchObject({ code: 'page_unreadable' });
    expect(fake.calls).toEqual([]);
  });

  it('is read without frames of other sites than those that were asked for', async () => {
    const others = [
      { frameId: 0, result: reading('outer') },
      { frameId: 7, result: reading('asked', { origin: 'https://asked.example' }) },
      { frameId: 8, result: reading('bank', { origin: 'https://bank.example', title: 'My bank' }) },
    ];
    fake.answers['page*'] = others;
    fake.answers['selection*'] = others.slice(2);
    const asked = ['https://example.com', 'https://asked.example'];
    expect((await open().read({ tabId: 1 }, 'page', 'p', asked)).text).toBe('outer asked ');
    await open()
      .read({ tabId: 1 }, 'selection', 'p', asked)
      .catch(() => undefined);
    for (const { frames } of composed) {
      expect(frames.at(-1)).toMatchObject({ isLeftOut: true, url: 'https://bank.example' });
      expect(JSON.stringify(frames)).not.toMatch(/My bank|"bank"/);
    }
    fake.answers['selection*'] = others.slice(1).toReversed();
    expect((await open().read({ tabId: 1 }, 'selection', 'p', asked)).text).toBe('asked');
    expect((await open().read({ tabId: 1 }, 'page', 'p')).text).toBe('outer asked bank');
  });

  it('is the one in front in the window that was named', async () => {
    fake.answers['page*'] = [{ frameId: 0, result: reading('words') }];
    expect((await open().read({ windowId: 9 }, 'page', 'p')).tab.id).toBe(1);
    await expect(open().read({ windowId: 5 }, 'page', 'p')).rejects.toMatchObject({ code: 'page_gone' });
  });

  it('of a frame that never answers is read without it', async () => {
    fake.answers['page*'] = new Promise<never>(() => {});
    fake.answers['page'] = [{ frameId: 0, result: reading('outer') }];
    let waits = 0;
    const pages = open(() => ((waits += 1) === 1 ? Promise.resolve() : never()));
    expect((await pages.read({ tabId: 1 }, 'page', 'p')).text).toBe('outer');
  });

  it('that never answers is said to be busy', async () => {
    fake.answers['page*'] = fake.answers['page'] = new Promise<never>(() => {});
    await expect(open(async () => {}).read({ tabId: 1 }, 'page', 'p')).rejects.toMatchObject({
      code: 'page_busy',
      message: 'The page did not answer within 10 seconds.',
    });
  });

  it('whose tab was closed is said to be gone', async () => {
    await expect(open().read({ tabId: 2 }, 'page', 'p')).rejects.toMatchObject({ code: 'page_gone' });
  });

  it('that is a file in a viewer is read as that file', async () => {
    fake.answers['page*'] = [{ frameId: 0, result: reading('', { contentType: 'application/pdf' }) }];
    fake.answers['file'] = [{ frameId: 0, result: { file: { mimeType: 'application/pdf', data: 'AAAA' } } }];
    await open()
      .read({ tabId: 1 }, 'page', 'p')
      .catch(() => undefined);
    expect(composed[0]?.file).toEqual({ mimeType: 'application/pdf', data: 'AAAA' });
  });

  it('that is a file in a viewer is not read where another site’s came in its place meanwhile', async () => {
    fake.answers['page*'] = [{ frameId: 0, result: reading('', { contentType: 'application/pdf' }) }];
    const file = { mimeType: 'application/pdf', data: 'AAAA' };
    fake.answers['file'] = [{ frameId: 0, result: { url: 'https://bank.example/a.pdf', file } }];
    const read = open().read({ tabId: 1 }, 'page', 'p', ['https://example.com']);
    await expect(read).rejects.toMatchObject({ code: 'page_closed' });
    expect(composed).toEqual([]);
  });

  it('without a word in it is said to show none', async () => {
    fake.answers['page*'] = [{ frameId: 0, result: reading('') }];
    await expect(open().read({ tabId: 1 }, 'page', 'p')).rejects.toMatchObject({
      code: 'nothing_read',
      message: 'The page has no text.',
    });
  });
});

describe('what the browser refuses', () => {
  beforeEach(() => {
    fake.refusal = 'Cannot access contents of the page.';
  });

  it('is access that was not given: the user can give it', async () => {
    await expect(open().read({ tabId: 1 }, 'page', 'p')).rejects.toMatchObject({ code: 'no_page_access' });
    fake.tabs = [{ id: 1, windowId: 9, active: true }];
    await expect(open().read({ tabId: 1 }, 'page', 'p')).rejects.toMatchObject({ code: 'no_page_access' });
  });

  it.each([
    'chrome://settings/',
    'about:blank',
    'https://chromewebstore.google.com/detail/x',
    'https://addons.mozilla.org/firefox/',
    'chrome-extension://abc/page.html',
  ])('is %s for good', async (url) => {
    fake.tabs = [{ id: 1, windowId: 9, active: true, url }];
    await expect(open().read({ tabId: 1 }, 'page', 'p')).rejects.toMatchObject({
      code: 'page_closed',
      fix: expect.stringContaining('paste'),
    });
  });

  it('is about:blank even where it lets Portside in: it may be any site’s window', async () => {
    fake.refusal = null;
    fake.answers['page*'] = [{ frameId: 0, result: reading('of a bank') }];
    fake.tabs = [{ id: 1, windowId: 9, active: true, url: 'about:blank' }];
    await expect(open().read({ tabId: 1 }, 'page', 'p')).rejects.toMatchObject({ code: 'page_closed' });
  });

  it('is one of its own where it tells no address to who may read all, for a picture too', async () => {
    fake.allGranted = true;
    fake.tabs = [{ id: 1, windowId: 9, active: true, status: 'complete' }];
    for (const part of ['page', 'screenshot'] as const)
      await expect(open().read({ tabId: 1 }, part, 'p')).rejects.toMatchObject({ code: 'page_closed' });
    fake.tabs = [{ id: 1, windowId: 9, active: true, status: 'loading' }];
    await expect(open().read({ tabId: 1 }, 'page', 'p')).rejects.toMatchObject({ code: 'page_unreadable' });
  });

  it('is a picture where the access is to that site alone: the user can give it to all', async () => {
    fake.granted = true;
    const photograph = () => open().read({ tabId: 1 }, 'screenshot', 'p');
    await expect(photograph()).rejects.toMatchObject({
      code: 'no_page_access',
      message: 'Portside needs your permission to take a screenshot of this page.',
    });
    fake.allGranted = true;
    await expect(photograph()).rejects.toMatchObject({ code: 'page_unreadable' });
  });

  it('in spite of the access it has is a fault, with the browser’s words', async () => {
    fake.granted = true;
    await expect(open().read({ tabId: 1 }, 'page', 'p')).rejects.toMatchObject({
      code: 'page_unreadable',
      detail: expect.stringContaining('Cannot access contents'),
    });
  });
});

describe('a part of a page', () => {
  it('is the selection of the first frame that has one', async () => {
    fake.answers['selection*'] = [
      { frameId: 0, result: null },
      { frameId: 4, result: reading('chosen') },
    ];
    expect((await open().read({ tabId: 1 }, 'selection', 'p')).text).toBe('chosen');
  });

  it('that is not there is told of in its own words', async () => {
    fake.answers['selection*'] = [{ frameId: 0, result: null }];
    await expect(open().read({ tabId: 1 }, 'selection', 'p')).rejects.toMatchObject({
      message: 'Nothing is selected on the page.',
    });
  });

  it('is never a password', async () => {
    fake.answers['field*'] = fake.answers['selection*'] = [{ frameId: 0, result: 'private' }];
    for (const part of ['field', 'selection'] as const)
      await expect(open().read({ tabId: 1 }, part, 'p')).rejects.toMatchObject({
        code: 'page_private',
        message: 'Portside does not read passwords, codes or card numbers.',
      });
  });

  it('is a picture of what the tab in front shows, and of no other tab', async () => {
    await open().read({ tabId: 1 }, 'screenshot', 'p');
    expect(composed[0]?.picture).toEqual({ mimeType: 'image/jpeg', data: 'AAAA' });
    fake.tabs = fake.tabs.map((tab) => ({ ...tab, active: false }));
    await expect(open().read({ tabId: 1 }, 'screenshot', 'p')).rejects.toMatchObject({
      code: 'nothing_read',
    });
  });
});

describe('a picture for a call of the model’s', () => {
  const mine = 'https://mine.example';
  const shows = (id: number, origin = mine): void => {
    fake.answers['identity'] = [{ frameId: 0, result: { id, origin } }];
  };
  const taken = () => open().read({ tabId: 1 }, 'screenshot', 'p', [mine]);

  it('is of one document, of a site that it may read', async () => {
    shows(1);
    expect((await taken()).tab.id).toBe(1);
    shows(1, 'https://bank.example');
    await expect(taken()).rejects.toMatchObject({ code: 'nothing_read' });
    fake.answers['identity'] = [];
    await expect(taken()).rejects.toMatchObject({ code: 'nothing_read' });
  });

  it.each([
    ['the tab shows another document, also of that site, by then', () => shows(2)],
    ['another tab of the window was in front', () => fake.told.forEach((told) => told({ windowId: 9 }))],
  ])('is none where %s', async (_what, photographed) => {
    shows(1);
    fake.photographed = photographed;
    await expect(taken()).rejects.toMatchObject({ code: 'nothing_read' });
    expect(fake.told.size).toBe(0);
  });

  it('is there though another window changed its tab', async () => {
    shows(1);
    fake.photographed = () => fake.told.forEach((told) => told({ windowId: 4 }));
    expect((await taken()).tab.id).toBe(1);
  });
});

describe('a small picture for the user', () => {
  const shows = (id: number, ...secrets: boolean[]): void => {
    fake.answers['inSight*'] = [false, ...secrets].map((showsSecret, frameId) => ({
      frameId,
      result: { id: id + frameId, showsSecret },
    }));
  };
  const tab: PageTab = { id: 1, windowId: 9, active: true };
  beforeEach(() => void (fake.allGranted = true));

  it('is of the tab’s document while that is in front, whatever its frames are', async () => {
    shows(1, false);
    const taken = await open().smallPicture(tab, 1);
    expect(await taken?.small).toEqual({ mimeType: 'image/webp', data: 'AAAA, small' });
    fake.tabs = fake.tabs.map((each) => ({ ...each, active: false }));
    expect(await open().smallPicture(tab, 1)).toBeUndefined();
    expect(fake.told.size).toBe(0);
  });

  it.each([
    ['the tab shows another document', () => shows(2)],
    ['a field shows a secret as text', () => shows(1, false, true)],
    ['the browser takes none', () => (fake.refusal = 'The tab is being dragged.')],
    ['a frame may be of a site that Portside may not read', () => (fake.allGranted = false)],
  ])('is none where %s', async (_what, change) => {
    shows(1);
    change();
    expect(await open().smallPicture(tab, 1)).toBeUndefined();
  });

  it.each([
    ['the tab shows another document', () => shows(2)],
    ['a field shows a secret as text', () => shows(1, true)],
    ['another tab is in front', () => (fake.tabs = fake.tabs.map((each) => ({ ...each, active: false })))],
    ['another tab was in front', () => fake.told.forEach((told) => told({ windowId: 9 }))],
  ])('is none where %s once it was taken', async (_what, change) => {
    shows(1);
    fake.photographed = change;
    expect(await open().smallPicture(tab, 1)).toBeUndefined();
  });

  it('is none where the browser would refuse a third in a second, for which a screenshot waits', async () => {
    shows(1);
    const wait = vi.fn((_ms: number): Promise<void> => never());
    const pages = open(wait);
    const taken = [];
    for (let at = 0; at < 3; at += 1) taken.push((await pages.smallPicture(tab, 1)) !== undefined);
    expect(taken).toEqual([true, true, false]);
    wait.mockImplementationOnce(async (ms) => expect(ms).toBeGreaterThan(0));
    await pages.read({ tabId: 1 }, 'screenshot', 'p');
    expect(composed[0]?.picture).toEqual({ mimeType: 'image/jpeg', data: 'AAAA' });
  });
});

it('a site that the policy forbids is neither named nor read, nor in a frame of another', async () => {
  setRules({ ...FREE, sites: { forbidden: ['bank.example'] } });
  onTestFinished(() => setRules(FREE));
  fake.tabs.push({ id: 2, windowId: 9, active: false, title: 'My bank', url: 'https://bank.example/' });
  fake.answers['page*'] = [
    { frameId: 0, result: reading('outer', { origin: 'https://example.com' }) },
    { frameId: 8, result: reading('balance', { origin: 'https://bank.example', title: 'My bank' }) },
  ];
  const { list, find, read } = open();
  expect((await list()).at(-1)).toEqual({ id: 2, windowId: 9, active: false });
  const refused = { code: 'set_by_organisation' };
  await expect(find({ tabId: 2 })).rejects.toMatchObject(refused);
  await expect(read({ tabId: 2 }, 'page', 'p')).rejects.toMatchObject(refused);
  await read({ tabId: 1 }, 'page', 'p');
  expect(JSON.stringify(composed)).toContain('outer');
  expect(JSON.stringify(composed)).not.toContain('balance');
});

it('of a title that its page made endless there is its beginning, in lists and with what is read', async () => {
  fake.tabs = [
    { id: 1, windowId: 9, active: true, title: 'W'.repeat(20_000_000), url: 'https://example.com/a' },
  ];
  const { list, read } = open();
  fake.answers['page*'] = [{ frameId: 0, result: reading('words') }];
  expect((await list())[0]?.title).toHaveLength(2_000);
  await read({ tabId: 1 }, 'page', 'p');
  expect(composed.at(-1)?.title).toHaveLength(2_000);
});

it('tabs are listed as far as the browser tells of them', async () => {
  fake.tabs.push({ id: 2, windowId: 9, active: false });
  expect(await open().list()).toEqual([
    { id: 1, windowId: 9, active: true, title: 'A page', url: 'https://example.com/a' },
    { id: 2, windowId: 9, active: false },
  ]);
});
