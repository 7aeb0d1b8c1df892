import { browser } from 'wxt/browser';
import { openPanel } from './open-panel.ts';
import { prepareModel } from './language-model.ts';
import { answersInside, BROWSER_URL, originPattern } from './origins.ts';

/**
 * Asks the browser for access to the hosts of `urls`; true when it was granted, or was before.
 * Call it synchronously in a click's handler: after any `await` the gesture is gone.
 * @throws TypeError when one of `urls` is no absolute address.
 */
export function requestOrigins(urls: string[]): Promise<boolean> {
  return requestAccess(urls, false);
}

/** Asks the browser whether Portside may notify, like `requestOrigins`. */
export function requestNotifications(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['notifications'] });
}

/** The same for hosts and, with `programs`, for starting programs on this computer: one question for both. */
export function requestAccess(urls: string[], programs: boolean): Promise<boolean> {
  const origins = urls.filter((url) => !answersInside(url)).map(originPattern);
  // It may have to be downloaded, which takes a click too. Whether it is there is told by what is asked of it.
  if (urls.includes(BROWSER_URL))
    return prepareModel().then(
      () => true,
      () => true,
    );
  if (origins.length === 0 && !programs) return Promise.resolve(true);
  return browser.permissions.request({
    origins,
    ...(programs && { permissions: ['nativeMessaging'] }),
  });
}

/** The same for sites, by match pattern: to read their pages. */
export function requestSites(origins: string[]): Promise<boolean> {
  return browser.permissions.request({ origins });
}

const TABS: { permissions: ['tabs'] } = { permissions: ['tabs'] };

/** The same for the titles and addresses of all open tabs. */
export function requestTabNames(): Promise<boolean> {
  return browser.permissions.request(TABS);
}

/**
 * The address of a tab, or of the one in front of this page's window, where the browser keeps it to itself; undefined when
 * the user denies that. Nothing gives an extension the address of one tab alone, so those of all are asked for. Chromium
 * takes them back without asking again the next time; Firefox would ask, and so goes on telling them. Call it like
 * `requestOrigins`. Chromium's gesture may last beyond it, Firefox's never does.
 */
export async function requestAddress(tabId?: number): Promise<string | undefined> {
  const before = browser.permissions.contains(TABS);
  if (!(await requestTabNames())) return undefined;
  const id = tabId ?? (await ownPlace()).tabId;
  const tab = id === undefined ? undefined : await browser.tabs.get(id).catch(() => undefined);
  if (!import.meta.env.FIREFOX && !(await before)) await browser.permissions.remove(TABS);
  return tab?.url;
}

/** The id of the window this page is in: the other thing that only the page itself can ask the browser. */
export async function ownWindow(): Promise<number> {
  const { id } = await browser.windows.getCurrent();
  return id ?? browser.windows.WINDOW_ID_NONE;
}

/** The window that this page is in, and the tab in front of it. */
export async function ownPlace(): Promise<{ windowId?: number; tabId?: number }> {
  const windowId = await ownWindow();
  const [tab] = await browser.tabs.query({ active: true, windowId });
  return { windowId, ...(tab?.id !== undefined && { tabId: tab.id }) };
}

/**
 * Opens the panel in this page's window and leads back to the tab that was in front before this page, if there is one.
 * To be called synchronously in a click's handler, like `requestOrigins`.
 */
export async function backToPanel(windowId: number): Promise<void> {
  void openPanel(windowId);
  const own = await browser.tabs.getCurrent();
  const tabs = await browser.tabs.query({ windowId });
  const [last] = tabs
    .filter(({ id }) => id !== own?.id)
    .toSorted((one, other) => (other.lastAccessed ?? 0) - (one.lastAccessed ?? 0));
  if (last?.id !== undefined) await browser.tabs.update(last.id, { active: true });
}

/** Tells of each tab that comes to the front of this page's window, by id. Returns the undo. */
export function watchTabs(came: (tabId: number) => void): () => void {
  const listen = ({ tabId, windowId }: { tabId: number; windowId: number }): void =>
    void ownWindow().then((own) => own === windowId && came(tabId));
  browser.tabs.onActivated.addListener(listen);
  return () => browser.tabs.onActivated.removeListener(listen);
}

/** Tells whenever the user turns from one of the browser's windows to another. Returns the undo. */
export function watchWindows(turned: () => void): () => void {
  let last: number | undefined;
  void ownWindow().then((own) => (last ??= own));
  const listen = (windowId: number): void => {
    // In between, and in another program, it is none.
    if (windowId === browser.windows.WINDOW_ID_NONE || windowId === last) return;
    last = windowId;
    turned();
  };
  browser.windows.onFocusChanged.addListener(listen);
  return () => browser.windows.onFocusChanged.removeListener(listen);
}

/**
 * Tells, first at once, whenever another page may be in front of this one's window, or something else be selected there:
 * at another tab, another address, and when the user turns to this page. Returns the undo.
 */
export function watchFront(changed: () => void): () => void {
  const { onActivated, onUpdated } = browser.tabs;
  const updated = (_id: number, { status, title }: { status?: string; title?: string }): void => {
    if (status === 'complete' || title !== undefined) changed();
  };
  const { documentElement: page } = document;
  onActivated.addListener(changed);
  onUpdated.addListener(updated);
  page.addEventListener('pointerenter', changed);
  window.addEventListener('focus', changed);
  changed();
  return () => {
    onActivated.removeListener(changed);
    onUpdated.removeListener(updated);
    page.removeEventListener('pointerenter', changed);
    window.removeEventListener('focus', changed);
  };
}

/**
 * Tells of each press of Portside's toolbar button, or of its key, in this page's window: the page in front can be read
 * from then on without a question (`activeTab`). Returns the undo.
 */
export function watchToolbarButton(pressed: () => void): () => void {
  const listen = ({ windowId }: { windowId: number }): void =>
    void ownWindow().then((own) => own === windowId && pressed());
  browser.action.onClicked.addListener(listen);
  return () => browser.action.onClicked.removeListener(listen);
}
