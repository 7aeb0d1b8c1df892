import { browser } from 'wxt/browser';
import { AppError } from '../../../lib/errors.ts';
import { isSiteForbidden, refused as notAllowed } from '../../../lib/fleet/rules.ts';
import { originPattern } from '../../../lib/origins.ts';
import { isReadable, readFrames } from '../../../lib/tools/page/reading/frame-readings.ts';
import type { PageReader } from './page-reader.ts';
import { smaller } from './small-picture.ts';
import type { PageFunctions } from '../../../lib/tools/page/page.ts';
import type { ErrorWords } from '../../../lib/types/error.ts';
import type { FrontPage } from '../../../lib/types/starter.ts';
import type { Picture } from '../../../lib/types/picture.ts';
import {
  type FrameReading,
  type FrontPart,
  type PageContent,
  type PagePart,
  type PageReading,
  type PageTab,
  siteOf,
} from '../../../lib/types/page.ts';

import { t } from '../../../locales/texts/errors.ts';

/** A page that has not answered by then is busy, or stopped by a dialog. */
const TIMEOUT_MS = 10_000;
/** Its own document has had that long by then, should a frame of it be what does not answer. */
const SECOND_MS = 3_000;

/** For what takes no time. */
const MAIN_MS = 1_000;
/** Chromium takes so many pictures in a second: https://developer.chrome.com/docs/extensions/reference/api/tabs#property-MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND */
const MOST_PICTURES_PER_SECOND = 2;
/** An action waits no longer for what its pictures need. */
const SMALL_PICTURE_MS = 1_000;

/** To tell whether something is selected. */
const SELECTION_MS = 500;
/** Says of a frame that nothing was injected into it before. */
const NOT_THERE = 'portside:not-there';

/** Where browsers let no extension in. */
const CLOSED =
  /^(?!https?:|file:)|^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore|addons\.mozilla\.org)/;

/** What Chromium says of those whose address it keeps to itself. */
const CLOSED_WORDS = /(chrome|edge|brave|about|devtools|extension)[\w-]{0,20}:|gallery|error page|policy/i;

/** A tab, or the one in front in a window. */
export type PageTarget = { tabId: number } | { windowId: number };

type ShownTab = PageTab & { title: string; url: string };

export type PagesDeps = PageReader & {
  wait: (ms: number) => Promise<void>;
  /** Whether neither Portside nor a model may see what is in a tab. */
  isPrivate: (tab: Pick<PageTab, 'id' | 'openerTabId'>) => Promise<boolean>;
};

/** Pages, as they are read on demand. Nothing of them is kept here. */
export function createPages({ prepare, compose, wait, isPrivate }: PagesDeps) {
  /** When pictures were taken. */
  const taken: number[] = [];
  /** Milliseconds until the browser takes another one. */
  const untilPicture = (): number =>
    Math.max(0, (taken.at(-MOST_PICTURES_PER_SECOND) ?? 0) + 1_000 - Date.now());

  /**
   * Reads a part of a page.
   * @param readId what the whole is known by should it be cut, and a field when something is to be put into it
   * @param clicked the address of a picture, or which selection is meant, in a field too; a picture that can't be had is
   * photographed with what is around it. Empty: none
   * @param more how much of it in bytes, and what is looked for in it
   * @param origins whose frames are read with it; undefined: all
   * @throws AppError `page_gone`, `no_page_access`, `page_closed`, `page_private`, `page_busy`, `nothing_read`
   */
  async function read(
    target: PageTarget,
    part: Exclude<PagePart, 'link'>,
    readId: string,
    clicked: string,
    more: Pick<PageReading, 'most' | 'query'>,
    origins?: string[],
  ): Promise<PageContent & { tab: ShownTab }> {
    const tab = await find(target);
    prepare();
    const common = { part, readId, frames: [], ...more };
    if (part === 'screenshot' || part === 'image') {
      const picture =
        (part === 'image' && (await pictureOf(tab, clicked))) || (await screenshotOf(tab, origins));
      const { title = '', url = '', active } = await browser.tabs.get(tab.id);
      if (!active) throw nothing('screenshot'); // it may show what came to the front
      return { ...(await compose({ ...common, title, url, picture })), tab: { ...tab, title, url } };
    }
    const found = await readParts(
      tab,
      part,
      part === 'field' ? [readId, clicked] : part === 'transcript' ? [] : [clicked],
    );
    const all = readFrames(found, origins ?? allowedIn(found));
    const asked = all.filter((each) => !each.isLeftOut);
    const frames = part === 'page' ? all : [...asked, ...all].slice(0, 1);
    const [main] = frames;
    if (!main) throw nothing(part);
    const { title, url } = await headOf(tab, main);
    const isPage = /html|xml|^text\//.test(main.contentType) || part !== 'page';
    const [shown] = isPage ? [] : await call(tab, 'file');
    const file = shown && isReadable({ origin: siteOf(shown.url) ?? '' }, origins) ? shown.file : undefined;
    if (!isPage && !file)
      throw unreadable(
        'page_closed',
        t(($) => $.errors.page.viewer),
      );
    const content = await compose({ ...common, title, url, frames, ...(file && { file }) });
    if (content.text === '') throw nothing(part);
    return { ...content, tab: { ...tab, title, url } };
  }

  async function readParts(
    tab: PageTab,
    part: 'page' | 'transcript' | 'selection' | 'field',
    args: string[],
  ): Promise<FrameReading[]> {
    const found = await callEach(tab, part, args as [string, string]);
    if (found.includes('private'))
      throw unreadable(
        'page_private',
        t(($) => $.errors.page.secret),
      );
    return found.filter((each) => each !== null && each !== 'private');
  }

  /** Calls a function in every frame that may be reached; one that does not answer, or in which it fails, is no reason to read nothing. */
  const callEach = <K extends keyof PageFunctions>(
    tab: PageTab,
    name: K,
    args: Parameters<PageFunctions[K]>,
  ) =>
    call(tab, name, true, args)
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'page_busy')
          return call(tab, name, false, args, SECOND_MS);
        throw error;
      })
      .then((found) => found.filter((each, at) => at === 0 || each !== null));

  /**
   * Calls a function in the tab's document, in some frames, or in every one that may be reached; the document's result is the first.
   * @throws AppError
   */
  async function call<K extends keyof PageFunctions>(
    tab: PageTab,
    name: K,
    frames: boolean | number[] = false,
    args: Parameters<PageFunctions[K]> = [] as never,
    timeoutMs = TIMEOUT_MS,
  ): Promise<Awaited<ReturnType<PageFunctions[K]>>[]> {
    const results = await inFrames(tab, name, frames, args, timeoutMs);
    return results.flatMap(({ result }) => (result === undefined ? [] : [result as never]));
  }

  /** The frame whose document has an element with this reference; undefined for none. @throws AppError */
  async function frameOf(tab: PageTab, ref: string): Promise<number | undefined> {
    const all = await inFrames(tab, 'holds', true, [ref], SECOND_MS);
    return all.find(({ result }) => result === true)?.frameId;
  }

  async function inFrames(
    tab: PageTab,
    name: keyof PageFunctions,
    frames: boolean | number[],
    args: unknown[],
    timeoutMs: number,
  ) {
    const target = {
      tabId: tab.id,
      ...(Array.isArray(frames) ? { frameIds: frames } : { allFrames: frames }),
    };
    const callIn = (of: typeof target) =>
      browser.scripting.executeScript({
        target: of,
        injectImmediately: true,
        func: callInPage,
        args: [name, args, NOT_THERE],
      });
    const bringTo = async (of: typeof target) => {
      await browser.scripting.executeScript({ target: of, injectImmediately: true, files: ['/page.js'] });
      return callIn(of);
    };
    // Each frame of a document would read and run all of it again, for each of a dozen calls that an action takes.
    const run = async () => {
      const answers = await callIn(target);
      const lacking = answers.filter(({ result }) => result === NOT_THERE);
      if (lacking.length === 0) return answers;
      if (lacking.length === answers.length) return bringTo(target);
      const frameIds = lacking.map(({ frameId }) => frameId);
      const late = await bringTo({ tabId: tab.id, frameIds }).catch(() => []); // one of them has gone
      return [...answers.filter(({ result }) => result !== NOT_THERE), ...late];
    };
    const results = await inTime(run, tab, { timeoutMs });
    return results.toSorted((a, b) => Number(b.frameId === 0) - Number(a.frameId === 0));
  }

  /**
   * Runs a function that refers to nothing outside of it in the world of the page's own scripts, in every frame that may be
   * reached. @throws AppError
   */
  async function runInMain<A extends unknown[]>(
    tab: PageTab,
    func: (...args: A) => void,
    args: A,
  ): Promise<void> {
    const run = (allFrames: boolean) => () =>
      browser.scripting.executeScript({
        target: { tabId: tab.id, allFrames },
        injectImmediately: true,
        world: 'MAIN',
        func,
        args,
      });
    await inTime(run(true), tab, { timeoutMs: MAIN_MS }).catch(async (error: unknown) => {
      if (!(error instanceof AppError && error.code === 'page_busy')) throw error;
      await inTime(run(false), tab, { timeoutMs: MAIN_MS });
    });
  }

  async function pictureOf(tab: PageTab, src: string): Promise<Picture | undefined> {
    return (await call(tab, 'picture', true, [src])).find((each) => each !== null);
  }

  /** @param origins all the while the window must show one document, of one of these; undefined: of any, as the user sees it */
  async function screenshotOf(tab: PageTab, origins?: string[]): Promise<Picture> {
    const [left, document] = [untilPicture(), async () => origins && documentIn(tab, origins)];
    if (left > 0) await wait(left);
    return capture(tab, document);
  }

  /**
   * Takes a small picture of a document, for the user; undefined where none can be had: its tab is behind or shows another one, the
   * browser lets Portside take none, or not yet, or a field shows as text what no model reads.
   * @returns once it is taken; it is made small while its caller goes on
   */
  async function smallPicture(
    { id: tabId }: PageTab,
    documentId: number,
  ): Promise<{ small: Promise<Picture | undefined> } | undefined> {
    const none = (error: unknown): undefined =>
      void console.debug('There is no small picture of a tab.', error);
    // Only then every frame can be asked what it shows.
    if (untilPicture() > 0 || !(await mayReadAll())) return undefined;
    try {
      const tab = await find({ tabId });
      const document = async (): Promise<number> => {
        const { active } = await find({ tabId });
        const [page, ...frames] = await call(tab, 'inSight', true, [], SMALL_PICTURE_MS);
        const isHidden = [page, ...frames].some((each) => each?.showsSecret);
        if (!active || page?.id !== documentId || isHidden) throw nothing('screenshot');
        return documentId;
      };
      const picture = await capture(tab, document, SMALL_PICTURE_MS);
      return { small: smaller(picture).catch(none) };
    } catch (error) {
      return none(error);
    }
  }

  /** @param document what the window shows must be the same before and after */
  async function capture(
    tab: PageTab,
    document: () => Promise<number | undefined>,
    timeoutMs = TIMEOUT_MS,
  ): Promise<Picture> {
    if (!tab.active) throw nothing('screenshot');
    const options = { format: 'jpeg', quality: 90 } as const;
    const photograph = () => {
      taken.splice(0, taken.length - 1);
      taken.push(Date.now());
      return browser.tabs.captureVisibleTab(tab.windowId, options);
    };
    let isOther = false;
    const activated = ({ windowId }: { windowId: number }): void => {
      isOther ||= windowId === tab.windowId;
    };
    browser.tabs.onActivated.addListener(activated);
    try {
      const before = await document();
      const url = await inTime(photograph, tab, { timeoutMs, isPicture: true });
      // A page can lead a tab that it opened elsewhere and back while the picture is taken.
      isOther ||= before !== (await document());
      if (isOther) throw nothing('screenshot');
      return { mimeType: 'image/jpeg', data: url.slice(url.indexOf(',') + 1) };
    } finally {
      browser.tabs.onActivated.removeListener(activated);
    }
  }

  /** What tells a tab's document from all others. Firefox tells no extension its id. @throws AppError where it is of no such origin */
  async function documentIn(tab: PageTab, origins: string[]): Promise<number> {
    const [found] = await call(tab, 'identity');
    if (!found || !isReadable(found, origins)) throw nothing('screenshot');
    return found.id;
  }

  async function inTime<T>(
    work: () => Promise<T>,
    tab: PageTab,
    { timeoutMs = TIMEOUT_MS, isPicture = false }: { timeoutMs?: number; isPicture?: boolean },
  ): Promise<T> {
    const late = wait(timeoutMs).then((): never => {
      throw unreadable(
        'page_busy',
        t(($) => $.errors.page.busy, { seconds: TIMEOUT_MS / 1000 }),
      );
    });
    late.catch(() => undefined); // it loses the race when all goes well
    try {
      if (await isPrivate(tab)) throw ofUser();
      // Some never refuse, nor answer: the source of a page.
      if (!tab.url && isKept(await browser.tabs.get(tab.id), await mayReadAll())) throw tabClosed();
      return await Promise.race([work(), late]);
    } catch (error) {
      throw error instanceof AppError ? error : await refusalOf(tab, error, isPicture);
    }
  }

  /** The page in front in a window; null where browsers let no extension in. */
  async function front(windowId: number): Promise<FrontPage | null> {
    const tab = await find({ windowId }).catch(() => null);
    if (!tab || (tab.url && CLOSED.test(tab.url))) return null;
    const { id: tabId, title, url } = tab;
    const looking = browser.scripting.executeScript({ target: { tabId, allFrames: true }, func: looks });
    const found = await Promise.race([looking, wait(SELECTION_MS)]).catch(() => undefined);
    const hasSelection = found?.some(({ result }) => result?.selects) ?? false;
    const hasTranscript = found?.some(({ frameId, result }) => frameId === 0 && result?.speaks) ?? false;
    return {
      tabId,
      hasSelection,
      hasTranscript,
      ...(title !== undefined && { title }),
      ...(url !== undefined && { url }),
    };
  }

  /** Tabs of every window; of those that Portside may not see without title and address. */
  async function list(): Promise<PageTab[]> {
    const all = (await browser.tabs.query({})).flatMap(pageTab);
    return Promise.all(
      all.map(async (tab) => (isForbidden(tab) || (await isPrivate(tab)) ? unnamed(tab) : tab)),
    );
  }

  /** @throws AppError `page_gone`; `page_private`; `set_by_organisation` */
  async function find(target: PageTarget): Promise<PageTab> {
    const tab = await findAny(target);
    if (await isPrivate(tab)) throw ofUser();
    if (isForbidden(tab)) throw notAllowed('other');
    return tab;
  }

  return { read, smallPicture, call, callEach, runInMain, frameOf, find, list, front };
}

/** A frame's site may be one where nothing is read, though its page's is none. */
function allowedIn(frames: FrameReading[]): string[] | undefined {
  const all = frames.flatMap(({ origin }) => origin ?? []);
  return isSiteForbidden(all) ? all.filter((origin) => !isSiteForbidden([origin])) : undefined;
}

/** One whose site the browser keeps to itself can't be read anyway. */
const isForbidden = ({ url = '' }: PageTab): boolean => isSiteForbidden([siteOf(url) ?? url]);

const unnamed = ({ title: _title, url: _url, ...tab }: PageTab): PageTab => tab;

const ofUser = (): AppError =>
  unreadable(
    'page_private',
    t(($) => $.errors.page.ofUser),
  );

const tabClosed = (): AppError =>
  unreadable(
    'page_closed',
    t(($) => $.errors.page.closed),
  );

const tabGone = (): AppError =>
  unreadable(
    'page_gone',
    t(($) => $.errors.page.gone),
  );

/** Runs in the page, before anything else of Portside's: whether something is selected, and whether there may be a transcript. */
function looks(): { selects: boolean; speaks: boolean } {
  const selects = String(getSelection()).trim() !== '';
  const of = (selector: string): Element[] => [
    ...Document.prototype.querySelectorAll.call(document, selector),
  ];
  const isVideo = /(^|\.)youtube\.com$/.test(location.hostname) && location.search.includes('v=');
  const listed =
    isVideo && of('script:not([src])').some((each) => each.innerHTML.includes('"captionTracks":'));
  const named = of(
    'track:not([kind=metadata i], [kind=chapters i]),a[href],link[type],podcast\\:transcript',
  ).some((each) => {
    const address = each.getAttribute('src') ?? each.getAttribute('href') ?? each.getAttribute('url') ?? '';
    const url = URL.parse(address, document.baseURI);
    const isFile = each.localName !== 'a' && each.localName !== 'link';
    const isSaid =
      isFile || /(vtt|subrip)$/.test(each.getAttribute('type') ?? '') || /\.(vtt|srt)$/i.test(address);
    return isSaid && address !== '' && url?.origin === location.origin;
  });
  return { selects, speaks: listed || named || of('ytd-transcript-segment-renderer').length > 0 };
}

/** Runs in the page, where page.js has left the functions. */
function callInPage(name: string, args: unknown[], notThere: string): unknown {
  // An element of the page's can have that name.
  if (!Object.hasOwn(globalThis, 'portsidePage')) return notThere;
  const { portsidePage } = globalThis as unknown as {
    portsidePage: Record<string, (...of: unknown[]) => unknown>;
  };
  return portsidePage[name]?.(...args);
}

/** @throws AppError `page_gone` */
async function findAny(target: PageTarget): Promise<PageTab> {
  const [tab] =
    'tabId' in target
      ? [await browser.tabs.get(target.tabId).catch(() => undefined)]
      : await browser.tabs.query({ active: true, windowId: target.windowId });
  const [found] = tab ? pageTab(tab) : [];
  if (!found) throw tabGone();
  return found;
}

/** What the browser tells of a tab. */
type Told = { [K in keyof PageTab]?: PageTab[K] | undefined };

function pageTab({ id, windowId = -1, active = false, title, url, openerTabId }: Told): PageTab[] {
  if (id === undefined) return [];
  const named = { ...(title !== undefined && { title }), ...(url !== undefined && { url }) };
  return [{ id, windowId, active, ...named, ...(openerTabId !== undefined && { openerTabId }) }];
}

/** As the tab has them by now; a script in it knows them where the browser keeps them to itself. */
async function headOf({ id }: PageTab, main: FrameReading): Promise<{ title: string; url: string }> {
  const { title = main.title, url = main.url } = await browser.tabs.get(id);
  return { title, url };
}

/** Why the browser refused: it says so in words alone, which differ from browser to browser. */
async function refusalOf({ id }: PageTab, cause: unknown, isPicture: boolean): Promise<AppError> {
  const now = await browser.tabs.get(id).catch(() => undefined);
  if (!now) return tabGone();
  const isAll = await mayReadAll();
  const isClosed = now.url ? CLOSED.test(now.url) : isKept(now, isAll) || CLOSED_WORDS.test(String(cause));
  // A site's access is not enough for a picture of it: https://developer.chrome.com/docs/extensions/reference/api/tabs#method-captureVisibleTab
  const isAllowed = isPicture || !now.url ? isAll : await isGranted(now.url);
  if (isClosed) return tabClosed();
  if (isAllowed)
    return unreadable('page_unreadable', { ...t(($) => $.errors.page.notRead), cause: String(cause) });
  const words = isPicture ? t(($) => $.errors.page.noPicture) : t(($) => $.errors.page.noAccess);
  return unreadable('no_page_access', { ...words, cause: String(cause) });
}

const mayReadAll = (): Promise<boolean> => browser.permissions.contains({ origins: ['<all_urls>'] });

/** To who may read all that can be read, the browser keeps the addresses of the others to itself. */
const isKept = ({ url, status }: Told & { status?: string | undefined }, isAll: boolean): boolean =>
  isAll && !url && status === 'complete';

async function isGranted(url: string | undefined): Promise<boolean> {
  if (url === undefined || !URL.canParse(url)) return false;
  return browser.permissions.contains({ origins: [originPattern(url)] }).catch(() => false);
}

const unreadable = (code: string, words: ErrorWords): AppError =>
  new AppError({ code, retryable: !/^page_(closed|private)$/.test(code), ...words });
const nothing = (part: FrontPart): AppError =>
  unreadable(
    'nothing_read',
    t(($) => $.errors.page.nothing[part]),
  );
