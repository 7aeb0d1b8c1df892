import type { FrontPart, PageTab } from '../../types/page.ts';
import type { WorkerLink } from '../panel-port.ts';
import type { PageEntry, TabNamesEntry } from './menu-entries.ts';
import { t } from '../../../locales/texts/panel.ts';

/** A transcript is offered where there is one (components/chat/start/starters.tsx). */
type Listed = Exclude<FrontPart, 'transcript'>;

const PARTS: Listed[] = ['page', 'selection', 'screenshot', 'field'];

/** What can be attached of the page in front of this window, and of the other tabs. */
export type PageEntries = { front: PageEntry[]; tabs: (PageEntry | TabNamesEntry)[] };

/** Asks which tabs are open; the browser names those to which Portside has access. */
export async function pageEntries(link: WorkerLink, windowId: number): Promise<PageEntries> {
  const tabs = await link.send('listTabs');
  const front = tabs.find((tab) => tab.active && tab.windowId === windowId);
  const others = tabs.filter((tab) => tab !== front && isPage(tab));
  const named = others.filter(({ title, url }) => title !== undefined && url !== undefined);
  return {
    front: front ? PARTS.map((part) => frontEntry(front, part)) : [],
    tabs: [...named.map(tabEntry), ...(named.length < others.length ? [tabNames()] : [])],
  };
}

/** One of the browser's own can't be read anyway. */
const isPage = ({ url }: PageTab): boolean => url === undefined || /^(https?|file):/.test(url);

function frontEntry({ id, title, url }: PageTab, part: Listed): PageEntry {
  const front = t(($) => $.pages.front);
  const sub = part === 'page' && title ? title : t(($) => $.pages.does[part]);
  const group = { id: 'front', title: front };
  const place = { tabId: id, ...(url !== undefined && { url }) };
  return {
    type: 'page',
    id: `page/${part}`,
    title: t(($) => $.pages.parts[part]),
    sub,
    group,
    part,
    ...place,
  };
}

function tabEntry({ id, title = '', url = '' }: PageTab): PageEntry {
  const name = title === '' ? t(($) => $.pages.untitled) : title;
  return {
    type: 'page',
    id: `tab/${id}`,
    title: name,
    sub: url,
    group: tabsGroup(),
    part: 'page',
    tabId: id,
    url,
  };
}

const tabsGroup = () => ({ id: 'tabs', title: t(($) => $.pages.tabs) });

const tabNames = (): TabNamesEntry => ({
  type: 'tab_names',
  id: 'tab_names',
  title: t(($) => $.pages.names),
  sub: t(($) => $.pages.namesSub),
  group: tabsGroup(),
});
