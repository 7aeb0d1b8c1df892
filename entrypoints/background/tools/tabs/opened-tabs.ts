import { browser } from 'wxt/browser';
import { createSerial } from '../../../../lib/async.ts';
import { OWN_CALLS } from '../../../../lib/protocol/chats.ts';
import type { Request } from '../../../../lib/protocol/commands.ts';
import type { PageTab } from '../../../../lib/types/page.ts';

/** Where it is kept: it outlives the worker, and no more than the browser do the ids of its tabs. */
const KEPT = 'openedTabs';

/** Which chat opened a tab, by the tab's id. */
type Kept = Record<number, string>;

type OpenedTabsDeps = {
  list: () => Promise<PageTab[]>;
  /** A chat's open tabs are these now. */
  changed: (conversationId: string, tabs: PageTab[]) => void;
};

/** The tabs that chats opened and that are still open. */
export function createOpenedTabs({ list, changed }: OpenedTabsDeps) {
  const oneByOne = createSerial();
  let isFollowing = false;

  async function load(): Promise<Kept> {
    const { [KEPT]: kept = {} } = (await browser.storage.session.get(KEPT)) as { [KEPT]?: Kept };
    return kept;
  }

  /** Each is told to its chat's panels, and the browser asked to tell of tabs only while there are any: that wakes the worker. */
  async function save(kept: Kept, conversationIds: string[]): Promise<void> {
    await browser.storage.session.set({ [KEPT]: kept });
    const follows = Object.keys(kept).length > 0;
    if (follows !== isFollowing) {
      isFollowing = follows;
      const how = follows ? 'addListener' : 'removeListener';
      browser.tabs.onRemoved[how](gone);
      browser.tabs.onUpdated[how](updated);
    }
    for (const id of new Set(conversationIds)) changed(id, await of(id));
  }

  const change = (work: (kept: Kept) => Promise<void>): Promise<void> =>
    oneByOne(async () => work(await load()));

  /** Forgets tabs that are closed. @param goneId one that the browser may still list */
  const settle = (goneId?: number): Promise<void> =>
    change(async (kept) => {
      const open = new Set((await list()).flatMap(({ id }) => (id === goneId ? [] : String(id))));
      const closed = Object.entries(kept).filter(([id]) => !open.has(id));
      const rest = Object.entries(kept).filter(([id]) => open.has(id));
      await save(
        Object.fromEntries(rest),
        closed.map(([, conversationId]) => conversationId),
      );
    });

  const gone = (tabId: number): void => report(settle(tabId));

  function updated(tabId: number, { title, url }: { title?: string; url?: string }): void {
    if (title === undefined && url === undefined) return;
    report(
      change(async (kept) => {
        const id = kept[tabId];
        if (id !== undefined) changed(id, await of(id));
      }),
    );
  }

  async function of(conversationId: string): Promise<PageTab[]> {
    const kept = await load();
    if (!Object.values(kept).includes(conversationId)) return [];
    const tabs = await list();
    return tabs.filter(({ id }) => kept[id] === conversationId);
  }

  return {
    /** Takes up what an earlier worker left. */
    settle: () => settle(),
    of,
    add: async (conversationId: string, tabIds: number[]): Promise<void> => {
      if (conversationId === OWN_CALLS || tabIds.length === 0) return; // the user tries a tool
      const added = Object.fromEntries(tabIds.map((id) => [id, conversationId]));
      await change((kept) => save({ ...kept, ...added }, [conversationId]));
    },
    /** Closes those of these that the chat opened. */
    async close({ conversationId, tabIds }: Request<'closeTabs'>): Promise<void> {
      const wanted = (await of(conversationId)).flatMap(({ id }) => (tabIds.includes(id) ? id : []));
      await browser.tabs.remove(wanted);
    },
  };
}

const report = (work: Promise<void>): void =>
  void work.catch((error: unknown) => console.warn('The tabs that chats opened were not followed.', error));
