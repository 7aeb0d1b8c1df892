import { browser } from 'wxt/browser';
import { announceIntent } from '../../../lib/broadcasts.ts';
import type { BrowserShortcut, Intent } from '../../../lib/protocol/attached.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { type ClickedTab, wishOf } from './context-menu.ts';
import { openPanel, panelApi } from '../../../lib/open-panel.ts';

/** What the user wants to ask from outside the panel: `windowId` absent where the browser does not tell it. */
export type Wish = Pick<Intent, 'entry' | 'text' | 'page'> & { windowId?: number | undefined };

/**
 * The toolbar button, the context menus, the keyboard shortcuts and the omnibox. Register while the worker starts.
 * @param leave stores what is to be asked; the panel takes it when it is ready
 * @param openBox opens the box for a question over a page, if the user switched that on, or leaves the question in the sidebar
 */
export function listenForEntryPoints(
  leave: (wish: Wish) => Promise<void>,
  openBox: (tab: ClickedTab | undefined) => void,
): void {
  const { sidePanel, sidebarAction } = panelApi();
  const ask = (wish: Wish): void =>
    void leave(wish).catch((error: unknown) =>
      console.error('What was to be asked could not be stored.', error),
    );
  browser.contextMenus.onClicked.addListener((click, tab) => {
    void openPanel(tab?.windowId);
    ask(wishOf(click, tab));
  });
  browser.commands.onCommand.addListener((menuItemId, tab) => {
    if (menuItemId === 'quick-ask') {
      if (sidebarAction) void openPanel(); // where Firefox has it written
      return openBox(tab);
    }
    void openPanel(tab?.windowId);
    ask(wishOf({ menuItemId, pageUrl: tab?.url }, tab));
  });
  browser.omnibox.onInputEntered.addListener((text) => {
    void openPanel();
    ask({ text });
  });
  // Where Chromium opens the panel by itself the press gives no access to the page (seen in 156).
  void sidePanel?.setPanelBehavior({ openPanelOnActionClick: false });
  browser.action.onClicked.addListener(
    (tab) => void (sidePanel ? openPanel(tab.windowId) : sidebarAction?.toggle()),
  );
}

export async function listShortcuts(): Promise<BrowserShortcut[]> {
  return (await browser.commands.getAll()).map(({ name = '', shortcut = '' }) => ({ name, keys: shortcut }));
}

/** Stores what is to be asked, as the user set it, and calls the panels. */
export async function leaveIntent(db: Database, wish: Wish, now: number): Promise<void> {
  const [, promptId] = /^prompt-(\d+)/.exec(wish.entry ?? '') ?? [];
  const prompt = promptId && (await db.get('prompts', Number(promptId)));
  // A text was written by the user, who wants it asked.
  const asks = wish.text !== undefined || (await loadSetting(db, 'atEntry')) === 'ask';
  const windowId = wish.windowId ?? (await browser.windows.getLastFocused()).id ?? -1;
  const createdAt = new Date(now).toISOString();
  const text = prompt && { text: prompt.text };
  await db.put('intents', { ...wish, ...text, id: crypto.randomUUID(), windowId, asks, createdAt });
  announceIntent();
}
