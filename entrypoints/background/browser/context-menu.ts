import { browser } from 'wxt/browser';
import type { Intent } from '../../../lib/protocol/attached.ts';
import type { PagePart } from '../../../lib/types/page.ts';
import type { Settings } from '../../../lib/types/settings.ts';
import type { SavedPrompt } from '../../../lib/types/prompt.ts';
import type { StarterId } from '../../../lib/types/starter.ts';
import { LONGEST_TITLE } from '../page/tab-finder.ts';

import { t } from '../../../locales/texts/worker.ts';

/** Portside's own entries, in the order of the menu: what was clicked, and what is asked of it. */
const ENTRIES = [
  'selection-ask',
  'selection-explain',
  'selection-summarise',
  'selection-translate',
  'selection-rewrite',
  'page-ask',
  'page-summarise',
  'page-translate',
  'link-ask',
  'image-ask',
  'editable-rewrite',
] as const satisfies (keyof Texts.Worker['menu'])[];

/** What was clicked, as the browser tells it. Commands are named like entries of the menu. */
type Click = {
  menuItemId: number | string;
  selectionText?: string | undefined;
  linkUrl?: string | undefined;
  srcUrl?: string | undefined;
  pageUrl?: string | undefined;
  frameUrl?: string | undefined;
  /** In something that can be written in. */
  editable?: boolean | undefined;
};
export type ClickedTab = {
  id?: number | undefined;
  windowId?: number | undefined;
  title?: string | undefined;
  url?: string | undefined;
};

/** Puts Portside's entries into the context menus, which outlive this worker, and the browser. */
export async function buildMenu(prompts: SavedPrompt[], starters: Settings['starters']): Promise<void> {
  const { contextMenus } = browser;
  await contextMenus.removeAll();
  for (const id of ENTRIES) {
    if (starters[id.slice(id.lastIndexOf('-') + 1) as StarterId]?.isOff) continue;
    contextMenus.create({ id, title: t(($) => $.menu[id]), contexts: [contextOf(id) as 'page'] });
  }
  for (const { id, name, skill } of prompts) {
    if (skill) continue;
    // The browser takes the letter after an & for the entry's key.
    const title = name.replaceAll('&', '&&');
    contextMenus.create({ id: `prompt-${id}`, title, contexts: ['selection', 'page'] });
  }
}

/** What an entry of the menu, or the command of that name, asks. */
export function wishOf(
  { menuItemId, selectionText, linkUrl, srcUrl, pageUrl = '', frameUrl, editable }: Click,
  tab: ClickedTab = {},
): Pick<Intent, 'entry' | 'page'> & { windowId: number | undefined } {
  const entry = String(menuItemId);
  // What is rewritten in a field can be put back into it.
  const context = editable && entry === 'selection-rewrite' ? 'editable' : contextOf(entry);
  const ofPrompt = context === 'prompt' && (selectionText ? 'selection' : 'page');
  const part = ofPrompt || (context === 'editable' ? 'field' : (context as PagePart));
  const selected = { selection: selectionText, field: selectionText };
  const text = { link: linkUrl, image: srcUrl, ...selected }[part as 'link'];
  const framed = frameUrl && { frameUrl };
  const given = text && {
    given: { text, title: (tab.title ?? '').slice(0, LONGEST_TITLE), url: pageUrl, ...framed },
  };
  const page = { part, tabId: tab.id ?? browser.tabs.TAB_ID_NONE, url: tab.url, ...given };
  return { entry, page, windowId: tab.windowId };
}

/** Of what an entry is: the beginning of its name. */
const contextOf = (entry: string): string => entry.replace(/-.*/, '');
