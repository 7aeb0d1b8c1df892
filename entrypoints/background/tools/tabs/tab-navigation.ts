import { browser } from 'wxt/browser';
import { AppError } from '../../../../lib/errors.ts';
import { OWN_CALLS } from '../../../../lib/protocol/chats.ts';
import type { OwnCall } from '../../../../lib/tools/every-run-tool.ts';
import {
  ofSite,
  OTHER_SITE,
  type OwnToolDeps,
  tabLine,
  textResult,
} from '../../../../lib/tools/own/own-tool.ts';
import { type PageTab, siteOf } from '../../../../lib/types/page.ts';
import type { ToolResult } from '../../../../lib/types/tools/tool-result.ts';
import { isGranted } from '../../browser/permissions.ts';
import type { createPages } from '../../page/pages.ts';
import type { createActing } from './acting-mark.ts';
import { NO_PAGE } from './action-outcome.ts';
import type { createDialogs } from './dialogs.ts';
import { isBusy } from './page-changes.ts';
import { t } from '../../../../locales/texts/errors.ts';

/** Milliseconds between two looks whether a tab has loaded. */
const LOOK_MS = 250;
const LOOKS = 40;
/** Milliseconds in which a page answers, unless the browser asks the user whether to leave it. */
const HELD_MS = 2_000;
/** A download's tab is complete and empty for a moment before the browser closes it, for longer where that is busy. */
const DOWNLOAD_CLOSES_MS = 1000;
const DOWNLOAD_LOOKS = 3;

const HELD =
  'The page stays for now: it does not answer, as one does that has the browser ask the user whether to leave it and lose what was entered. ask_user has them answer that. Where they want it left, handle_dialog before the call leaves without the question.';
const STILL_LOADING = ' It is still loading.';
const ERROR_PAGE =
  ' No page of it is there: it could not be reached, or the browser lets no extension look into it.';
const STAYED_EMPTY =
  ' No page of that address is in it: the answer was empty, for another program, or leads where Portside may not look.';

type TabNavigationDeps = {
  pages: Pick<ReturnType<typeof createPages>, 'call' | 'find'>;
  dialogs: Pick<ReturnType<typeof createDialogs>, 'answerFor' | 'leaveFreely'>;
  acting: Pick<ReturnType<typeof createActing>, 'show'>;
  wait: (ms: number) => Promise<void>;
  /** A chat opened this tab. */
  opened: (conversationId: string, tabId: number) => Promise<void>;
};

/** Opens tabs, and takes them elsewhere. */
export function createTabNavigation({ pages, dialogs, acting, wait, opened }: TabNavigationDeps) {
  /** @throws AppError `tab_closed` */
  async function isComplete(id: number, afterMs: number): Promise<boolean> {
    await wait(afterMs);
    const now = await browser.tabs.get(id).catch(() => undefined);
    if (!now) throw new AppError({ code: 'tab_closed', ...t(($) => $.errors.page.tabClosed) });
    return now.status === 'complete';
  }

  /** @returns whether a tab has loaded in time */
  async function waitUntilLoaded(id: number): Promise<boolean> {
    let isLoaded = false;
    for (let look = 0; look < LOOKS && !isLoaded; look += 1) isLoaded = await isComplete(id, LOOK_MS);
    return isLoaded;
  }

  /** @returns `held` where the page that is to be left does not answer: the browser asks the user about it */
  async function unlessHeld<T>(tab: PageTab, leaving: Promise<T>): Promise<T | 'held'> {
    let isOver = false;
    const left = leaving.finally(() => (isOver = true)).catch(() => undefined);
    for (let look = 0; look < LOOKS; look += 1) {
      await Promise.race([left, wait(LOOK_MS)]);
      if (isOver) break;
      const now = await browser.tabs.get(tab.id).catch(() => undefined);
      if (now?.url !== tab.url) break;
      const asked = pages.call(tab, 'identity', false, [], HELD_MS).catch((error: unknown) => error);
      if (isBusy(await Promise.race([left, asked]))) return 'held';
    }
    return leaving;
  }

  /** @param opener whose page leads there */
  async function openBehind(
    url: string,
    { conversationId, opener }: Pick<OwnCall, 'conversationId'> & { opener?: PageTab },
  ): Promise<{ id: number; isLoaded: boolean }> {
    const by = opener && { openerTabId: opener.id, windowId: opener.windowId };
    const { id = -1 } = await browser.tabs.create({ url, active: false, ...by });
    await opened(conversationId, id);
    return { id, isLoaded: await waitUntilLoaded(id) };
  }

  /** Whether no script can run on a page where Portside may: the browser shows its own there. */
  async function isErrorPage(tab: PageTab): Promise<boolean> {
    if (!/^https?:/.test(tab.url ?? '') || !(await isGranted(tab.url ?? ''))) return false;
    return pages.call(tab, 'identity', false, [], HELD_MS).then(
      () => false,
      (error: unknown) => error instanceof AppError && error.code === 'page_unreadable',
    );
  }

  /** Which document a tab shows; undefined where no script can ask it. */
  const identityOf = (tab: PageTab): Promise<number | undefined> =>
    pages.call(tab, 'identity', false, [], HELD_MS).then(
      ([now]) => now?.id,
      () => undefined,
    );

  const open: OwnToolDeps['open'] = async (url, call) => {
    const { id, isLoaded } = await openBehind(url, call);
    const tab = await pages.find({ tabId: id });
    if (isLoaded && tab.url && (await isErrorPage(tab))) return { ...tab, note: ERROR_PAGE, isBroken: true };
    if (isLoaded && (tab.url || !(await isGranted(url)))) return tab;
    const looks = isLoaded ? DOWNLOAD_LOOKS : 0;
    for (let look = 0; look < looks; look += 1) await isComplete(id, DOWNLOAD_CLOSES_MS);
    return { ...tab, note: isLoaded ? STAYED_EMPTY : STILL_LOADING };
  };

  async function close(tab: PageTab): Promise<ToolResult> {
    const closed = await unlessHeld(tab, browser.tabs.remove(tab.id));
    return closed === 'held' ? { text: HELD, isError: true } : textResult(`Closed ${tabLine(tab)}`);
  }

  /** Requires the page that the call is for. An address is allowed for its own site, whatever the tab's was. @throws AppError `page_changed` */
  async function requireMeant(call: OwnCall, tab: PageTab, isAddress: boolean): Promise<void> {
    if (!isAddress && call.conversationId !== OWN_CALLS && call.reads !== siteOf(tab.url ?? ''))
      throw wentOn();
    const { document } = call.at ?? {};
    if (document === undefined) return;
    const [now] = await pages.call(tab, 'identity').catch(() => []); // it may be of use just since it hangs
    if (now && now.id !== document) throw wentOn();
  }

  /** @param where an address, `close`, `reload`, `back` or `forward` */
  async function go(call: OwnCall, tab: PageTab, where: string): Promise<ToolResult> {
    const isAddress = URL.canParse(where);
    await requireMeant(call, tab, isAddress);
    if ((await dialogs.answerFor(call.conversationId, tab))?.accept) await dialogs.leaveFreely(tab);
    if (where === 'close') return close(tab);
    const left = isAddress && (await identityOf(tab));
    if (isAddress) await browser.tabs.update(tab.id, { url: where });
    else if (where === 'reload') await browser.tabs.reload(tab.id);
    else await pages.call(tab, 'travel', false, [where === 'back' ? -1 : 1]);
    const isLoaded = await unlessHeld(tab, waitUntilLoaded(tab.id));
    if (isLoaded === 'held') return { text: HELD, isError: true };
    const now = await pages.find({ tabId: tab.id });
    await acting.show(now, call.conversationId);
    const isBroken = await isErrorPage(now);
    const before = tab.url;
    const isSame = where !== 'reload' && where !== before && now.url === before && before !== undefined;
    const isPageless = isSame && isLoaded && left !== false && left === (await identityOf(now));
    const site = isAddress ? siteOf(where) : call.reads;
    const isError = !isPageless && (isSame || isBroken);
    const isOther = now.url !== undefined && siteOf(now.url) !== site;
    const told = isError && isOther ? { url: OTHER_SITE } : ofSite(now, site);
    const { url: shown = 'a page that Portside may not see' } = told;
    if (isPageless) return textResult(`${NO_PAGE} The tab shows ${shown} as before.`);
    const how = isSame ? 'stays where it was:' : isBroken ? 'went to' : 'shows';
    return {
      isError,
      text: `The tab ${how} ${shown}${isLoaded ? '' : STILL_LOADING}${isBroken ? `.${ERROR_PAGE}` : ''}`,
      // A page chooses what stands in its address: the chat has read that page.
      ...(now.url && !isOther && { url: isAddress ? where : now.url }),
    };
  }

  return { go, open, openBehind, isErrorPage };
}

/** The tab was led elsewhere since. */
export const wentOn = (): AppError =>
  new AppError({
    code: 'page_changed',
    message: 'The tab does not show the page that it showed when the call was made.',
    fix: 'Call it again, of the tab that is meant.',
  });
