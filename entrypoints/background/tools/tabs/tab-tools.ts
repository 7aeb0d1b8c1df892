import { browser } from 'wxt/browser';
import { AppError } from '../../../../lib/errors.ts';
import { misfitIn, type SentFile } from '../../../../lib/tools/page/actions/act-args.ts';
import type { OwnCall } from '../../../../lib/tools/every-run-tool.ts';
import type { OwnToolDeps } from '../../../../lib/tools/own/own-tool.ts';
import { type PageTab, siteOf } from '../../../../lib/types/page.ts';
import type { createPages } from '../../page/pages.ts';
import type { createActing } from './acting-mark.ts';
import type { createDialogs } from './dialogs.ts';
import { type ActionDeps, createPageActions } from './page-actions.ts';
import { createTabAccess, isTried, judgedSite, orNoAccess } from './tab-access.ts';
import { createTabNavigation, wentOn } from './tab-navigation.ts';
import { createTabReading, type TabReadingDeps } from './tab-reading.ts';
import { createTargets } from './tab-targets.ts';

type TabToolsDeps = ActionDeps &
  TabReadingDeps & {
    pages: Pick<ReturnType<typeof createPages>, 'find'>;
    dialogs: Pick<ReturnType<typeof createDialogs>, 'answerNext'>;
    /** The window whose panel shows a chat. */
    windowOf: (conversationId: string) => number | undefined;
    /** The files of its chat that a call names. @throws AppError */
    filesFor: (call: OwnCall, args: Record<string, unknown>) => Promise<SentFile[]>;
    /** The marks of tabs in which runs act. */
    acting: Pick<ReturnType<typeof createActing>, 'show'>;
  };

/** The user's tabs, as the tools have them. */
export function createTabs(deps: TabToolsDeps) {
  const { pages, dialogs, wait, filesFor, acting, opened } = deps;
  const access = createTabAccess(deps);
  const { use, tabOf, ofTab, tabsOf } = access;
  const navigation = createTabNavigation({
    ...deps,
    async opened(conversationId, tabId) {
      use({ conversationId }, tabId);
      await opened(conversationId, [tabId]);
    },
  });
  const { open, openBehind, isErrorPage } = navigation;
  const actions = createPageActions({ ...deps, show: acting.show, open: openBehind, isErrorPage });

  const act: OwnToolDeps['act'] = async (call, args, name) => {
    const misfit = misfitIn(args);
    if (misfit !== undefined) throw badArgument(misfit);
    const tab = await tabOf(call, args);
    return orNoAccess(tab.url, async () => {
      const reads = judgedSite(call, tab);
      if (reads === undefined) {
        // The user may let Portside see it, or it can’t be seen at all; else it is another page by now.
        await pages.call(tab, 'identity');
        throw wentOn();
      }
      const mayPress = call.presses === true || isTried(call);
      const files = name === 'upload_file' && { files: await filesFor(call, args), mayPress };
      const may = {
        submits: call.submits === true || isTried(call),
        downloads: call.downloads === true || isTried(call),
      };
      const result = await actions.act({ ...call, reads }, tab, name, { ...args, ...files, may });
      use(call, tab.id);
      return { ...result, text: `${result.url}\n\n${result.text}` };
    });
  };

  const answerDialog: OwnToolDeps['answerDialog'] = async (call, args, answer) => {
    const tab = await tabOf(call, args);
    return ofTab(call, tab, async () => {
      const { conversationId, at } = call;
      if (!(await dialogs.answerNext(conversationId, tab, answer, at?.document))) throw wentOn();
      const how = answer.accept ? 'OK' : 'Cancel';
      return {
        text: `The next confirm or prompt that an action of yours opens here is answered with ${how}.`,
      };
    });
  };

  return {
    ...createTabReading(deps, access),
    targetsOf: createTargets({ tabOf, pages, wait }),
    act,
    answerDialog,
    go: async (call, args, where) => navigation.go(call, await tabOf(call, args), where),
    async originOf(call, args) {
      // What is gone by now is not read, as the call then says.
      const { url = '' } = await tabOf(call, args).catch((): Partial<PageTab> => ({}));
      return siteOf(url);
    },
    async list() {
      const own = browser.runtime.getURL('/');
      return (await pages.list()).filter(({ url }) => !url?.startsWith(own));
    },
    tabsOf,
    open,
    async show(tabId) {
      const { windowId } = await pages.find({ tabId });
      await browser.tabs.update(tabId, { active: true });
      await browser.windows.update(windowId, { focused: true });
      return pages.find({ tabId });
    },
  } satisfies Omit<OwnToolDeps, 'now' | 'remember'> & Pick<typeof access, 'tabsOf'>;
}

const badArgument = (name: string): AppError =>
  new AppError({
    code: 'bad_arguments',
    message: `Nothing was done: ${name} is not of the kind that the tool takes.`,
    fix: 'Give it as the tool’s schema says.',
  });
