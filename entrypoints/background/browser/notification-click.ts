import { browser } from 'wxt/browser';
import type { Place } from '../../../lib/protocol/panel.ts';
import { notificationsOf, PREFIX } from './notify.ts';
import { openPanel } from '../../../lib/open-panel.ts';

/**
 * A click on a notification shows its chat. Register while the worker starts.
 * @param turnTo has the chat shown by the panel that stands there, or by the next one that does
 */
export function listenForNotificationClicks(
  turnTo: (place: Place, conversationId: string) => Promise<void>,
): void {
  function clicked(id: string): void {
    if (!id.startsWith(PREFIX)) return;
    // Where it does not open, the window comes to the front all the same, and its panel shows the chat once it is opened.
    openPanel();
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

  // There are none before the user has allowed them.
  const listen = (): void => notificationsOf()?.onClicked.addListener(clicked);
  listen();
  browser.permissions.onAdded.addListener(listen);
}
