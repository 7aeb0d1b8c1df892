import { browser } from 'wxt/browser';
import { AppError } from '../../../../lib/errors.ts';
import { nearnessOf } from '../../../../lib/origins.ts';
import { ofSite, type OwnToolDeps, tabLine, textResult } from '../../../../lib/tools/own/own-tool.ts';
import { framesLeftOut, isReadable, seenFrames } from '../../../../lib/tools/page/reading/frame-readings.ts';
import { type PageContent, type PageReading, siteOf } from '../../../../lib/types/page.ts';
import type { Picture } from '../../../../lib/types/picture.ts';
import type { ToolResult } from '../../../../lib/types/tools/tool-result.ts';
import { isGranted } from '../../browser/permissions.ts';
import type { createPages } from '../../page/pages.ts';
import type { createActing } from './acting-mark.ts';
import { staleRef } from './action-outcome.ts';
import type { createDialogs } from './dialogs.ts';
import { isTried, noAccess, pageText, type TabAccess } from './tab-access.ts';
import { wentOn } from './tab-navigation.ts';

/** Nothing is cut here: what is too long for a model is cut before each request, and `read_more` has the rest. */
const ALL = 1e9;
/** Milliseconds between two looks at a page that is waited for. */
const WAIT_LOOK_MS = 300;
/** Characters of a snapshot with all frames. */
const MOST_IN_FRAMES = 30_000;

export type TabReadingDeps = {
  pages: Pick<ReturnType<typeof createPages>, 'read' | 'callEach'>;
  dialogs: Pick<ReturnType<typeof createDialogs>, 'watch'>;
  compose: (reading: PageReading) => Promise<PageContent>;
  wait: (ms: number) => Promise<void>;
  /** Whether the user named this host in a chat. */
  isNamed: (conversationId: string, host: string) => Promise<boolean>;
  acting: Pick<ReturnType<typeof createActing>, 'unmarked'>;
};

/** What reads tabs, and waits for what they show. */
export function createTabReading(
  { pages, dialogs, compose, wait, isNamed, acting }: TabReadingDeps,
  { tabOf, ofTab }: TabAccess,
) {
  const ask: OwnToolDeps['ask'] = async (call, args, name) => {
    const tab = await tabOf(call, args);
    const { table = '', from = 0, ref = '', filter = 'all', text = '', role = '' } = args;
    return ofTab(call, tab, async (origins) => {
      const found = await {
        find: () => pages.callEach(tab, 'find', [String(text), String(role)]),
        snapshot: () =>
          pages.callEach(tab, 'snapshot', [
            String(ref),
            filter === 'interactive' ? filter : 'all',
            Number(from),
          ]),
        tables: () => pages.callEach(tab, 'tables', [String(table), Number(from)]),
      }[name]();
      const holding = seenFrames(found)
        .filter((frame) => frame.text !== '')
        .toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? '', 'en', { numeric: true }));
      const texts = holding.flatMap((frame) => (isReadable(frame, origins) ? frame.text : []));
      if (texts.length === 0 && table !== '') throw noTable(String(table));
      if (texts.length === 0 && ref !== '') throw staleRef(String(ref));
      const others = holding.flatMap((frame) => (isReadable(frame, origins) ? [] : String(frame.origin)));
      const left = others.length > 0 ? [framesLeftOut(others)] : [];
      const told = name === 'tables' ? texts.join('\n\n') : bounded(texts);
      return { text: [told || 'There is none.', ...left].join('\n\n') };
    });
  };

  const read: OwnToolDeps['read'] = async (call, args, part) => {
    const tab = await tabOf(call, args);
    const { query } = args;
    const more = { most: ALL, ...(typeof query === 'string' && { query }) };
    return ofTab(call, tab, async (origins) => {
      const reading = () => pages.read({ tabId: tab.id }, part, { ...more, origins });
      const { text, pictures } = await (part === 'screenshot' ? acting.unmarked(tab, reading) : reading());
      return { text, ...withPictures(pictures) };
    });
  };

  const waitFor: OwnToolDeps['waitFor'] = async (call, args) => {
    const tab = await tabOf(call, args);
    const { text = '', gone = '', ref = '', url: part = '', seconds = 10 } = args;
    const id = crypto.randomUUID();
    const watch = dialogs.watch(id, call.conversationId, tab);
    return ofTab(call, tab, async (origins) => {
      for (let look = 0; look * WAIT_LOOK_MS < Number(seconds) * 1_000; look += 1) {
        const { url = '', status } = await browser.tabs.get(tab.id);
        if (siteOf(url) !== call.reads && !isTried(call)) throw wentOn();
        const found =
          status === 'loading'
            ? []
            : await pages.callEach(tab, 'shows', [id, String(text), String(gone), String(ref)]);
        if (found.some(({ goesOn }) => goesOn)) await watch.override();
        const seen = seenFrames(found).filter((frame) => isReadable(frame, origins));
        const isThere =
          (text === '' || seen.some((each) => each.hasText)) &&
          (ref === '' || seen.some((each) => each.hasRef));
        const isGone = gone === '' || seen.every((each) => !each.hasGone);
        if (seen.length > 0 && isThere && isGone && url.includes(String(part)))
          return { text: 'It is so now.' };
        await wait(WAIT_LOOK_MS);
      }
      return { text: `It was not so within ${String(seconds)} seconds.`, isError: true };
    }).finally(() => watch.end());
  };

  const afterUser: OwnToolDeps['afterUser'] = async (call, args) => {
    const done = 'The user pressed Continue. Look whether it is done.';
    try {
      const tab = await tabOf(call, args);
      const site = siteOf(tab.url ?? '');
      const known = [call.reads, ...(await call.originsRead())];
      // Continue covers the sites that the card named. To read another one is for a call of its own.
      if (!isTried(call) && (site === undefined || !known.includes(site)))
        return textResult(
          `${done} This chat has not read what is there now: ${tabLine(ofSite(tab, undefined))}`,
        );
      const { access: _sites, ...seen } = await ask(
        { ...call, ...(site && { reads: site }) },
        args,
        'snapshot',
      );
      return { ...seen, text: `${done}\n${seen.text}`, isError: false };
    } catch (error) {
      // What the user did stays done, such as a sign-in whose window closed by itself.
      if (error instanceof AppError) return textResult(`${done} ${error.message}`);
      throw error;
    }
  };

  const fetch: OwnToolDeps['fetch'] = async ({ conversationId }, url) => {
    const { hostname } = new URL(url);
    if (nearnessOf(hostname) !== 'public' && !(await isNamed(conversationId, hostname)))
      throw privateAddress(hostname);
    if (!(await isGranted(url))) return noAccess(url);
    const reading: PageReading = { part: 'fetched', url, title: '', frames: [], readId: '', most: ALL };
    const { title, text, pictures } = await compose(reading);
    return { text: pageText(title, url, text), isError: false, url, ...withPictures(pictures) };
  };

  return { ask, read, waitFor, afterUser, fetch };
}

/** As many frames, the page itself first, as fit; the others are named by their number. */
function bounded(texts: string[]): string {
  let left = MOST_IN_FRAMES;
  const kept = texts.filter((text, at) => (left -= text.length) >= 0 || at === 0);
  const more = texts.length - kept.length;
  return [...kept, ...(more > 0 ? [`[Left out: ${more} frames, for length.]`] : [])].join('\n\n');
}

/** A page could name it, to have what only this computer reaches read, or changed. */
const privateAddress = (host: string): AppError =>
  new AppError({
    code: 'private_address',
    message: `${host} is on the user’s computer or in their network, and they did not name it in this chat.`,
    fix: 'Ask the user whether they mean it: once they write the address, it can be fetched, but not in a chat that came from a file.',
  });

const noTable = (ref: string): AppError =>
  new AppError({
    code: 'no_table',
    message: `The page has no table ${JSON.stringify(ref)} that is seen.`,
    fix: 'Use a reference exactly as extract_table lists it; the page may have changed since.',
  });

const withPictures = (pictures: Picture[] = []): Pick<ToolResult, 'blocks'> =>
  pictures.length > 0 ? { blocks: pictures.map((picture) => ({ type: 'image', ...picture })) } : {};
