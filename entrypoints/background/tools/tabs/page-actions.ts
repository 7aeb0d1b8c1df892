import { browser } from 'wxt/browser';
import { createQueue } from '../../../../lib/async.ts';
import { AppError } from '../../../../lib/errors.ts';
import type { ActionName } from '../../../../lib/tools/page/actions/act.ts';
import { type ActArgs, refsIn } from '../../../../lib/tools/page/actions/act-args.ts';
import type { DialogAnswer } from '../../../../lib/tools/page/actions/page-override.ts';
import type { Done } from '../../../../lib/tools/page/actions/done.ts';
import { ACTION_PORT } from '../../../../lib/tools/page/dom/worker-port.ts';
import { isReadable, seenFrames } from '../../../../lib/tools/page/reading/frame-readings.ts';
import type { OwnCall } from '../../../../lib/tools/every-run-tool.ts';
import { type PageTab, SANDBOXED, siteOf } from '../../../../lib/types/page.ts';
import type { Picture } from '../../../../lib/types/picture.ts';
import type { ContentBlock, ToolResult } from '../../../../lib/types/tools/tool-result.ts';
import type { createPages } from '../../page/pages.ts';
import {
  NO_ANSWER,
  NOT_REACHED,
  otherPage,
  outcomeText,
  staleRef,
  takenBack,
  WENT_AWAY,
} from './action-outcome.ts';
import { type createDialogs, dialogLines, isHeldUp } from './dialogs.ts';
import { createChangeMeter, isBusy, type PageChanges } from './page-changes.ts';
import { watchSentTabs } from './sent-tabs.ts';

const PRESSES = /^(click|drag|hover|set_checked)$/;

/** Milliseconds in which a page shows what a scroll brings. */
const SETTLE_MS = 200;

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

/** The call that acts: its page must be of the site that the call was judged by. */
type ActingCall = Pick<
  OwnCall,
  'conversationId' | 'reads' | 'at' | 'targets' | 'targetSites' | 'originsRead' | 'trustedInput' | 'signal'
>;

/** An action under way. */
type Action = ActingCall & {
  id: string;
  tab: PageTab;
  name: ActionName;
  args: ActArgs;
  reads: string;
  dialogWatch: ReturnType<ReturnType<typeof createDialogs>['watch']>;
  tabsBefore: PageTab[];
  sentTo: ReturnType<typeof watchSentTabs>;
};

/** The document that an action is done in, its address, and the origins whose frames may be told of. */
type MarkedPage = { document: number; url: string; origins: string[] };

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
  const changesAfter = createChangeMeter(pages, wait);
  /** What ends each action that is under way. */
  const underWay = new Map<string, AbortSignal>();
  browser.runtime.onConnect.addListener((port) => {
    if (!port.name.startsWith(ACTION_PORT) || port.sender?.id !== browser.runtime.id) return;
    const signal = underWay.get(port.name.slice(ACTION_PORT.length));
    if (!signal || signal.aborted) return port.disconnect();
    signal.addEventListener('abort', () => port.disconnect(), { once: true });
    port.postMessage('go');
  });

  /** Does it once the tab is free. The call's signal ends the wait, and keeps it from being done after the caller was told so. */
  const act = (call: ActingCall, tab: PageTab, name: ActionName, args: ActArgs): Promise<ToolResult> =>
    queue.run(String(tab.id), call.signal ?? NEVER, () => actNow(call, tab, name, args));

  async function actNow(
    call: ActingCall,
    tab: PageTab,
    name: ActionName,
    args: ActArgs,
  ): Promise<ToolResult> {
    const { conversationId, reads } = call;
    if (reads === undefined) throw otherPage();
    const id = crypto.randomUUID();
    const tabsBefore = await pages.list();
    const sentTo = watchSentTabs(tab, tabsBefore);
    const dialogWatch = dialogs.watch(id, conversationId, tab);
    // Once its caller was told of it nothing of it goes on in the page.
    const over = new AbortController();
    underWay.set(id, AbortSignal.any([call.signal ?? NEVER, over.signal]));
    try {
      return await carryOut({ ...call, id, tab, name, args, reads, dialogWatch, tabsBefore, sentTo });
    } finally {
      dialogWatch.end();
      sentTo.end();
      over.abort();
      underWay.delete(id);
    }
  }

  async function carryOut(action: Action): Promise<ToolResult> {
    const { id, tab, args, conversationId, dialogWatch, signal } = action;
    const [ref] = refsIn(args);
    const frame = ref === undefined ? 0 : await pages.frameOf(tab, ref);
    if (frame === undefined) return goneResult(action, ref ?? '');
    const answer = await dialogs.answerFor(conversationId, tab);
    const page = await mark(action, answer);
    const { url, origins } = page;
    await show(tab, conversationId);
    const pictures = createPictures(tab, page.document);
    await Promise.all([pictures.take('before'), dialogWatch.override()]);
    if (answer?.accept) await dialogs.leaveFreely(tab);
    signal?.throwIfAborted();
    const done = await perform(action, page, frame, ref);
    if (typeof done === 'string') return { text: done, isError: true, url };
    const changes = await changesAfter(tab, id, origins, done.isRechecked === true);
    const isPageless = await hasLedNowhere(tab, url, changes);
    void forget(tab, id, isPageless);
    if (changes === null) await show(tab, conversationId);
    else if (changes !== 'busy') await pictures.take('after');
    const isBroken = changes === null && (await showsErrorPage(tab));
    const text = await toldOf(action, { url, done, changes, isPageless });
    const blocks = await pictures.blocks();
    return {
      text: isBroken ? `${text}\n${NOT_REACHED}` : text,
      isError: isBroken || done.isError === true || isHeldUp(dialogWatch.opened) || takenBack(changes) !== '',
      url,
      ...(blocks.length > 0 && { blocks }),
    };
  }

  /** Of an element that is gone: with what is in its place. @throws AppError `stale_ref` where that is not known */
  async function goneResult({ tab, reads, originsRead }: Action, ref: string): Promise<ToolResult> {
    const origins = [reads, ...(await originsRead())];
    const found = await pages.callEach(tab, 'around', [ref]);
    const { url = '' } = await browser.tabs.get(tab.id);
    const there = seenFrames(found).find((each) => each.text !== '' && isReadable(each, origins));
    const stale = staleRef(ref);
    if (!there || siteOf(url) !== reads) throw stale;
    return { text: `${stale.message} ${stale.fix}\nNow in its place:\n${there.text}`, isError: true, url };
  }

  /** Marks the page as it is before, if it is the one that the call was judged by. @throws AppError `page_changed` */
  async function mark(
    { id, tab, reads, at, originsRead }: Action,
    answer: DialogAnswer | null,
  ): Promise<MarkedPage> {
    const [page] = await pages.callEach(tab, 'mark', [id, reads, answer]);
    if (page?.origin !== reads) throw otherPage();
    if (at?.document !== undefined && page.id !== at.document) throw otherPage();
    const origins = [reads, ...(await originsRead())];
    const { url = '' } = await browser.tabs.get(tab.id);
    // Its chat counts as one that has read this address.
    if (siteOf(url) !== reads) throw otherPage();
    return { document: page.id, url, origins };
  }

  /** Small pictures of a document for the user, if they want them. */
  function createPictures(tab: PageTab, document: number) {
    const taken: Promise<ContentBlock[]>[] = [];
    return {
      async take(moment: 'before' | 'after'): Promise<void> {
        const picture = (await keepsPictures()) && (await pages.smallPicture(tab, document));
        if (!picture) return;
        const blocksOf = (small: Picture | undefined): ContentBlock[] =>
          small ? [{ type: 'image', onlyForUser: true, moment, ...small }] : [];
        taken.push(picture.small.then(blocksOf));
      },
      blocks: async (): Promise<ContentBlock[]> => (await Promise.all(taken)).flat(),
    };
  }

  /** Acts in the page, and in the tabs that this leads to. @returns why nothing, or not surely all, was done as a text */
  async function perform(
    action: Action,
    { origins }: MarkedPage,
    frame: number,
    ref: string | undefined,
  ): Promise<Done | string> {
    const { id, tab, name, args, conversationId, reads, targets, targetSites = [], signal } = action;
    const [isMoved] =
      frame === 0 ? [] : await pages.call(tab, 'bringIntoSight', [frame], [id, name, refsIn(args)]);
    const cover = PRESSES.test(name) && frame !== 0 && (await coverOf(tab, frame, ref ?? '', origins));
    if (cover) {
      await forget(tab, id);
      return `Nothing was done: ${targets?.[ref ?? ''] ?? ref} is covered by ${cover}.`;
    }
    if (frame !== 0) await settleAround(tab, id, isMoved === true);
    const touched = [reads, ...targetSites.filter((each) => each === SANDBOXED || origins.includes(each))];
    const done = await send(tab, frame, [id, name, args, targets ?? null, touched]);
    if (signal?.aborted) void forget(tab, id);
    signal?.throwIfAborted();
    if (done === 'busy') return [...dialogLines(action.dialogWatch.opened), NO_ANSWER].join('\n');
    if (done === null) throw staleRef(ref ?? '');
    if (done.isUndone) {
      await forget(tab, id);
      return done.did;
    }
    if (done.sends !== undefined) await action.sentTo.sent(done.sends);
    // To another site a click leads in the tab alone: the browser tells it who led there, and keeps cookies from it.
    if (done.opens !== undefined && touched.includes(siteOf(done.opens) ?? ''))
      await open(done.opens, { conversationId, opener: tab });
    return done;
  }

  /** What a scroll to a frame brought in the pages around it does not come of the action either. */
  async function settleAround(tab: PageTab, id: string, isMoved: boolean): Promise<void> {
    if (!isMoved && !(await pages.call(tab, 'isScrolled', true, [id])).includes(true)) return;
    await wait(SETTLE_MS);
    await pages.call(tab, 'markAnew', true, [id]);
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
  async function send(
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
  async function hasLedNowhere(tab: PageTab, url: string, changes: PageChanges): Promise<boolean> {
    if (changes === 'busy' || !changes?.some(({ isLeft }) => isLeft)) return false;
    const now = await browser.tabs.get(tab.id).catch(() => undefined);
    return now?.status === 'complete' && now.url === url;
  }

  async function showsErrorPage(tab: PageTab): Promise<boolean> {
    const now = (await pages.list()).find(({ id }) => id === tab.id);
    return now !== undefined && isErrorPage(now);
  }

  async function toldOf(
    { tab, name, conversationId, reads, tabsBefore, sentTo, dialogWatch, trustedInput }: Action,
    came: { url: string; done: Done; changes: PageChanges; isPageless: boolean },
  ): Promise<string> {
    const done = await withWay(came.done, trustedInput);
    const after = await pages.list();
    // The user may have opened others meanwhile.
    const newTabs = after.filter(
      ({ id, openerTabId }) =>
        (openerTabId === tab.id || sentTo.isSent(id)) && !tabsBefore.some((each) => each.id === id),
    );
    await opened(
      conversationId,
      newTabs.map(({ id }) => id),
    );
    const now = after.find(({ id }) => id === tab.id);
    const wasInFront = sentTo.wasInFront();
    // upload_file presses what asks for the file that it brings.
    const asked = dialogWatch.opened.filter(({ kind }) => kind !== 'file' || name !== 'upload_file');
    return outcomeText({ ...came, done, site: reads, now, newTabs, dialogs: asked, wasInFront });
  }

  return { act };
}

/** With what else than the user would do what wants a trusted event. */
async function withWay({ why, ...done }: Done, trustedInput: ActingCall['trustedInput']): Promise<Done> {
  if (why === undefined) return done;
  return { ...done, why: why.includes('(isTrusted)') ? why + ((await trustedInput?.()) ?? '') : why };
}
