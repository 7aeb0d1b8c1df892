import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createDialogs } from '../../entrypoints/background/tools/tabs/dialogs.ts';
import { createPageActions } from '../../entrypoints/background/tools/tabs/page-actions.ts';
import { AppError } from '../../lib/errors.ts';
import type { Picture } from '../../lib/types/picture.ts';
import type { PageTab } from '../../lib/types/page.ts';

const SITE = 'https://example.com';

/** The browser at its seam: one tab, in which a page is acted on. */
const fake = vi.hoisted(() => ({
  url: 'https://example.com/a',
  keepsPictures: true,
  isErrorPage: false,
  frame: 0,
  connected: new Set<Connected>(),
  created: new Set<(tab: object) => void>(),
  brought: [] as number[],
}));
type Connected = (port: object) => void;

vi.mock('wxt/browser', () => ({
  browser: {
    tabs: {
      get: async (id: number) => ({ id, url: fake.url, status: 'complete', active: id !== 7 }),
      update: async (id: number) => void fake.brought.push(id),
      onCreated: {
        addListener: (added: (tab: object) => void) => void fake.created.add(added),
        removeListener: (added: (tab: object) => void) => void fake.created.delete(added),
      },
    },
    runtime: {
      id: 'portside',
      onConnect: {
        addListener: (added: Connected) => void fake.connected.add(added),
        removeListener: (added: Connected) => void fake.connected.delete(added),
      },
    },
  },
}));

const tab: PageTab = { id: 7, windowId: 3, active: true, url: fake.url };
/** What the page answers to each function. */
let answers: Record<string, (frames?: boolean | number[]) => unknown>;
/** The functions that were called in the page. */
let called: string[];
let open: PageTab[];
/** The arguments of the last `mark`. */
let markedWith: unknown[];

const answer = async (_tab: PageTab, name: string, frames?: boolean | number[]): Promise<never[]> => {
  called.push(name);
  return [(await answers[name]?.(frames)) as never];
};
const dialogs = createDialogs({ call: answer, runInMain: async () => void called.push('override') });
const smallPicture = vi.fn(
  async (_tab: PageTab, _documentId: number): Promise<{ small: Promise<Picture> } | undefined> => undefined,
);
const openedBy = vi.fn(async (_conversationId: string, _tabIds: number[]) => {});
const actions = createPageActions({
  dialogs,
  opened: openedBy,
  pages: {
    call: answer,
    callEach: (of, name, args) => {
      if (name === 'mark') markedWith = args;
      return answer(of, name);
    },
    frameOf: async () => fake.frame,
    list: async () => open,
    smallPicture,
  },
  keepsPictures: async () => fake.keepsPictures,
  wait: async () => {},
  show: async () => {},
  isErrorPage: async () => fake.isErrorPage,
  open: async (url) => void (open = [...open, { ...tab, id: 8, url, active: false, openerTabId: tab.id }]),
});
const act = (more = {}) =>
  actions.act({ conversationId: 'c1', reads: SITE, originsRead: async () => [], ...more }, tab, 'click', {
    ref: 'e1',
  });

beforeEach(() => {
  fake.url = `${SITE}/a`;
  fake.keepsPictures = true;
  fake.isErrorPage = false;
  fake.frame = 0;
  fake.brought = [];
  smallPicture.mockReset();
  [called, open] = [[], [tab]];
  answers = {
    mark: () => ({ origin: SITE, id: 0.5 }),
    act: () => ({ did: 'Clicked.' }),
    countChanges: () => 0,
    changesSince: () => ({ text: '', count: 0, origin: SITE, isBusy: false }),
  };
});

describe('an action on a page', () => {
  it('is not done once the tab shows another site, though the document that was marked did not', async () => {
    fake.url = 'https://elsewhere.example/a';
    await expect(act()).rejects.toMatchObject({ code: 'page_changed' });
    expect(called).toEqual(['mark']);
  });
  it('is not done where the document that was marked is of another site, though the tab is back at its own', async () => {
    answers['mark'] = () => ({ origin: 'https://elsewhere.example', id: 0.5 });
    await expect(act()).rejects.toMatchObject({ code: 'page_changed' });
    expect(called).toEqual(['mark']);
  });
  it('is not done in another document of its site than the one that the card was for', async () => {
    answers['mark'] = () => ({ origin: SITE, id: 0.7 });
    await expect(act({ at: { tab: 7, document: 0.5 } })).rejects.toMatchObject({ code: 'page_changed' });
    expect(called).toEqual(['mark']);
    expect(await act({ at: { tab: 7, document: 0.7 } })).toMatchObject({ isError: false });
    expect(await act({ at: { tab: 7 } })).toMatchObject({ isError: false });
  });
  it('is not done on what is covered in the pages around its frame, of which one that was not read is not told', async () => {
    fake.frame = 3;
    answers['pointOfRef'] = () => ({ at: '0/1/', x: 1, y: 2 });
    answers['aroundFrame'] = () => ({ origin: 'https://b.example', cover: 'dialog "Secret"' });
    expect(await act({ targets: { e1: 'button "Pay"' } })).toMatchObject({
      isError: true,
      text: 'Nothing was done: button "Pay" is covered by what a page of another site shows.',
    });
    const around = [
      { origin: 'https://b.example', point: { at: '0/', x: 3, y: 4 } },
      { origin: SITE, cover: 'dialog "Cookies"' },
    ];
    answers['aroundFrame'] = () => around.shift();
    expect((await act()).text).toBe('Nothing was done: e1 is covered by dialog "Cookies".');
    expect(called).not.toContain('act');
    answers['aroundFrame'] = () => ({ origin: SITE, point: { at: '', x: 3, y: 4 } });
    expect((await act()).text).toContain('Clicked.');
  });

  it('opens what a link leads to in a new tab on the sites alone that it may touch', async () => {
    answers['act'] = () => ({ did: 'Clicked.', opens: `${SITE}/b` });
    expect(await act()).toMatchObject({ text: expect.stringContaining(`A new tab is there: 8: ${SITE}/b`) });
    for (const opens of ['https://elsewhere.example/', 'file:///etc/passwd', 'chrome://settings']) {
      answers['act'] = () => ({ did: 'Clicked.', opens });
      open = [tab];
      await act();
      expect(open).toEqual([tab]);
    }
    // Of the sites that its card named only those that the chat has read.
    const targetSites = ['https://b.example'];
    answers['act'] = () => ({ did: 'Clicked.', opens: 'https://b.example/c' });
    await act({ targetSites });
    expect(open).toEqual([tab]);
    await act({ targetSites, originsRead: async () => targetSites });
    expect(open).toHaveLength(2);
  });
  it('names a tab that a form was sent to, whatever its opener is, and gives the front back', async () => {
    const front = { ...tab, id: 5 };
    const sent = { ...tab, id: 8, openerTabId: 5, url: `${SITE}/thanks` };
    const create = (pendingUrl: string) => {
      for (const tell of fake.created) tell({ ...sent, url: '', pendingUrl });
      open = [{ ...tab, active: false }, front, sent];
    };
    open = [{ ...tab, active: false }, front];
    answers['act'] = () => (create(`${SITE}/order`), { did: 'Clicked.', sends: `${SITE}/order` });
    const { text } = await act();
    expect(text).toContain(`A new tab is there: 8: ${SITE}/thanks`);
    expect(text).toContain('the user was brought back');
    expect(text).not.toContain('Nothing visible changed');
    expect(openedBy).toHaveBeenLastCalledWith('c1', [8]);
    expect(fake.brought).toEqual([5]);
    // One that the user opened meanwhile, from where they are.
    open = [{ ...tab, active: false }, front];
    answers['act'] = () => (
      create('https://elsewhere.example/'),
      { did: 'Clicked.', sends: `${SITE}/order` }
    );
    expect((await act()).text).not.toContain('A new tab');
    expect(fake.brought).toEqual([5]);
    expect(fake.created.size).toBe(0);
  });
  it('names the server whose input is trusted, where a page may want that', async () => {
    const trustedInput = async () => ', or browser_click';
    answers['act'] = () => ({ did: 'Clicked.', why: 'by hand (isTrusted): then use ask_user' });
    expect((await act({ trustedInput })).text).toContain('then use ask_user, or browser_click.');
    expect((await act()).text).toContain('then use ask_user.');
    answers['act'] = () => ({ did: 'Clicked.', why: 'it is disabled' });
    expect((await act({ trustedInput })).text).not.toContain('browser_click');
  });
  it('tells of tabs that its page opened, not of those that the user did, and of other sites the origin alone', async () => {
    const opened = (id: number, url: string, openerTabId?: number): PageTab => {
      const named = { title: 'Secret', url, ...(openerTabId !== undefined && { openerTabId }) };
      return { id, windowId: 3, active: false, ...named };
    };
    answers['act'] = () => {
      open = [
        { ...tab, title: 'Account', url: 'https://bank.example/account?id=1' },
        opened(8, `${SITE}/b`, 7),
        opened(9, 'https://bank.example/b?id=1', 7),
        opened(10, `${SITE}/c`),
        opened(11, `${SITE}/d`, 3),
      ];
      return { did: 'Clicked.' };
    };
    answers['changesSince'] = () => null;
    expect((await act()).text.split('\n')).toEqual([
      'Clicked.',
      'The tab shows another page now: https://bank.example. Its references are new: take a snapshot.',
      `A new tab is there: 8: "Secret", ${SITE}/b`,
      'A new tab is there: 9: https://bank.example',
    ]);
    expect(openedBy).toHaveBeenLastCalledWith('c1', [8, 9]);
  });
  it('tells what dialogs its page opened, which are cancelled where nothing was said, and listens no longer', async () => {
    const before = [...fake.connected];
    const close = vi.fn();
    const posted = vi.fn();
    let tell = (_dialog: object): void => {};
    const portOf = (tabId: number, name: string) => ({
      name,
      sender: { id: 'portside', tab: { id: tabId } },
      disconnect: close,
      postMessage: posted,
      onMessage: { addListener: (listener: typeof tell) => (tell = listener) },
      onDisconnect: { addListener: () => {} },
    });
    const dialog = { kind: 'confirm', message: 'Delete\nall?', preset: '', answer: { accept: false } };
    answers['identity'] = () => ({ origin: SITE, id: 1 });
    let wanted: unknown;
    answers['mark'] = () => {
      wanted = markedWith.at(2);
      for (const connected of fake.connected) {
        connected(portOf(8, `dialogs:${String(markedWith[0])}`));
        connected(portOf(7, 'dialogs:another'));
        connected(portOf(7, `dialogs:${String(markedWith[0])}`));
      }
      return { origin: SITE };
    };
    answers['act'] = () => {
      tell({ ...dialog, ...(wanted ? { answer: wanted, isWanted: true } : { isWanted: false }) });
      return { did: 'Clicked.' };
    };
    const cancelled = await act();
    expect(cancelled).toMatchObject({ isError: true });
    expect(cancelled.text).toMatch(
      /^Clicked\.\nThe page asked \(confirm\): "Delete all\?"\. It was answered with Cancel\./,
    );
    expect(cancelled.text).not.toContain('Nothing visible');
    expect(close).toHaveBeenCalledTimes(1);
    expect([...fake.connected]).toEqual(before);

    await dialogs.answerNext('c1', tab, { accept: true });
    await dialogs.answerNext('c2', tab, { accept: true });
    const accepted = await act();
    expect(accepted).toMatchObject({ isError: false });
    expect(accepted.text).toContain('answered with OK, as handle_dialog said');
    expect((await act()).isError).toBe(true); // it held for one
    answers['act'] = () => {
      for (let count = 0; count < 12; count += 1) tell({ ...dialog, kind: 'alert', isWanted: false });
      return { did: 'Clicked.' };
    };
    expect((await act()).text.match(/The page showed an alert/g)).toHaveLength(10);

    answers['identity'] = () => ({ origin: SITE, id: 2 });
    expect(await dialogs.answerFor('c2', tab)).toBeNull(); // another document
    await dialogs.answerNext('c2', tab, { accept: true });
    dialogs.runEvent('c1', { type: 'run_end', runId: 'r1', reason: 'done' });
    expect(await dialogs.answerFor('c2', tab)).toEqual({ accept: true });
    dialogs.runEvent('c2', { type: 'run_end', runId: 'r2', reason: 'done' });
    expect(await dialogs.answerFor('c2', tab)).toBeNull();
  });
  it('waits for the one before it in its tab, and is not done once its call has ended', async () => {
    const first = Promise.withResolvers<object>();
    answers['act'] = () => first.promise;
    const stop = new AbortController();
    const all = [act(), act({ signal: stop.signal }), act()];
    await vi.waitFor(() => expect(called).toEqual(['mark', 'override', 'act']));
    stop.abort(new Error('It was stopped.'));
    await expect(all[1]).rejects.toThrow('It was stopped.');
    expect(called).toEqual(['mark', 'override', 'act']);
    first.resolve({ did: 'Clicked.' });
    await Promise.all([all[0], all[2]]);
    expect(called.filter((name) => /mark|act|Since/.test(name))).toEqual([
      'mark',
      'act',
      'changesSince',
      'mark',
      'act',
      'changesSince',
    ]);
  });
  it('goes on in its page while it is wanted, and is told of as done no more once it is not', async () => {
    const [connected] = fake.connected;
    const portOf = (id: unknown, from = 'portside') => {
      const port = {
        name: `action:${String(id)}`,
        sender: { id: from },
        disconnect: vi.fn(),
        postMessage: vi.fn(),
      };
      connected?.(port);
      return port;
    };
    const stop = new AbortController();
    const page = Promise.withResolvers<object>();
    let port: ReturnType<typeof portOf> | undefined;
    answers['act'] = () => {
      port = portOf(markedWith[0]);
      return page.promise;
    };
    const made = act({ signal: stop.signal });
    await vi.waitFor(() => expect(port?.postMessage).toHaveBeenCalledOnce());
    expect(port?.disconnect).not.toHaveBeenCalled();
    expect(portOf(markedWith[0], 'another').postMessage).not.toHaveBeenCalled();
    stop.abort(new Error('It was stopped.'));
    expect(port?.disconnect).toHaveBeenCalledOnce();
    // A page that was slow until now.
    const late = portOf(markedWith[0]);
    expect([late.postMessage.mock.calls, late.disconnect.mock.calls]).toEqual([[], [[]]]);
    page.resolve({ did: 'Clicked.' });
    await expect(made).rejects.toThrow('It was stopped.');
    expect(called.filter((name) => /Since/.test(name))).toEqual([]);
    // Of another worker's.
    expect(portOf('other').disconnect).toHaveBeenCalledOnce();
  });
  it('is told though a frame hangs, which is not asked again', async () => {
    const asked: unknown[] = [];
    answers['countChanges'] = (frames) => {
      asked.push(frames);
      if (frames === true) throw busy();
      return 1;
    };
    answers['changesSince'] = (frames) => {
      if (frames === true) throw busy();
      return { text: '+ - status: Saved', count: 1, origin: SITE };
    };
    expect((await act()).text).toContain('Saved');
    expect(asked.filter((frames) => frames === true)).toHaveLength(1);
  });

  it.each([
    [3, '+ - status: Saved'],
    [7, '+ - status: Saving…'],
    [7, '+ - button "Save" [disabled]'],
    [7, ''],
  ])('is told after %i looks where the page shows at once: %s', async (looks, text) => {
    answers['countChanges'] = () => 1;
    answers['changesSince'] = () => ({ text, count: 1, origin: SITE, isBusy: false });
    await act();
    expect(called.filter((name) => /Changes|Since/.test(name)).length).toBe(looks);
  });

  it('after which the page does not answer is not told as one that led to another page, or changed nothing', async () => {
    answers['changesSince'] = () => {
      throw busy();
    };
    const { text } = await act();
    expect(text).toMatch(/^Clicked\.\n.*has not answered since/);
    expect(text).not.toMatch(/another page|Nothing visible/);
  });
});

const busy = () => new AppError({ code: 'page_busy', message: 'It does not answer.' });

describe('small pictures of an action', () => {
  const picture = (data: string): Picture => ({ mimeType: 'image/webp', data });
  const taken = (data: string) => ({ small: Promise.resolve(picture(data)) });
  const shot = (moment: string, data: string) => ({
    type: 'image',
    onlyForUser: true,
    moment,
    ...picture(data),
  });

  it('are of the document that is acted on, before and after, and for the user alone', async () => {
    smallPicture.mockResolvedValueOnce(taken('A')).mockResolvedValueOnce(taken('B'));
    answers['act'] = () => {
      expect(smallPicture).toHaveBeenCalledTimes(1);
      return { did: 'Clicked.' };
    };
    expect((await act()).blocks).toEqual([shot('before', 'A'), shot('after', 'B')]);
    expect(smallPicture.mock.calls).toEqual([
      [tab, 0.5],
      [tab, 0.5],
    ]);
  });

  it('are none where none can be had, where the page gave way to another one, or where the user wants none', async () => {
    smallPicture.mockResolvedValueOnce(undefined).mockResolvedValueOnce(taken('B'));
    expect((await act()).blocks).toEqual([shot('after', 'B')]);
    answers['changesSince'] = () => null;
    smallPicture.mockResolvedValue(taken('A'));
    expect((await act()).blocks).toEqual([shot('before', 'A')]);
    fake.keepsPictures = false;
    expect(await act()).not.toHaveProperty('blocks');
  });
});
