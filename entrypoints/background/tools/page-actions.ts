import { browser } from 'wxt/browser';
import { createQueue } from '../../../lib/async.ts';
import { AppError } from '../../../lib/errors.ts';
import type { ActionName } from '../../../lib/tools/page/actions/act.ts';
import { type ActArgs, refsIn } from '../../../lib/tools/page/actions/act-args.ts';
import type { Dialog } from '../../../lib/tools/page/actions/page-override.ts';
import type { Done } from '../../../lib/tools/page/actions/done.ts';
import { ACTION_PORT } from '../../../lib/tools/page/dom/worker-port.ts';
import type { PageFunctions } from '../../../lib/tools/page/page.ts';
import { isReadable, seenFrames } from '../../../lib/tools/page/reading/frame-readings.ts';
import type { OwnCall } from '../../../lib/tools/every-run-tool.ts';
import { ofSite, quoted, tabLine } from '../../../lib/tools/own/own-tool.ts';
import { type PageTab, SANDBOXED, siteOf } from '../../../lib/types/page.ts';
import type { Picture } from '../../../lib/types/picture.ts';
import type { ContentBlock, ToolResult } from '../../../lib/types/tool.ts';
import type { createPages } from '../page/pages.ts';
import { type createDialogs, dialogLines, isHeldUp } from './dialogs.ts';
import { watchSentTabs } from './sent-tabs.ts';

/** Milliseconds between two looks at a page; looks after which one that is as it was stays so, that are the same, and at all. */
const LOOK_MS = 200;
/** A page that shows at once what came of it, and is as it is then, is looked at sooner, so many times. */
const EARLY_LOOK_MS = 30;
const EARLY_LOOKS = 2;
/** Words that go on, and what can't be used meanwhile, say that a page is not done. */
const NOT_DONE = /^\+.*(…|\.\.\.|\[disabled\])/m;
const UNCHANGED_LOOKS = 5;
const QUIET_LOOKS = 2;
/** What may be a clock, or a feed, changes again by then, also in a tab that is behind. */
const CLOCK_MS = 2_100;
const MOST_LOOKS = 15;
/** Milliseconds in which a look is answered, since a frame that hangs is not asked again, and what changed is told. */
const COUNT_MS = 1_000;
const CHANGES_MS = 5_000;
/** Looks at a tab that loads another page. */
const LOADING_LOOKS = 50;

const PRESSES = /^(click|drag|hover|set_checked)$/;

const NEVER = new AbortController().signal;

/** What acting in pages shares with the other tools for tabs. */
export type ActionDeps = {
  pages: Pick<ReturnType<typeof createPages>, 'call' | 'callEach' | 'frameOf' | 'list' | 'smallPicture'>;
  dialogs: Pick<ReturnType<typeof createDialogs>, 'answerFor' | 'leaveFreely' | 'watch'>;
  wait: (ms: number) => Promise<void>;
  /** Whether the user wants small pictures of what is acted on. */
  keepsPictures: () => Promise<boolean>;
  /** A chat opened these tabs. */
  opened: (conversationId: string, tabIds: number[]) => Promise<void>;
};

type PageActionDeps = ActionDeps & {
  /** Marks the tab as one in which a chat acts. */
  show: (tab: PageTab, conversationId: string) => Promise<void>;
  /** Opens what a link of a tab leads to in a tab behind it; resolves when that has loaded. */
  open: (url: string, by: { conversationId: string; opener: PageTab }) => Promise<unknown>;
  /** Whether a tab shows no page of its address, but the browser's word that there is none. */
  isErrorPage: (tab: PageTab) => Promise<boolean>;
};

/** What one action needs: its page must be of the site that the call was judged by. */
type Wanted = Pick<
  OwnCall,
  'conversationId' | 'reads' | 'at' | 'targets' | 'targetSites' | 'originsRead' | 'trustedInput' | 'signal'
>;

/** The same under way. */
type Watched = Wanted & {
  id: string;
  reads: string;
  watch: ReturnType<ReturnType<typeof createDialogs>['watch']>;
  before: PageTab[];
  sentTo: ReturnType<typeof watchSentTabs>;
};

/** Doing something in a page, and measuring what came of it. */
export function createPageActions({
  pages,
  dialogs,
  wait,
  show,
  open,
  opened,
  keepsPictures,
  isErrorPage,
}: PageActionDeps) {
  /** One after another in a tab: two that type at once would take the focus from one another. */
  const queue = createQueue(() => 1);
  /** What ends each action that is under way. */
  const underWay = new Map<string, AbortSignal>();
  browser.runtime.onConnect.addListener((port) => {
    if (!port.name.startsWith(ACTION_PORT) || port.sender?.id !== browser.runtime.id) return;
    const signal = underWay.get(port.name.slice(ACTION_PORT.length));
    if (!signal || signal.aborted) return port.disconnect();
    signal.addEventListener('abort', () => port.disconnect(), { once: true });
    port.postMessage('go');
  });

  /** @param wanted with what ends its waiting, and keeps it from being done once its caller was told so */
  const act = (
    wanted: Wanted,
    ...how: [tab: PageTab, name: ActionName, args: ActArgs]
  ): Promise<ToolResult> =>
    queue.run(String(how[0].id), wanted.signal ?? NEVER, () => actNow(wanted, ...how));

  async function actNow(wanted: Wanted, ...how: [tab: PageTab, name: ActionName, args: ActArgs]) {
    const { conversationId, reads } = wanted;
    if (reads === undefined) throw otherPage();
    const id = crypto.randomUUID();
    const before = await pages.list();
    const sentTo = watchSentTabs(how[0], before);
    const watch = dialogs.watch(id, conversationId, how[0]);
    // Once its caller was told of it nothing of it goes on in the page.
    const over = new AbortController();
    underWay.set(id, AbortSignal.any([wanted.signal ?? NEVER, over.signal]));
    try {
      return await actWatched({ ...wanted, id, reads, watch, before, sentTo }, ...how);
    } finally {
      watch.end();
      sentTo.end();
      over.abort();
      underWay.delete(id);
    }
  }

  async function actWatched(
    {
      id,
      watch,
      before,
      sentTo,
      conversationId,
      reads,
      at,
      targets,
      targetSites = [],
      originsRead,
      trustedInput,
      signal,
    }: Watched,
    tab: PageTab,
    name: ActionName,
    args: ActArgs,
  ): Promise<ToolResult> {
    const [ref] = refsIn(args);
    const frame = ref === undefined ? 0 : await pages.frameOf(tab, ref);
    if (frame === undefined) return gone(tab, ref ?? '', [reads, ...(await originsRead())]);
    const answer = await dialogs.answerFor(conversationId, tab);
    const [page] = await pages.callEach(tab, 'mark', [id, reads, answer]);
    if (page?.origin !== reads) throw otherPage();
    if (at?.document !== undefined && page.id !== at.document) throw otherPage();
    const origins = [reads, ...(await originsRead())];
    const { url = '' } = await browser.tabs.get(tab.id);
    // Its chat counts as one that has read this address.
    if (siteOf(url) !== reads) throw otherPage();
    await show(tab, conversationId);
    const pictures: Promise<ContentBlock[]>[] = [];
    const look = async (moment: 'before' | 'after') => {
      const taken = (await keepsPictures()) && (await pages.smallPicture(tab, page.id));
      if (!taken) return;
      const block = (picture: Picture | undefined): ContentBlock[] =>
        picture ? [{ type: 'image', onlyForUser: true, moment, ...picture }] : [];
      pictures.push(taken.small.then(block));
    };
    await Promise.all([look('before'), watch.override()]);
    if (answer?.accept) await dialogs.leaveFreely(tab);
    signal?.throwIfAborted();
    const cover = PRESSES.test(name) && frame !== 0 && (await coverOf(tab, frame, ref ?? '', origins));
    if (cover) {
      await forget(tab, id);
      const what = targets?.[ref ?? ''] ?? ref;
      return { text: `Nothing was done: ${what} is covered by ${cover}.`, isError: true, url };
    }
    const touched = [reads, ...targetSites.filter((each) => each === SANDBOXED || origins.includes(each))];
    const done = await sent(tab, frame, [id, name, args, targets ?? null, touched]);
    if (signal?.aborted) void forget(tab, id);
    signal?.throwIfAborted();
    if (done === 'busy')
      return { text: [...dialogLines(watch.opened), NO_ANSWER].join('\n'), isError: true, url };
    if (done === null) throw staleRef(ref ?? '');
    if (done.isUndone) {
      await forget(tab, id);
      return { text: done.did, isError: true, url };
    }
    if (done.sends !== undefined) await sentTo.sent(done.sends);
    // To another site a click leads in the tab alone: the browser tells it who led there, and keeps cookies from it.
    if (done.opens !== undefined && touched.includes(siteOf(done.opens) ?? ''))
      await open(done.opens, { conversationId, opener: tab });
    const changes = await changesAfter(tab, id, origins, done.isRechecked === true);
    const isPageless = await hasLedNowhere(tab, url, changes);
    void forget(tab, id, isPageless);
    if (changes === null) await show(tab, conversationId);
    else if (changes !== 'busy') await look('after');
    const asked = watch.opened;
    const [now] = changes === null ? (await pages.list()).filter((each) => each.id === tab.id) : [];
    const isBroken = now !== undefined && (await isErrorPage(now));
    const said = await toldOf(tab, {
      conversationId,
      url,
      site: reads,
      before,
      sentTo,
      done: await withWay(done, trustedInput),
      changes,
      asked,
      isPageless,
    });
    const told = isBroken ? `${said}\n${NOT_REACHED}` : said;
    const blocks = (await Promise.all(pictures)).flat();
    const isError = isBroken || done.isError === true || isHeldUp(asked) || takenBack(changes) !== '';
    return { text: told, isError, url, ...(blocks.length > 0 && { blocks }) };
  }

  /** Of an element that is gone: with what is in its place. @throws AppError `stale_ref` where that is not known */
  async function gone(tab: PageTab, ref: string, origins: string[]): Promise<ToolResult> {
    const found = await pages.callEach(tab, 'around', [ref]);
    const { url = '' } = await browser.tabs.get(tab.id);
    const there = seenFrames(found).find((each) => each.text !== '' && isReadable(each, origins));
    const stale = staleRef(ref);
    if (!there || siteOf(url) !== origins[0]) throw stale;
    return { text: `${stale.message} ${stale.fix}\nNow in its place:\n${there.text}`, isError: true, url };
  }

  /** What lies above an element in a frame of another site; undefined for nothing, and where that can't be said. */
  async function coverOf(tab: PageTab, frame: number, ref: string, origins: string[]) {
    let [point = null] = await pages.call(tab, 'pointOfRef', [frame], [ref]);
    while (point && point.at !== '') {
      const found = (await pages.callEach(tab, 'aroundFrame', [point])).find((each) => each !== null);
      if (found?.cover !== undefined)
        return isReadable(found, origins) ? found.cover : 'what a page of another site shows';
      point = found?.point ?? null;
    }
    return undefined;
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

  const forget = async (tab: PageTab, id: string, isPageless = false): Promise<void> =>
    void (await pages
      .call(tab, 'forget', true, [id, isPageless])
      .catch((error: unknown) => console.debug(error)));

  /** Whether a page was to be left for another, and stayed: the address gave a file, or nothing. */
  async function hasLedNowhere(tab: PageTab, url: string, changes: Seen): Promise<boolean> {
    if (changes === 'busy' || !changes?.some(({ isLeft }) => isLeft)) return false;
    const now = await browser.tabs.get(tab.id).catch(() => undefined);
    return now?.status === 'complete' && now.url === url;
  }

  /** What is seen to have changed, once the page is quiet, does not answer, or has given way to another one (null). */
  async function changesAfter(tab: PageTab, id: string, origins: string[], isRechecked: boolean) {
    let last = 0;
    let same = 0;
    let isAll = true;
    const changes = (isLate = false) => pages.call(tab, 'changesSince', isAll, [id, isLate], CHANGES_MS);
    for (let look = -EARLY_LOOKS, loading = 0; look < MOST_LOOKS && loading < LOADING_LOOKS;) {
      await wait(look < 0 ? EARLY_LOOK_MS : LOOK_MS);
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
        if (look === 0) {
          const early = count > 0 && same > 0 && !isRechecked ? await changes().catch(() => []) : [];
          const seen = early[0] ? seenOf(early, origins) : [];
          if (isDone(seen)) return seen;
          same = count > 0 ? -1 : 0;
        }
        if (look > 0 && same >= (count === 0 ? UNCHANGED_LOOKS : QUIET_LOOKS)) break;
      }
    }
    const orBusy = (error: unknown): 'busy' | Changes => (isBusy(error) ? 'busy' : []);
    let found = await changes().catch(orBusy);
    if (found !== 'busy' && found.some((each) => each?.isDoubtful)) {
      await wait(CLOCK_MS);
      found = await changes(true).catch(orBusy);
    }
    if (found === 'busy') return found;
    return found[0] ? seenOf(found, origins) : null;
  }

  type Told = {
    conversationId: string;
    url: string;
    site: string | undefined;
    before: PageTab[];
    sentTo: Watched['sentTo'];
    done: Done;
    changes: Seen;
    asked: Dialog[];
    isPageless: boolean;
  };

  async function toldOf(tab: PageTab, told: Told): Promise<string> {
    const { conversationId, url, site, before, sentTo, done, changes, asked, isPageless } = told;
    const after = await pages.list();
    const now = after.find(({ id }) => id === tab.id);
    // The user may have opened others meanwhile.
    const newTabs = after.filter(
      ({ id, openerTabId }) =>
        (openerTabId === tab.id || sentTo.isSent(id)) && !before.some((each) => each.id === id),
    );
    await opened(
      conversationId,
      newTabs.map(({ id }) => id),
    );
    const seen = changes === 'busy' ? [] : (changes ?? []);
    const changed = seen.flatMap(({ text }) => (text === '' ? [] : [text]));
    const back = takenBack(changes);
    const focus = seen.find((each) => each.focus !== undefined)?.focus;
    const lines = [
      done.did,
      ...dialogLines(asked),
      ...(now ? [] : ['The tab is closed now.']),
      ...(changes === 'busy' ? [NO_ANSWER] : []),
      ...(now && (changes === null || now.url !== url) ? [wentTo(ofSite(now, site), changes === null)] : []),
      ...newTabs.map((each) => `A new tab is there: ${tabLine(ofSite(each, site))}`),
      ...(sentTo.wasInFront() ? [GAVE_BACK] : []),
      ...(focus === undefined ? [] : [`The focus is on ${focus} now.`]),
      ...(changed.length > 0 ? [`What changed (-: before, +: now):\n${changed.join('\n\n')}`] : []),
      ...(back === '' ? [] : [`The page took it back: ${back} now.`]),
    ];
    const isHere = now?.url === url && changes !== null && changes !== 'busy';
    const isStill = isHere && newTabs.length + asked.length === 0 && !done.isError && back === '';
    if (isPageless) lines.push(`${NO_PAGE} Do not do it again.`);
    else if (isStill && changed.length === 0) lines.push(unchanged(done, seen));
    else if (isStill && seen.every((each) => each.isUnanswered || each.text === ''))
      lines.push(`Nothing visible changed since Enter: ${done.why}.`);
    else if (isStill && seen.every((each) => each.isOwnToo || each.text === '')) lines.push(OWN_TOO);
    return lines.join('\n');
  }

  return { act };
}

type Changes = ReturnType<PageFunctions['changesSince']>[];

const seenOf = (found: Changes, origins: string[]) =>
  seenFrames(found.flatMap((each) => each ?? [])).filter((each) => isReadable(each, origins));

/** Whether a page shows something that came, and nothing that says that more will come. */
const isDone = (seen: ReturnType<typeof seenOf>): boolean =>
  seen.some(({ text }) => text !== '') &&
  seen.every((each) => !each.isBusy && !each.isLeft && !each.isDoubtful && !NOT_DONE.test(each.text));

function wentTo({ url = 'one of a site that Portside may not see', title }: PageTab, isNew: boolean): string {
  if (!isNew) return `The address is now: ${url}`;
  const named = title === undefined ? '' : ` ${quoted(title)}`;
  return `The tab shows another page now: ${url}${named}. Its references are new: take a snapshot.`;
}

function unchanged({ why = '' }: Done, changes: { count: number; byItself: string }[]): string {
  const isInvisible = changes.some(({ count }) => count > 0);
  const seen = isInvisible ? ' The page did change something that no snapshot shows, such as a style.' : '';
  const own = changes.flatMap(({ byItself }) => byItself || []).join('\n');
  const moving = own && `\nThe page changes this by itself, whatever is done:\n${own}`;
  return `Nothing visible changed within a second: ${why}.${seen}${moving}`;
}

/** With what else than the user would do what wants a trusted event. */
async function withWay({ why, ...done }: Done, trustedInput: Wanted['trustedInput']): Promise<Done> {
  if (why === undefined) return done;
  return { ...done, why: why.includes('(isTrusted)') ? why + ((await trustedInput?.()) ?? '') : why };
}

/** What is seen to have changed; null where another document is there. */
type Seen = 'busy' | null | ReturnType<typeof seenOf>;

/** What is not so any more, of what an action did. */
const takenBack = (changes: Seen): string =>
  changes === 'busy' ? '' : (changes ?? []).flatMap((each) => each.takenBack ?? []).join('; ');

export const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'page_busy';

const NO_ANSWER =
  'It was sent to the page, which has not answered since: it may show a dialog that waits for the user: ask_user has them answer it. What came of it is unknown, and what was not done of it by now is left undone. Look before you do it again.';
const NOT_REACHED =
  'No page of that address is there: it could not be reached, or the browser lets no extension look into it.';
export const NO_PAGE =
  'It led to an address of which no page came: it may have saved a file on the user’s computer, or opened another program.';
const OWN_TOO = 'The page adds such lines there by itself, too: look whether these came of what was done.';
const GAVE_BACK =
  'The browser had put it in front, and the user was brought back to the tab that they were in.';
const WENT_AWAY = 'The page went away as it was done: look whether it was.';

export const staleRef = (ref: string): AppError =>
  new AppError({
    code: 'stale_ref',
    message: `No element of the page has the reference ${JSON.stringify(ref)}, or not any more.`,
    fix: 'Take a new snapshot, and use a reference exactly as it stands there.',
  });

const otherPage = (): AppError =>
  new AppError({
    code: 'page_changed',
    message: 'The tab shows another page than when this was allowed: nothing was done.',
    fix: 'Take a snapshot of the tab, and act on what it shows.',
  });
