import { browser } from 'wxt/browser';
import type { Place } from '../../lib/protocol.ts';
import { notificationsOf, PREFIX } from './notify.ts';

/** Chromium's and Firefox's own ways to show the panel; each exists in one of them only. */
type PanelApi = {
  sidePanel?: { open(options: { windowId: number }): Promise<void> };
  sidebarAction?: { open(): Promise<void> };
};

/**
 * A click on a notification shows its chat. Register while the worker starts.
 * @param turnTo has the chat shown by the panel that stands there, or by the next one that does
 */
export function listenForNotificationClicks(
  turnTo: (place: Place, conversationId: string) => Promise<void>,
): void {
  const { sidePanel, sidebarAction } = browser as unknown as PanelApi;
  function clicked(id: string): void {
    if (!id.startsWith(PREFIX)) return;
    // First, before anything is awaited: the browser opens the panel only inside the gesture.
    const opened = sidePanel
      ? sidePanel.open({ windowId: browser.windows.WINDOW_ID_CURRENT })
      : sidebarAction?.open();
    // The window comes to the front all the same, and its panel shows the chat when the person opens it.
    opened?.catch((error: unknown) => console.info('The panel did not open.', error));
    show(id).catch((error: unknown) => console.warn('The chat was not shown.', error));
  }

  async function show(id: string): Promise<void> {
    const { id: windowId } = await browser.windows.getLastFocused();
    if (windowId === undefined) return;
    const [tab] = await browser.tabs.query({ active: true, windowId });
    await turnTo({ windowId, ...(tab?.id !== undefined && { tabId: tab.id }) }, id.slice(PREFIX.length));
    await browser.windows.update(windowId, { focused: true });
    await notificationsOf()?.clear(id);
  }

  // There are none before the person has allowed them.
  const listen = (): void => notificationsOf()?.onClicked.addListener(clicked);
  listen();
  browser.permissions.onAdded.addListener(listen);
}
