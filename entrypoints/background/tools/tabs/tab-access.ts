import { browser } from 'wxt/browser';
import { AppError } from '../../../../lib/errors.ts';
import { OWN_CALLS } from '../../../../lib/protocol/chats.ts';
import { quoted } from '../../../../lib/tools/own/own-tool.ts';
import type { OwnCall } from '../../../../lib/tools/every-run-tool.ts';
import { type PageTab, siteOf } from '../../../../lib/types/page.ts';
import type { ToolResult } from '../../../../lib/types/tools/tool-result.ts';
import type { createPages } from '../../page/pages.ts';
import { tabClosed } from '../../page/page-errors.ts';
import { wentOn } from './tab-navigation.ts';
import { t } from '../../../../locales/texts/errors.ts';

type TabAccessDeps = {
  pages: Pick<ReturnType<typeof createPages>, 'find'>;
  /** The window whose panel shows a chat. */
  windowOf: (conversationId: string) => number | undefined;
};

export type TabAccess = ReturnType<typeof createTabAccess>;

/** Which tab a call means, and whether it may have it. */
export function createTabAccess({ pages, windowOf }: TabAccessDeps) {
  const used = new Map<string, Set<number>>();
  /** A chat has read a tab, acted in it or opened it. */
  const use = ({ conversationId }: Pick<OwnCall, 'conversationId'>, tabId: number): void => {
    used.set(conversationId, (used.get(conversationId) ?? new Set()).add(tabId));
  };
  return {
    use,
    async tabOf(
      { conversationId, at }: Pick<OwnCall, 'conversationId' | 'at'>,
      args: Record<string, unknown>,
    ): Promise<PageTab> {
      const tab = at?.tab ?? args['tab'];
      if (tab !== undefined) return pages.find({ tabId: Number(tab) });
      const windowId = windowOf(conversationId) ?? (await browser.windows.getLastFocused()).id ?? -1;
      return pages.find({ windowId });
    },
    /**
     * It must have shown the site that the call was judged by from then until it was read; a call that was judged by none, since
     * the browser told none, reads none.
     * @param work gets the origins whose frames it may read
     */
    ofTab(
      call: OwnCall,
      tab: PageTab,
      work: (origins: string[]) => Promise<{ text: string } & Partial<ToolResult>>,
    ): Promise<ToolResult> {
      return orNoAccess(tab.url, async () => {
        const judged = judgedSite(call, tab);
        const result = await work([judged ?? [], await call.originsRead()].flat());
        const { title = '', url = '' } = await browser.tabs.get(tab.id);
        if (judged !== siteOf(url)) throw wentOn();
        // The browser lets Portside in and hides the address: an about:blank window, which may be of any site.
        if (judged === undefined) throw tabClosed();
        use(call, tab.id);
        return { isError: false, ...result, text: pageText(title, url, result.text), url };
      });
    },
    /** The tab in front where a chat is shown, and those that it has used as long as this worker lives. */
    async tabsOf(conversationId: string): Promise<number[]> {
      const windowId = windowOf(conversationId);
      const front = windowId === undefined ? [] : await browser.tabs.query({ active: true, windowId });
      const ids = [...front.flatMap(({ id }) => id ?? []), ...(used.get(conversationId) ?? [])];
      return [...new Set(ids)];
    },
  };
}

/** By the user, on the settings page, who is asked nothing. */
export const isTried = ({ conversationId }: Pick<OwnCall, 'conversationId'>): boolean =>
  conversationId === OWN_CALLS;

/** The site that a call was judged by; undefined when the browser did not tell it: it could be any by now. */
export const judgedSite = (call: OwnCall, tab: PageTab): string | undefined =>
  call.reads ?? (isTried(call) ? siteOf(tab.url ?? '') : undefined);

/** That a page may not be read is a result too: the user can let Portside read it there. */
export async function orNoAccess(
  url: string | undefined,
  work: () => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'no_page_access') return noAccess(url, error);
    throw error;
  }
}

export const noAccess = (
  url = '',
  { message, fix }: Pick<AppError, 'message' | 'fix'> = t(($) => $.errors.page.noAccess),
): ToolResult => ({
  text: [message, fix].join(' '),
  isError: true,
  access: url,
});

export const pageText = (title: string, url: string, text: string): string =>
  `${quoted(title)}\n${url}\n\n${text}`;
