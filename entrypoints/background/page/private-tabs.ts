import { browser } from 'wxt/browser';
import { createSerial } from '../../../lib/async.ts';

/** In the session's storage, which outlives the worker and ends with the browser, as ids of tabs do. */
const KEPT = 'privateTabs';

export type PrivateTabs = ReturnType<typeof createPrivateTabs>;

/**
 * The tabs in which a server has the user do something (MCP, client/elicitation, "Safe URL Handling": neither client nor
 * model may see what is there), and those that their pages opened. They stay so until they are closed. Make it while the worker
 * starts: what woke that may be the opening of one.
 */
export function createPrivateTabs() {
  const oneByOne = createSerial();
  let isFollowing = false;
  /** What is kept, once this worker has read it. */
  let known: Set<number> | undefined;

  async function load(): Promise<Set<number>> {
    if (known) return known;
    const { [KEPT]: kept = [] } = (await browser.storage.session.get(KEPT)) as { [KEPT]?: number[] };
    known = new Set(kept);
    follow(known.size > 0);
    return known;
  }

  async function save(kept: Set<number>): Promise<void> {
    await browser.storage.session.set({ [KEPT]: [...kept] });
    follow(kept.size > 0);
  }

  /** The browser tells of tabs only while there are such, or may be: that wakes the worker. */
  function follow(wanted: boolean): void {
    if (wanted === isFollowing) return;
    isFollowing = wanted;
    const how = isFollowing ? 'addListener' : 'removeListener';
    browser.tabs.onCreated[how](created);
    browser.tabs.onRemoved[how](removed);
    browser.tabs.onReplaced[how](replaced);
  }

  const change = (work: (kept: Set<number>) => boolean): void =>
    void oneByOne(async () => {
      const kept = await load();
      if (work(kept)) await save(kept);
    }).catch((error: unknown) => console.warn('Private tabs were not followed.', error));

  const created = ({ id, openerTabId }: Opened): void =>
    change((kept) => isOpenedBy(kept, openerTabId) && id !== undefined && Boolean(kept.add(id)));
  const removed = (id: number): void => change((kept) => kept.delete(id));
  /** Chromium gives a tab that it discards another id. */
  const replaced = (id: number, before: number): void =>
    change((kept) => kept.delete(before) && Boolean(kept.add(id)));
  follow(true);

  return {
    /** Takes up what an earlier worker left. */
    settle: async (): Promise<void> => void (await oneByOne(load)),
    /** Opens a page there, in front. @throws what the browser throws */
    open: (url: string): Promise<void> =>
      oneByOne(async () => {
        const kept = await load();
        const { id } = await browser.tabs.create({ url });
        if (id !== undefined) await save(kept.add(id));
      }),
    /** Waits for one that is just being opened. */
    has: ({ id, openerTabId }: Opened): Promise<boolean> =>
      oneByOne(async () => {
        const kept = await load();
        return isOpenedBy(kept, id) || isOpenedBy(kept, openerTabId);
      }),
  };
}

type Opened = { id?: number | undefined; openerTabId?: number | undefined };

const isOpenedBy = (kept: Set<number>, id: number | undefined): boolean => id !== undefined && kept.has(id);
