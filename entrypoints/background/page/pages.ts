import { browser } from 'wxt/browser';
import { isSiteForbidden } from '../../../lib/fleet/rules.ts';
import { isReadable, readFrames } from '../../../lib/tools/page/reading/frame-readings.ts';
import type { FrontPage } from '../../../lib/types/starter.ts';
import {
  type FrameReading,
  type PageContent,
  type PagePart,
  type PageReading,
  type PageTab,
  siteOf,
} from '../../../lib/types/page.ts';
import { createFrameCalls, isClosedAddress } from './frame-calls.ts';
import { nothingToRead, unreadable } from './page-errors.ts';
import type { PageReader } from './page-reader.ts';
import { createPictures } from './pictures.ts';
import { createTabFinder, type IsPrivate, LONGEST_TITLE, type PageTarget } from './tab-finder.ts';
import { t } from '../../../locales/texts/errors.ts';

/** To tell whether something is selected. */
const SELECTION_MS = 500;

type ShownTab = PageTab & { title: string; url: string };

/** How much is read, in bytes, and what is looked for in it; and: */
type ReadOptions = Pick<PageReading, 'most' | 'query'> & {
  /** What the whole is known by should it be cut; of a field that was read its id. */
  readId?: string;
  /**
   * The address of a picture, or which selection is meant, in a field too. A picture that can't be had is photographed with
   * what is around it.
   */
  clicked?: string;
  /** Whose frames are read with it; undefined: all. */
  origins?: string[];
  /** What the tab showed as the user asked: its page can lead it elsewhere as soon as the panel opens. */
  url?: string | undefined;
};

export type PagesDeps = PageReader & { wait: (ms: number) => Promise<void>; isPrivate: IsPrivate };

/** Pages, as they are read on demand. Nothing of them is kept here. */
export function createPages({ prepare, compose, wait, isPrivate }: PagesDeps) {
  const { list, find } = createTabFinder(isPrivate);
  const { call, callEach, frameOf, runInMain, inTime } = createFrameCalls(wait, isPrivate);
  const { pictureOf, screenshotOf, smallPicture } = createPictures({ call, inTime, find, wait });

  /**
   * Reads a part of a page.
   * @throws AppError `page_gone`, `no_page_access`, `page_closed`, `page_private`, `page_busy`, `page_unreadable`, `nothing_read`
   */
  async function read(
    target: PageTarget,
    part: Exclude<PagePart, 'link'>,
    { readId = '', clicked = '', origins, url: wanted, ...more }: ReadOptions,
  ): Promise<PageContent & { tab: ShownTab; fieldId?: string | undefined }> {
    const tab = await find(target);
    requireSite(tab.url, wanted);
    prepare();
    const common = { part, readId, frames: [], ...more };
    if (part === 'screenshot' || part === 'image') {
      const picture =
        (part === 'image' && (await pictureOf(tab, clicked))) || (await screenshotOf(tab, origins));
      const { title, url, active } = await headOf(tab);
      if (!active) throw nothingToRead('screenshot'); // it may show what came to the front
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
    if (!main) throw nothingToRead(part);
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
    if (content.text === '') throw nothingToRead(part);
    return { ...content, tab: { ...tab, title, url }, fieldId: main.fieldId };
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

  /** The page in front in a window; null where browsers let no extension in. */
  async function front(windowId: number): Promise<FrontPage | null> {
    const tab = await find({ windowId }).catch(() => null);
    if (!tab || (tab.url && isClosedAddress(tab.url))) return null;
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

  return { read, smallPicture, call, callEach, runInMain, frameOf, find, list, front };
}

/** A frame's site may be one where nothing is read, though its page's is none. */
function allowedIn(frames: FrameReading[]): string[] | undefined {
  const all = frames.flatMap(({ origin }) => origin ?? []);
  return isSiteForbidden(all) ? all.filter((origin) => !isSiteForbidden([origin])) : undefined;
}

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

/**
 * As the tab has them by now; a script in it knows them where the browser keeps them to itself. While one frame keeps the others'
 * answers waiting, its page can lead the tab to another site, whose words they would pass for.
 * @throws AppError where it did
 */
async function headOf({ id, url: before }: PageTab, main = { title: '', url: '' }) {
  const { title = main.title, url = main.url, active } = await browser.tabs.get(id);
  requireSite(url, before);
  return { title: title.slice(0, LONGEST_TITLE), url, active };
}

/** @param before none where the browser did not tell it. @throws AppError where a tab shows another site by now */
function requireSite(url = '', before = ''): void {
  if (url && before && siteOf(url) !== siteOf(before))
    throw unreadable(
      'page_unreadable',
      t(($) => $.errors.page.notRead),
    );
}
