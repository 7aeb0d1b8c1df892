import { browser } from 'wxt/browser';
import { isReadable } from '../../../lib/tools/page/reading/frame-readings.ts';
import type { PageTab } from '../../../lib/types/page.ts';
import type { Picture } from '../../../lib/types/picture.ts';
import { type FrameCalls, mayReadAll, TIMEOUT_MS } from './frame-calls.ts';
import { nothingToRead } from './page-errors.ts';
import { smaller } from './small-picture.ts';
import type { createTabFinder } from './tab-finder.ts';

/** Chromium takes so many pictures in a second: https://developer.chrome.com/docs/extensions/reference/api/tabs#property-MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND */
const MOST_PICTURES_PER_SECOND = 2;
/** An action waits no longer for what its pictures need. */
const SMALL_PICTURE_MS = 1_000;

type PicturesDeps = Pick<FrameCalls, 'call' | 'inTime'> &
  Pick<ReturnType<typeof createTabFinder>, 'find'> & { wait: (ms: number) => Promise<void> };

/** Pictures of pages, and of what tabs show. */
export function createPictures({ call, inTime, find, wait }: PicturesDeps) {
  const taken: number[] = [];
  /** Milliseconds until the browser takes another one. */
  const untilPicture = (): number =>
    Math.max(0, (taken.at(-MOST_PICTURES_PER_SECOND) ?? 0) + 1_000 - Date.now());

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
        if (!active || page?.id !== documentId || isHidden) throw nothingToRead('screenshot');
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
    if (!tab.active) throw nothingToRead('screenshot');
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
      if (isOther) throw nothingToRead('screenshot');
      return { mimeType: 'image/jpeg', data: url.slice(url.indexOf(',') + 1) };
    } finally {
      browser.tabs.onActivated.removeListener(activated);
    }
  }

  /** What tells a tab's document from all others. Firefox tells no extension its id. @throws AppError where it is of no such origin */
  async function documentIn(tab: PageTab, origins: string[]): Promise<number> {
    const [found] = await call(tab, 'identity');
    if (!found || !isReadable(found, origins)) throw nothingToRead('screenshot');
    return found.id;
  }

  return { pictureOf, screenshotOf, smallPicture };
}
