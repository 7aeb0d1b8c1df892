import { browser } from 'wxt/browser';
import { AppError } from '../../../lib/errors.ts';
import { keyIn, misfitIn, refsIn, type SentFile } from '../../../lib/tools/page/actions/act-args.ts';
import { framesLeftOut, isReadable, seenFrames } from '../../../lib/tools/page/reading/frame-readings.ts';
import { nearnessOf } from '../../../lib/origins.ts';
import { OWN_CALLS } from '../../../lib/protocol/chats.ts';
import { ofSite, quoted, tabLine, type OwnToolDeps, textResult } from '../../../lib/tools/own/own-tool.ts';
import type { Picture } from '../../../lib/types/picture.ts';
import { type PageContent, type PageReading, type PageTab, siteOf } from '../../../lib/types/page.ts';
import type { ToolResult } from '../../../lib/types/tools/tool-result.ts';
import type { createPages } from '../page/pages.ts';
import { isGranted } from '../browser/permissions.ts';
import type { createActing } from './acting-mark.ts';
import type { createDialogs } from './dialogs.ts';
import { staleRef } from './action-outcome.ts';
import { type ActionDeps, createPageActions } from './page-actions.ts';
import { createTabNavigation, wentOn } from './tab-navigation.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Whether what is typed has a line break: its key is Shift+Enter, which many pages take for Enter, and Enter in editors of code. */
const breaksLine = ({ text = '', fields = [] }: Record<string, unknown>): boolean =>
  [text, ...(Array.isArray(fields) ? fields.map((field) => Object(field)['value']) : [])].some((each) =>
    /[\r\n]/.test(String(each)),
  );

/** Nothing is cut here: what is too long for a model is cut before each request, and `read_more` has the rest. */
const ALL = 1e9;
/** Milliseconds between two looks at a page that is waited for. */
const WAIT_LOOK_MS = 300;
/** A page that has not answered by then is busy. */
const DESCRIBED_MS = 10_000;
/** Characters of a snapshot with all frames. */
const MOST_IN_FRAMES = 30_000;
type TabToolsDeps = ActionDeps & {
  pages: Pick<ReturnType<typeof createPages>, 'read' | 'find'>;
  dialogs: Pick<ReturnType<typeof createDialogs>, 'answerNext'>;
  compose: (reading: PageReading) => Promise<PageContent>;
  /** The window whose panel shows a chat. */
  windowOf: (conversationId: string) => number | undefined;
  /** The files of its chat that a call names. @throws AppError */
  filesFor: (call: Call, args: Record<string, unknown>) => Promise<SentFile[]>;
  /** Whether the user named this host in a chat. */
  isNamed: (conversationId: string, host: string) => Promise<boolean>;
  /** The marks of tabs in which runs act. */
  acting: Pick<ReturnType<typeof createActing>, 'show' | 'unmarked'>;
};

type Call = Parameters<OwnToolDeps['read']>[0];

export function createTabs(deps: TabToolsDeps): Omit<OwnToolDeps, 'now' | 'remember'> & {
  /** The tab in front where a chat is shown, and those that it has read, acted in or opened as long as this worker lives. */
  tabsOf: (conversationId: string) => Promise<number[]>;
} {
  const { pages, dialogs, compose, windowOf, wait, filesFor, isNamed, acting, opened } = deps;
  const used = new Map<string, Set<number>>();
  const use = ({ conversationId }: Pick<Call, 'conversationId'>, tabId: number): void => {
    used.set(conversationId, (used.get(conversationId) ?? new Set()).add(tabId));
  };

  async function tabOf(
    { conversationId, at }: Pick<Call, 'conversationId' | 'at'>,
    args: Record<string, unknown>,
  ): Promise<PageTab> {
    const tab = at?.tab ?? args['tab'];
    if (tab !== undefined) return pages.find({ tabId: Number(tab) });
    const windowId = windowOf(conversationId) ?? (await browser.windows.getLastFocused()).id ?? -1;
    return pages.find({ windowId });
  }

  /**
   * A tab that may not be read is a result too: the user can let Portside read it there. It must have shown the site that the
   * call was judged by from then until it was read; a call that was judged by none, since the browser told none, reads none.
   * @param work gets the origins whose frames it may read
   */
  async function ofTab(
    { conversationId, reads, originsRead }: Call,
    tab: PageTab,
    work: (origins: string[]) => Promise<{ text: string } & Partial<ToolResult>>,
  ): Promise<ToolResult> {
    try {
      const isTried = conversationId === OWN_CALLS; // by the user, who is asked nothing
      const judged = reads ?? (isTried ? siteOf(tab.url ?? '') : undefined);
      const result = await work([judged ?? [], await originsRead()].flat());
      const { title = '', url = '' } = await browser.tabs.get(tab.id);
      if (judged !== siteOf(url)) throw wentOn();
      use({ conversationId }, tab.id);
      return { isError: false, ...result, text: pageText(title, url, result.text), url };
    } catch (error) {
      if (error instanceof AppError && error.code === 'no_page_access') return noAccess(tab.url, error);
      throw error;
    }
  }

  const navigation = createTabNavigation({
    ...deps,
    async opened(conversationId, tabId) {
      use({ conversationId }, tabId);
      await opened(conversationId, [tabId]);
    },
  });
  const { openBehind, isErrorPage } = navigation;
  const actions = createPageActions({ ...deps, show: acting.show, open: openBehind, isErrorPage });

  /** Why nothing is done in a tab whose site the browser hides: the user may let Portside see it, or it can’t be seen at all. */
  const unseen = (tab: PageTab): Promise<ToolResult> =>
    pages.call(tab, 'identity').then(
      () => {
        throw wentOn(); // it is another page by now
      },
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'no_page_access') return noAccess(tab.url, error);
        throw error;
      },
    );

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

  return {
    async read(call, args, part) {
      const tab = await tabOf(call, args);
      const { query } = args;
      const more = { most: ALL, ...(typeof query === 'string' && { query }) };
      return ofTab(call, tab, async (origins) => {
        const read = () => pages.read({ tabId: tab.id }, part, { ...more, origins });
        const { text, pictures } = await (part === 'screenshot' ? acting.unmarked(tab, read) : read());
        return { text, ...withPictures(pictures) };
      });
    },
    ask,
    async act(call, args, name) {
      const misfit = misfitIn(args);
      if (misfit !== undefined) throw badArgument(misfit);
      const tab = await tabOf(call, args);
      // Judged when the browser did not tell its site: it could be any by now.
      const isTried = call.conversationId === OWN_CALLS;
      const reads = call.reads ?? (isTried ? siteOf(tab.url ?? '') : undefined);
      if (reads === undefined) return unseen(tab);
      const mayPress = call.presses === true || isTried;
      const files = name === 'upload_file' && { files: await filesFor(call, args), mayPress };
      const may = {
        submits: call.submits === true || isTried,
        downloads: call.downloads === true || isTried,
      };
      const given = { ...args, ...files, may };
      try {
        const result = await actions.act({ ...call, reads }, tab, name, given);
        use(call, tab.id);
        return { ...result, text: `${result.url}\n\n${result.text}` };
      } catch (error) {
        if (error instanceof AppError && error.code === 'no_page_access') return noAccess(tab.url, error);
        throw error;
      }
    },
    go: async (call, args, where) => navigation.go(call, await tabOf(call, args), where),
    async answerDialog(call, args, answer) {
      const tab = await tabOf(call, args);
      return ofTab(call, tab, async () => {
        const { conversationId, at } = call;
        if (!(await dialogs.answerNext(conversationId, tab, answer, at?.document))) throw wentOn();
        const how = answer.accept ? 'OK' : 'Cancel';
        return {
          text: `The next confirm or prompt that an action of yours opens here is answered with ${how}.`,
        };
      });
    },
    async waitFor(call, args) {
      const tab = await tabOf(call, args);
      const { text = '', gone = '', ref = '', url: part = '', seconds = 10 } = args;
      const id = crypto.randomUUID();
      const watch = dialogs.watch(id, call.conversationId, tab);
      return ofTab(call, tab, async (origins) => {
        for (let look = 0; look * WAIT_LOOK_MS < Number(seconds) * 1_000; look += 1) {
          const { url = '', status } = await browser.tabs.get(tab.id);
          if (siteOf(url) !== call.reads && call.conversationId !== OWN_CALLS) throw wentOn();
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
    },
    async afterUser(call, args) {
      const done = 'The user pressed Continue. Look whether it is done.';
      try {
        const tab = await tabOf(call, args);
        const site = siteOf(tab.url ?? '');
        const isTried = call.conversationId === OWN_CALLS;
        const known = [call.reads, ...(await call.originsRead())];
        // Continue covers the sites that the card named. To read another one is for a call of its own.
        if (!isTried && (site === undefined || !known.includes(site)))
          return textResult(
            `${done} This chat has not read what is there now: ${tabLine(ofSite(tab, undefined))}`,
          );
        const { access: _sites, ...read } = await ask(
          { ...call, ...(site && { reads: site }) },
          args,
          'snapshot',
        );
        return { ...read, text: `${done}\n${read.text}`, isError: false };
      } catch (error) {
        // What the user did stays done, such as a sign-in whose window closed by itself.
        if (error instanceof AppError) return textResult(`${done} ${error.message}`);
        throw error;
      }
    },
    async targetsOf(call, args) {
      const refs = refsIn(args);
      const key = typeof args['key'] === 'string' ? keyIn(args['key']) : null;
      const isKey = key !== null;
      // OK in a dialog may do what a form that is sent does.
      const isSent = args['submit'] === true || args['accept'] === true || breaksLine(args);
      const tab = await tabOf(call, args).catch(() => undefined);
      if (!tab) return { targets: {}, sites: [], submits: isSent || isKey };
      const told = pages.callEach(tab, 'describe', [refs, key]);
      // Of a page that does not answer the card shows the references alone, and nothing is done.
      const found = (await Promise.race([told, wait(DESCRIBED_MS)]).catch(() => undefined)) ?? [];
      const document = found.find((each) => each.document !== undefined)?.document;
      const title = tab.title === undefined ? {} : { title: quoted(tab.title) };
      const at = { tab: tab.id, ...title, ...(document !== undefined && { document }) };
      const holding = found.filter(({ targets }) => Object.keys(targets).length > 0);
      const sites = holding.flatMap((each) => each.sites);
      // What does not answer may be anything.
      const isSentByKey =
        isKey && (holding.length === 0 || (key === 'Enter' && holding.some((each) => each.sends)));
      const submits = isSent || isSentByKey || holding.some((each) => each.submits);
      const presses = args['files'] !== undefined && holding.some((each) => each.presses);
      const targets: Record<string, string> = Object.assign({}, ...holding.map((each) => each.targets));
      const downloads = found.some((each) => each.downloads);
      return { at, targets, sites, submits, downloads, presses };
    },
    async fetch({ conversationId }, url) {
      const { hostname } = new URL(url);
      if (nearnessOf(hostname) !== 'public' && !(await isNamed(conversationId, hostname)))
        throw privateAddress(hostname);
      if (!(await isGranted(url))) return noAccess(url);
      const reading: PageReading = { part: 'fetched', url, title: '', frames: [], readId: '', most: ALL };
      const { title, text, pictures } = await compose(reading);
      return { text: pageText(title, url, text), isError: false, url, ...withPictures(pictures) };
    },
    async originOf(call, args) {
      // What is gone by now is not read, as the call then says.
      const { url = '' } = await tabOf(call, args).catch((): Partial<PageTab> => ({}));
      return siteOf(url);
    },
    async list() {
      const own = browser.runtime.getURL('/');
      return (await pages.list()).filter(({ url }) => !url?.startsWith(own));
    },
    async tabsOf(conversationId) {
      const windowId = windowOf(conversationId);
      const front = windowId === undefined ? [] : await browser.tabs.query({ active: true, windowId });
      const ids = [...front.flatMap(({ id }) => id ?? []), ...(used.get(conversationId) ?? [])];
      return [...new Set(ids)];
    },
    open: navigation.open,
    async show(tabId) {
      const { windowId } = await pages.find({ tabId });
      await browser.tabs.update(tabId, { active: true });
      await browser.windows.update(windowId, { focused: true });
      return pages.find({ tabId });
    },
  };
}

/** As many frames, the page itself first, as fit; the others are named by their number. */
function bounded(texts: string[]): string {
  let left = MOST_IN_FRAMES;
  const kept = texts.filter((text, at) => (left -= text.length) >= 0 || at === 0);
  const more = texts.length - kept.length;
  return [...kept, ...(more > 0 ? [`[Left out: ${more} frames, for length.]`] : [])].join('\n\n');
}

const pageText = (title: string, url: string, text: string): string => `${quoted(title)}\n${url}\n\n${text}`;

/** A page could name it, to have what only this computer reaches read, or changed. */
const privateAddress = (host: string): AppError =>
  new AppError({
    code: 'private_address',
    message: `${host} is on the user’s computer or in their network, and they did not name it in this chat.`,
    fix: 'Ask the user whether they mean it: once they write the address, it can be fetched, but not in a chat that came from a file.',
  });

const badArgument = (name: string): AppError =>
  new AppError({
    code: 'bad_arguments',
    message: `Nothing was done: ${name} is not of the kind that the tool takes.`,
    fix: 'Give it as the tool’s schema says.',
  });

const noTable = (ref: string): AppError =>
  new AppError({
    code: 'no_table',
    message: `The page has no table ${JSON.stringify(ref)} that is seen.`,
    fix: 'Use a reference exactly as extract_table lists it; the page may have changed since.',
  });

const noAccess = (
  url = '',
  { message, fix }: Pick<AppError, 'message' | 'fix'> = t(($) => $.errors.page.noAccess),
): ToolResult => ({
  text: [message, fix].join(' '),
  isError: true,
  access: url,
});

const withPictures = (pictures: Picture[] = []): Pick<ToolResult, 'blocks'> =>
  pictures.length > 0 ? { blocks: pictures.map((picture) => ({ type: 'image', ...picture })) } : {};
