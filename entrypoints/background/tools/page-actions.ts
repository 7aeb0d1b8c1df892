import { browser } from 'wxt/browser';
import { createQueue } from '../../../lib/async.ts';
import { AppError } from '../../../lib/errors.ts';
import type { ActionName } from '../../../lib/tools/page/actions/act.ts';
import { type ActArgs, refsIn } from '../../../lib/tools/page/actions/act-args.ts';
import type { Done } from '../../../lib/tools/page/actions/done.ts';
import { isReadable, seenFrames } from '../../../lib/tools/page/reading/frame-readings.ts';
import type { OwnCall } from '../../../lib/tools/own-tool.ts';
import { quoted, tabLine } from '../../../lib/tools/tabs/tab-tool.ts';
import { type PageTab, siteOf } from '../../../lib/types/page.ts';
import type { ContentBlock, ToolResult } from '../../../lib/types/tool.ts';
import type { createPages } from '../page/pages.ts';

/** Milliseconds between two looks at a page; looks after which one that is as it was stays so, that are the same, and at all. */
const LOOK_MS = 200;
const UNCHANGED_LOOKS = 5;
const QUIET_LOOKS = 2;
const MOST_LOOKS = 15;
/** Milliseconds in which a look is answered, since a frame that hangs is not asked again, and what changed is told. */
const COUNT_MS = 1_000;
const CHANGES_MS = 5_000;
/** Looks at a tab that loads another page. */
const LOADING_LOOKS = 50;

const NEVER = new AbortController().signal;

type ActionsDeps = {
  pages: Pick<ReturnType<typeof createPages>, 'call' | 'callEach' | 'frameOf' | 'list' | 'smallPicture'>;
  wait: (ms: number) => Promise<void>;
  /** Marks the tab as one in which a chat acts. */
  show: (tab: PageTab, conversationId: string) => Promise<void>;
  /** Whether the user wants small pictures of what is acted on. */
  keepsPictures: () => Promise<boolean>;
  /** A chat opened these tabs. */
  opened: (conversationId: string, tabIds: number[]) => Promise<void>;
};

/** What one action needs: its page must be of the site that the call was judged by. */
type Wanted = Pick<
  OwnCall,
  'conversationId' | 'reads' | 'targets' | 'targetSites' | 'originsRead' | 'signal'
>;

/** Doing something in a page, and measuring what came of it. */
export function createPageActions({ pages, wait, show, opened, keepsPictures }: ActionsDeps) {
  /** One after another in a tab: two that type at once would take the focus from one another. */
  const queue = createQueue(() => 1);

  /** @param wanted with what ends its waiting, and keeps it from being done once its caller was told so */
  const act = (
    wanted: Wanted,
    ...how: [tab: PageTab, name: ActionName, args: ActArgs]
  ): Promise<ToolResult> =>
    queue.run(String(how[0].id), wanted.signal ?? NEVER, () => actNow(wanted, ...how));

  async function actNow(
    { conversationId, reads, targets, targetSites = [], originsRead, signal }: Wanted,
    tab: PageTab,
    name: ActionName,
    args: ActArgs,
  ): Promise<ToolResult> {
    const id = crypto.randomUUID();
    const [ref] = refsIn(args);
    const frame = ref === undefined ? 0 : await pages.frameOf(tab, ref);
    if (frame === undefined) throw staleRef(ref ?? '');
    const before = await pages.list();
    const [page] = await pages.callEach(tab, 'mark', [id]);
    if (page?.origin === undefined || page.origin !== reads) throw otherSite();
    const origins = [reads, ...(await originsRead())];
    const { url = '' } = await browser.tabs.get(tab.id);
    // Its chat counts as one that has read this address.
    if (siteOf(url) !== reads) throw otherSite();
    await show(tab, conversationId);
    const look = async (moment: 'before' | 'after') => {
      const picture = (await keepsPictures()) && (await pages.smallPicture(tab, page.id));
      return picture ? [{ type: 'image', onlyForUser: true, moment, ...picture } as const] : [];
    };
    const blocks: ContentBlock[] = await look('before');
    signal?.throwIfAborted();
    const touched = [reads, ...targetSites.filter((each) => origins.includes(each))];
    const done = await sent(tab, frame, [id, name, args, targets ?? null, touched]);
    if (done === 'busy') return { text: NO_ANSWER, isError: true, url };
    if (done === null) throw staleRef(ref ?? '');
    if (done.isUndone) {
      await pages.callEach(tab, 'changesSince', [id]).catch(() => []); // forgets it
      return { text: done.did, isError: true, url };
    }
    const changes = await changesAfter(tab, id, origins);
    if (changes === null) await show(tab, conversationId);
    else if (changes !== 'busy') blocks.push(...(await look('after')));
    const told = await toldOf(tab, { conversationId, url, site: reads, before, done, changes });
    return { text: told, isError: done.isError === true, url, ...(blocks.length > 0 && { blocks }) };
  }

  /** Once: what does not answer any more may have been done. */
  async function sent(
    tab: PageTab,
    frame: number,
    args: [string, ActionName, ActArgs, Record<string, string> | null, string[]],
  ): Promise<Done | null | 'busy'> {
    try {
      const [done = null] = await pages.call(tab, 'act', [frame], args);
      return done;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return isBusy(error) ? 'busy' : { did: WENT_AWAY, isError: true };
    }
  }

  /** What is seen to have changed, once the page is quiet, does not answer, or has given way to another one (null). */
  async function changesAfter(tab: PageTab, id: string, origins: string[]) {
    let last = 0;
    let same = 0;
    let isAll = true;
    for (let look = 0, loading = 0; look < MOST_LOOKS && loading < LOADING_LOOKS;) {
      await wait(LOOK_MS);
      const now = await browser.tabs.get(tab.id).catch(() => undefined);
      if (!now) return null;
      if (now.status === 'loading') loading += 1;
      else {
        const counts = await pages
          .call(tab, 'countChanges', isAll, [id], COUNT_MS)
          .catch((error: unknown) => {
            if (isBusy(error)) isAll = false;
            return [];
          });
        const [main = null] = counts;
        if (counts.length > 0 && main === null) return null;
        const count = counts.reduce<number>((sum, each) => sum + (each ?? 0), 0);
        same = count === last ? same + 1 : 0;
        last = count;
        look += 1;
        if (same >= (count === 0 ? UNCHANGED_LOOKS : QUIET_LOOKS)) break;
      }
    }
    const found = await pages
      .call(tab, 'changesSince', isAll, [id], CHANGES_MS)
      .catch((error: unknown) => (isBusy(error) ? 'busy' : []));
    if (found === 'busy') return found;
    if (!found[0]) return null;
    return seenFrames(found.flatMap((each) => each ?? [])).filter((each) => isReadable(each, origins));
  }

  type Told = {
    conversationId: string;
    url: string;
    site: string | undefined;
    before: PageTab[];
    done: Done;
    changes: Awaited<ReturnType<typeof changesAfter>>;
  };

  async function toldOf(tab: PageTab, told: Told): Promise<string> {
    const { conversationId, url, site, before, done, changes } = told;
    const after = await pages.list();
    const now = after.find(({ id }) => id === tab.id);
    // The user may have opened others meanwhile.
    const newTabs = after.filter(
      ({ id, openerTabId }) => openerTabId === tab.id && !before.some((each) => each.id === id),
    );
    await opened(
      conversationId,
      newTabs.map(({ id }) => id),
    );
    const seen = changes === 'busy' ? [] : (changes ?? []);
    const changed = seen.flatMap(({ text }) => (text === '' ? [] : [text]));
    const focus = seen.find((each) => each.focus !== undefined)?.focus;
    const lines = [
      done.did,
      ...(now ? [] : ['The tab is closed now.']),
      ...(changes === 'busy' ? [NO_ANSWER] : []),
      ...(now && (changes === null || now.url !== url) ? [wentTo(ofSite(now, site), changes === null)] : []),
      ...newTabs.map((each) => `A new tab is there: ${tabLine(ofSite(each, site))}`),
      ...(focus === undefined ? [] : [`The focus is on ${focus} now.`]),
      ...(changed.length > 0 ? [`What changed (-: before, +: now):\n${changed.join('\n\n')}`] : []),
    ];
    const isStill =
      now && changes && changes !== 'busy' && changed.length === 0 && now.url === url && newTabs.length === 0;
    if (isStill && !done.isError) lines.push(unchanged(done, seen));
    return lines.join('\n');
  }

  return { act };
}

/** Of another site only its origin: what stands there, and in its address, the user was not asked about. */
export function ofSite({ title, url, ...tab }: PageTab, site: string | undefined): PageTab {
  const origin = siteOf(url ?? '');
  if (origin === undefined) return tab;
  return origin === site
    ? { ...tab, ...(title !== undefined && { title }), ...(url !== undefined && { url }) }
    : { ...tab, url: origin };
}

function wentTo({ url = 'one of a site that Portside may not see', title }: PageTab, isNew: boolean): string {
  if (!isNew) return `The address is now: ${url}`;
  const named = title === undefined ? '' : ` ${quoted(title)}`;
  return `The tab shows another page now: ${url}${named}. Its references are new: take a snapshot.`;
}

function unchanged({ why = '' }: Done, changes: { count: number }[]): string {
  const isInvisible = changes.some(({ count }) => count > 0);
  const seen = isInvisible ? ' The page did change something that no snapshot shows, such as a style.' : '';
  return `Nothing visible changed within a second: ${why}.${seen}`;
}

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'page_busy';

const NO_ANSWER =
  'It was sent to the page, which has not answered since: it may show a dialog that waits for the user: ask_user has them answer it. What came of it is unknown. Look before you do it again.';
const WENT_AWAY = 'The page went away as it was done: look whether it was.';

export const staleRef = (ref: string): AppError =>
  new AppError({
    code: 'stale_ref',
    message: `No element of the page has the reference ${JSON.stringify(ref)}, or not any more.`,
    fix: 'Take a new snapshot, and use a reference exactly as it stands there.',
  });

const otherSite = (): AppError =>
  new AppError({
    code: 'page_changed',
    message: 'The tab shows another site than when this was allowed: nothing was done.',
    fix: 'Take a snapshot of the tab, and act on what it shows.',
  });
