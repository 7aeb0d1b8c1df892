import { browser } from 'wxt/browser';
import { originPattern } from './origins.ts';

/**
 * Asks the browser for access to the hosts of `urls`; true when it was granted, or was before.
 * Call it synchronously in a click's handler: after any `await` the gesture is gone.
 * @throws TypeError when one of `urls` is no absolute address.
 */
export function requestOrigins(urls: string[]): Promise<boolean> {
  return browser.permissions.request({ origins: urls.map(originPattern) });
}

/** The id of the window this page is in: the other thing that only the page itself can ask the browser. */
export async function ownWindow(): Promise<number> {
  const { id } = await browser.windows.getCurrent();
  return id ?? browser.windows.WINDOW_ID_NONE;
}
