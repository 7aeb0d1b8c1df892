import { browser } from 'wxt/browser';
import type { PageTab } from '../../../../lib/types/page.ts';

type Created = Parameters<Parameters<typeof browser.tabs.onCreated.addListener>[0]>[0];

/**
 * Knows the tabs that a form is sent to by an action in a tab, from now until it ends, and gives the front back to the user: Chromium
 * puts them in front, and names the tab that was there as their opener, also where the form is in one that is behind.
 */
export function watchSentTabs({ id, windowId }: PageTab, before: PageTab[]) {
  const front = before.find((each) => each.active && each.windowId === windowId);
  const created: Created[] = [];
  let sends: string | undefined;
  let wasInFront = false;
  const isSent = ({ openerTabId, pendingUrl, url = '' }: Created): boolean => {
    if (sends === undefined || (openerTabId !== id && openerTabId !== front?.id)) return false;
    // Firefox tells the address later, and of sites that Portside may not see no browser does.
    const [address] = (pendingUrl ?? url).split('?');
    return address === '' || address === 'about:blank' || address === sends.split('?')[0];
  };
  const giveBack = async (tab: Created): Promise<void> => {
    if (!front || tab.id === undefined || tab.windowId !== windowId || !isSent(tab)) return;
    if (!(await browser.tabs.get(tab.id)).active) return; // the user is elsewhere by now
    await browser.tabs.update(front.id, { active: true });
    wasInFront = true;
  };
  const attempt = (tab: Created): Promise<void> =>
    giveBack(tab).catch((error: unknown) => console.debug('A tab stays in front.', error));
  const onCreated = (tab: Created): void => {
    created.push(tab);
    void attempt(tab);
  };
  browser.tabs.onCreated.addListener(onCreated);
  return {
    /** Where the page has sent a form, of which the browser makes a new tab. */
    async sent(url: string): Promise<void> {
      sends = url;
      await Promise.all(created.map(attempt));
    },
    isSent: (tabId: number): boolean => created.some((tab) => tab.id === tabId && isSent(tab)),
    wasInFront: (): boolean => wasInFront,
    end: (): void => browser.tabs.onCreated.removeListener(onCreated),
  };
}
