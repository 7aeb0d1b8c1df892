import { wait } from '../../../lib/async.ts';
import { hasUserNamed } from '../../../lib/storage/chats/named-host.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { createAppTools } from '../apps/app-tools.ts';
import { createNotes } from '../chat/notes.ts';
import type { Core } from '../core.ts';
import type { PageParts } from '../page/build-pages.ts';
import type { ServerParts } from '../servers/build-servers.ts';
import { createActing } from './tabs/acting-mark.ts';
import { filesToSend } from './call-files.ts';
import { createDialogs } from './tabs/dialogs.ts';
import { createOpenedTabs } from './tabs/opened-tabs.ts';
import { createPageTools } from './page-tools.ts';
import { createGrants } from './permission/grants.ts';
import { createTabs } from './tabs/tab-tools.ts';
import { createToolLog } from './tool-log.ts';
import { createTools } from './tools.ts';

export type ToolParts = ReturnType<typeof buildTools>;

export function buildTools(core: Core & PageParts & ServerParts) {
  const { db, emit, setupChanged: changed, pages, pageReader, privateTabs } = core;
  const acting = createActing({ pages, stop: emit('stopped') });
  const dialogs = createDialogs(pages);
  const openedTabs = createOpenedTabs({ list: pages.list, changed: emit('tabsOpened') });
  const tabs = createTabs({
    pages,
    dialogs,
    compose: pageReader.compose,
    windowOf: core.panels.windowOf,
    wait,
    filesFor: (call, args) => filesToSend(db, call, args),
    isNamed: (conversationId, host) => hasUserNamed(db, conversationId, host),
    acting,
    opened: openedTabs.add,
    keepsPictures: () => loadSetting(db, 'actionPictures'),
  });
  const appTools = createAppTools(db);
  const notes = createNotes(db, changed);
  const tools = createTools(db, {
    tabs: { ...tabs, now: Date.now, remember: notes.remember },
    pageTools: createPageTools({ tabsOf: tabs.tabsOf, wait, isPrivate: privateTabs.has }),
    appTools,
    servers: core.connections,
    showsApps: core.showsApps,
    changed,
    elicitFor: core.elicitation,
  });
  const [toolLog, grants] = [createToolLog(db), createGrants(db, changed)];
  return { acting, dialogs, openedTabs, tabs, appTools, notes, tools, toolLog, grants };
}
