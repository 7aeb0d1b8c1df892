import { browser } from 'wxt/browser';
import { worker } from '../../locales/worker.ts';
import type { Intent } from '../../lib/protocol.ts';

const MENU_ID = 'ask-selection';

/** Chromium's and Firefox's own ways to show the panel; each exists in one of them only. */
type PanelApi = {
  sidePanel?: {
    open(options: { windowId: number }): Promise<void>;
    setPanelBehavior(behavior: { openPanelOnActionClick: boolean }): Promise<void>;
  };
  sidebarAction?: { open(): Promise<void>; toggle(): Promise<void> };
};

/**
 * "Ask Portside about …" on a selection, and the toolbar button. Register while the worker starts.
 * @param leaveIntent stores what is to be asked; the panel takes it when it is ready
 */
export function listenForEntryPoints(leaveIntent: (intent: Intent) => Promise<void>): void {
  const { sidePanel, sidebarAction } = browser as unknown as PanelApi;
  browser.contextMenus.onClicked.addListener((info, tab) => {
    // First, before anything is awaited: the browser opens the panel only inside the gesture.
    const opened = sidePanel
      ? sidePanel.open({ windowId: tab?.windowId ?? browser.windows.WINDOW_ID_CURRENT })
      : sidebarAction?.open();
    opened?.catch((error: unknown) => console.warn('The panel did not open.', error));
    const text = info.selectionText?.trim() ?? '';
    if (info.menuItemId === MENU_ID && text !== '') {
      const intent = { id: crypto.randomUUID(), text: worker.entry.aboutSelection(text) };
      leaveIntent({ ...intent, ...(tab?.windowId !== undefined && { windowId: tab.windowId }) }).catch(
        (error: unknown) => console.error('What was to be asked could not be stored.', error),
      );
    }
  });
  browser.runtime.onInstalled.addListener(async () => {
    await browser.contextMenus.removeAll(); // they outlive updates of the extension and of the browser
    browser.contextMenus.create({ id: MENU_ID, title: worker.entry.askSelection, contexts: ['selection'] });
  });
  void sidePanel?.setPanelBehavior({ openPanelOnActionClick: true });
  if (!sidePanel) browser.action.onClicked.addListener(() => void sidebarAction?.toggle());
}
