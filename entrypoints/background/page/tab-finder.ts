import { browser } from 'wxt/browser';
import { isSiteForbidden, refused as notAllowed } from '../../../lib/fleet/rules.ts';
import { type PageTab, siteOf } from '../../../lib/types/page.ts';
import { privateTab, tabGone } from './page-errors.ts';

/** Characters of a tab’s title: Firefox has all that its page writes there. */
export const LONGEST_TITLE = 2_000;

/** A tab, or the one in front in a window. */
export type PageTarget = { tabId: number } | { windowId: number };

/** Whether neither Portside nor a model may see what is in a tab. */
export type IsPrivate = (tab: Pick<PageTab, 'id' | 'openerTabId'>) => Promise<boolean>;

/** The browser's tabs, as far as Portside may see them. */
export function createTabFinder(isPrivate: IsPrivate) {
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
    if (await isPrivate(tab)) throw privateTab();
    if (isForbidden(tab)) throw notAllowed('other');
    return tab;
  }

  return { list, find };
}

/** One whose site the browser keeps to itself can't be read anyway. */
const isForbidden = ({ url = '' }: PageTab): boolean => isSiteForbidden([siteOf(url) ?? url]);

const unnamed = ({ title: _title, url: _url, ...tab }: PageTab): PageTab => tab;

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

type BrowserTab = { [K in keyof PageTab]?: PageTab[K] | undefined };

function pageTab({ id, windowId = -1, active = false, title, url, openerTabId }: BrowserTab): PageTab[] {
  if (id === undefined) return [];
  const shown = title?.slice(0, LONGEST_TITLE);
  const named = { ...(shown !== undefined && { title: shown }), ...(url !== undefined && { url }) };
  return [{ id, windowId, active, ...named, ...(openerTabId !== undefined && { openerTabId }) }];
}
