import { browser } from 'wxt/browser';
import { AppError } from '../../../lib/errors.ts';
import { originPattern } from '../../../lib/origins.ts';
import type { PageFunctions } from '../../../lib/tools/page/page.ts';
import type { PageTab } from '../../../lib/types/page.ts';
import { privateTab, tabClosed, tabGone, unreadable } from './page-errors.ts';
import type { IsPrivate } from './tab-finder.ts';
import { t } from '../../../locales/texts/errors.ts';

/** A page that has not answered by then is busy, or stopped by a dialog. */
export const TIMEOUT_MS = 10_000;
/** For what is asked after a frame has let the whole time-out pass, and to find an element's frame. */
const RETRY_MS = 3_000;
/** For a function in the world of the page's scripts, which only puts others in place. */
const MAIN_MS = 1_000;
/** The answer of a frame into which nothing was injected yet. */
const NOT_THERE = 'portside:not-there';

/** What Chromium says of a page whose address it hides. */
const CLOSED_WORDS = /(chrome|edge|brave|about|devtools|extension)[\w-]{0,20}:|gallery|error page|policy/i;

/** Calls functions in the documents of tabs, in time, and says why where the browser refuses. */
export function createFrameCalls(wait: (ms: number) => Promise<void>, isPrivate: IsPrivate) {
  /** Calls a function in every frame that may be reached; one that does not answer, or in which it fails, is no reason to read nothing. */
  const callEach = <K extends keyof PageFunctions>(
    tab: PageTab,
    name: K,
    args: Parameters<PageFunctions[K]>,
  ) =>
    call(tab, name, true, args)
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'page_busy')
          return call(tab, name, false, args, RETRY_MS);
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
    const all = await inFrames(tab, 'holds', true, [ref], RETRY_MS);
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
      if (await isPrivate(tab)) throw privateTab();
      // Its page is any site's that opened it: what is allowed for one would hold for all. The browser lets in whoever may see addresses.
      if (tab.url?.startsWith('about:')) throw tabClosed();
      // Some never refuse, nor answer: the source of a page.
      if (!tab.url && hidesAddress(await browser.tabs.get(tab.id), await mayReadAll())) throw tabClosed();
      return await Promise.race([work(), late]);
    } catch (error) {
      throw error instanceof AppError ? error : await refusalOf(tab, error, isPicture);
    }
  }

  return { call, callEach, frameOf, runInMain, inTime };
}

export type FrameCalls = ReturnType<typeof createFrameCalls>;

const CLOSED =
  /^(?!https?:|file:)|^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore|addons\.mozilla\.org)/;

/** Whether browsers let no extension into a page of this address. */
export const isClosedAddress = (url: string): boolean => CLOSED.test(url);

/** Runs in the page, where page.js has left the functions. */
function callInPage(name: string, args: unknown[], notThere: string): unknown {
  // An element of the page's can have that name.
  if (!Object.hasOwn(globalThis, 'portsidePage')) return notThere;
  const { portsidePage } = globalThis as unknown as {
    portsidePage: Record<string, (...of: unknown[]) => unknown>;
  };
  return portsidePage[name]?.(...args);
}

/** Why the browser refused: it says so in words alone, which differ from browser to browser. */
async function refusalOf({ id }: PageTab, cause: unknown, isPicture: boolean): Promise<AppError> {
  const now = await browser.tabs.get(id).catch(() => undefined);
  if (!now) return tabGone();
  const isAll = await mayReadAll();
  const isClosed = now.url
    ? isClosedAddress(now.url)
    : hidesAddress(now, isAll) || CLOSED_WORDS.test(String(cause));
  // A site's access is not enough for a picture of it: https://developer.chrome.com/docs/extensions/reference/api/tabs#method-captureVisibleTab
  const isAllowed = isPicture || !now.url ? isAll : await isGranted(now.url);
  if (isClosed) return tabClosed();
  if (isAllowed)
    return unreadable('page_unreadable', { ...t(($) => $.errors.page.notRead), cause: String(cause) });
  const words = isPicture ? t(($) => $.errors.page.noPicture) : t(($) => $.errors.page.noAccess);
  return unreadable('no_page_access', { ...words, cause: String(cause) });
}

export const mayReadAll = (): Promise<boolean> => browser.permissions.contains({ origins: ['<all_urls>'] });

/** Whether the browser hides a tab's address from an extension that may read every site: no extension gets in there. */
const hidesAddress = (
  { url, status }: { url?: string | undefined; status?: string | undefined },
  isAll: boolean,
): boolean => isAll && !url && status === 'complete';

async function isGranted(url: string | undefined): Promise<boolean> {
  if (url === undefined || !URL.canParse(url)) return false;
  return browser.permissions.contains({ origins: [originPattern(url)] }).catch(() => false);
}
