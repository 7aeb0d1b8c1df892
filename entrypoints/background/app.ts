import { browser } from 'wxt/browser';
import { coalesced, wait } from '../../lib/async.ts';
import { createEvents } from '../../lib/events.ts';
import { openAnnouncements } from '../../lib/messaging.ts';
import { createNativeLink } from '../../lib/mcp/transport/native-link.ts';
import type { ChatListEvent } from '../../lib/protocol/panel.ts';
import type { Update } from '../../lib/runs/feed.ts';
import { createRuns } from '../../lib/runs/runs.ts';
import { speakLanguage } from '../../lib/speak-language.ts';
import { hasUserNamed } from '../../lib/storage/chats/named-host.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { cacheConfiguration } from '../../lib/storage/configuration/cache.ts';
import type { JournalEntry } from '../../lib/storage/chats/journal.ts';
import { createRunStore } from '../../lib/storage/chats/run-store.ts';
import { loadSetting } from '../../lib/storage/configuration/settings.ts';
import { checkArguments } from '../../lib/tools/check-arguments.ts';
import { nearNames } from '../../lib/tools/near-names.ts';
import type { LanguageChoice } from '../../lib/types/languages.ts';
import type { PageTab } from '../../lib/types/page.ts';
import type { Conversation } from '../../lib/types/conversation.ts';
import type { ServerStatus } from '../../lib/types/server.ts';
import { createElicitation, type ElicitationOrigin } from './servers/elicitation.ts';
import { createActing } from './tools/acting-mark.ts';
import { createDialogs } from './tools/dialogs.ts';
import { createApps } from './apps/apps.ts';
import { createAssistants } from './chat/assistants.ts';
import { createAttachments } from './chat/attachments.ts';
import { showWaiting } from './browser/badge.ts';
import { chatModel, contextWindowOf } from './models/chat-model.ts';
import { removeModels } from '../../lib/gguf/store.ts';
import { createInnerModels } from './models/browser-model.ts';
import { createChatFiles } from './data/chat-files.ts';
import { createConfigFiles } from './servers/config-files.ts';
import { buildMenu } from './browser/context-menu.ts';
import { createConversations } from './chat/conversations.ts';
import { createData } from './data/data.ts';
import { createLock, restoreKey } from './data/lock.ts';
import { createFleet } from './data/fleet.ts';
import { createGrants } from './tools/permission/grants.ts';
import { createKeepAlive } from './browser/keep-alive.ts';
import { createModels } from './models/models.ts';
import { connectNative, createNativeHost, requireNative } from './servers/native-host.ts';
import { createNotes } from './chat/notes.ts';
import { createNotify } from './browser/notify.ts';
import { createOffers } from './servers/offers.ts';
import { createOffscreen } from './page/offscreen.ts';
import { createOriginRule } from './servers/origin-rule.ts';
import { createOpenedTabs } from './tools/opened-tabs.ts';
import { createOwnCalls } from './tools/own-calls.ts';
import { createPageAttachments } from './page/page-attachments.ts';
import { createPageReader } from './page/page-reader.ts';
import { createAskBox } from './browser/ask-box.ts';
import { createPages } from './page/pages.ts';
import type { PrivateTabs } from './page/private-tabs.ts';
import { createPanels } from './subscribe/panels.ts';
import { createPrepare } from './chat/prepare.ts';
import { createProjects } from './chat/projects.ts';
import { createPrompts } from './chat/prompts.ts';
import { createProviders } from './models/providers.ts';
import { createPurging } from './data/purging.ts';
import { createLostServerRetries } from './servers/retry-lost-servers.ts';
import { createSampling } from './servers/sampling.ts';
import { createSchedules } from './schedules/schedules.ts';
import { createSearch } from './chat/search.ts';
import { createServerConnections } from './servers/server-connections.ts';
import { createServers } from './servers/servers.ts';
import { createSettingsFile } from './data/settings-file.ts';
import { readSetup } from './subscribe/setup.ts';
import { createSetupFeed } from './subscribe/setup-feed.ts';
import { createShownChats } from './chat/shown-chats.ts';
import { createAuthorization, createSignIn } from './servers/sign-in.ts';
import { createSites } from './page/sites.ts';
import { createOwnSkills } from './chat/own-skills.ts';
import { createSkillAttachments } from './chat/skill-attachments.ts';
import { createSubscriptions } from './subscribe/subscriptions.ts';
import { createBrowserSync } from './data/browser-sync.ts';
import { createSync } from './data/sync.ts';
import { filesToSend } from './tools/call-files.ts';
import { createTabs } from './tools/tab-tools.ts';
import { createAppTools } from './apps/app-tools.ts';
import { createPageTools } from './tools/page-tools.ts';
import { createTitles } from './chat/titles.ts';
import { createToolLog } from './tools/tool-log.ts';
import { createTools } from './tools/tools.ts';

/** What pages know of the next new chat may wait until the model was asked in this one. */
const AFTER_REQUEST_MS = 100;

/** What happens in one part of the worker and concerns others, and what is told of it. */
type WorkerEvents = {
  /** The configuration that pages show is stale. */
  configured: [];
  /** Whether any page is connected. */
  pagesOpened: [isOpen: boolean];
  /** A page has subscribed, which revives the servers. */
  pageSeen: [];
  serverStatus: [serverId: number, status: ServerStatus];
  serverConnected: [serverId: number];
  /** One can't be reached any more, or not for the first time. */
  serverLost: [];
  /** Calls that wait may be allowed now. */
  serverSaved: [];
  resourceUpdated: [serverId: number, uri: string];
  providerSaved: [providerId: number];
  /** What its subscribers get. */
  conversation: [conversationId: string, update: Update];
  /** The tabs that it opened and that are still open. */
  tabsOpened: [conversationId: string, tabs: PageTab[]];
  runWritten: [entry: JournalEntry];
  /** However it ended. */
  runEnded: [conversationId: string];
  /** A run has come to its proper end. */
  answered: [conversation: Conversation];
  chatList: [event: ChatListEvent];
  /** The user stopped what a chat does in a page. */
  stopped: [conversationId: string];
};

export type App = Awaited<ReturnType<typeof createApp>>;

/** Builds the worker's parts on an open database and picks up the runs that an earlier worker left. */
export async function createApp(privateTabs: PrivateTabs) {
  const [opened] = await Promise.all([openDatabase(), restoreKey(Date.now())]);
  const db = cacheConfiguration(opened);
  let spoken: LanguageChoice | undefined;
  const speak = async (): Promise<void> => {
    const choice = await loadSetting(db, 'language');
    if (choice !== spoken) await speakLanguage(choice);
    spoken = choice;
  };
  const fleet = createFleet(db);
  // A policy is told what is wrong with it, and may choose the language.
  await speak();
  await fleet.read();
  await speak();
  const epoch = crypto.randomUUID();
  const events = createEvents<WorkerEvents>();
  const emit =
    <Name extends keyof WorkerEvents>(name: Name) =>
    (...told: WorkerEvents[Name]): void =>
      void events.emit(name, ...told).catch((error: unknown) => console.warn(`After ${name}:`, error));
  const setupChanged = () => events.emit('configured');
  const announce = openAnnouncements();
  const keepAlive = createKeepAlive();
  const panels = createPanels(emit('pagesOpened'));
  const notify = createNotify(db, panels.isSeen);
  const origins = createOriginRule(db);
  const toolLog = createToolLog(db);
  const search = createSearch(db, { wait, during: keepAlive.during });

  // Where the manifest has no sandboxed pages no frame lets an app's own scripts run (docs/apps.md).
  const { version } = browser.runtime.getManifest();
  const showsApps = !import.meta.env.FIREFOX;
  const native = createNativeLink(connectNative, requireNative);
  const authorization = createAuthorization(db, { changed: setupChanged, keepAlive, origins });
  const connections = createServerConnections(db, {
    native,
    version,
    showsApps,
    authProvider: authorization.authProvider,
    changed: setupChanged,
    statusChanged: emit('serverStatus'),
    sendLog: panels.sendLog,
    connected: emit('serverConnected'),
    lost: emit('serverLost'),
    resourceUpdated: emit('resourceUpdated'),
  });
  const retries = createLostServerRetries(connections);
  const setup = createSetupFeed({
    epoch,
    read: () => readSetup(db, connections.status),
    status: connections.status,
    send: panels.sendToAll,
    announce,
  });
  const servers = createServers(db, {
    connections,
    changed: setupChanged,
    saved: () => events.emit('serverSaved'),
    whileAsking: origins.whileAsking,
    forget: authorization.forget,
  });
  const configFiles = createConfigFiles(db, setupChanged);
  const signIn = createSignIn({ authorization, reconnect: servers.reconnect, status: connections.status });
  const grants = createGrants(db, setupChanged);
  const sites = createSites(db, { reconnect: servers.reconnect, changed: setupChanged });

  const offscreen = createOffscreen();
  const pageReader = createPageReader(offscreen);
  const isPrivate = privateTabs.has;
  const pages = createPages({ ...pageReader, wait, isPrivate });
  const askBox = createAskBox(db, { pages, now: Date.now });
  const acting = createActing({ pages, stop: emit('stopped') });
  const dialogs = createDialogs(pages);
  const openedTabs = createOpenedTabs({ list: pages.list, changed: emit('tabsOpened') });
  const tabs = createTabs({
    pages,
    dialogs,
    compose: pageReader.compose,
    windowOf: panels.windowOf,
    wait,
    filesFor: (call, args) => filesToSend(db, call, args),
    isNamed: (conversationId, host) => hasUserNamed(db, conversationId, host),
    acting,
    opened: openedTabs.add,
    keepsPictures: () => loadSetting(db, 'actionPictures'),
  });

  const providers = createProviders(db, {
    changed: setupChanged,
    saved: emit('providerSaved'),
    innerModel: createInnerModels(offscreen),
  });
  const models = createModels(db, { providers, origins, changed: setupChanged });
  const elicitation = createElicitation(db, {
    elicitFromUser: createSampling({ db, providers, models }),
    isShown: panels.isShown,
  });
  const appTools = createAppTools(db);
  const notes = createNotes(db, setupChanged);
  const tools = createTools(db, {
    tabs: { ...tabs, now: Date.now, remember: notes.remember },
    pageTools: createPageTools({ tabsOf: tabs.tabsOf, wait, isPrivate }),
    appTools,
    servers: connections,
    showsApps,
    changed: setupChanged,
    elicitFor: elicitation,
  });

  const assistants = createAssistants(db, setupChanged);
  const projects = createProjects(db, setupChanged);
  const updateMenu = coalesced(async () => {
    await speak();
    await buildMenu(await db.getAll('prompts'), await loadSetting(db, 'starters'));
  });
  const promptsChanged = async () => {
    await tools.syncOwn();
    await Promise.all([setupChanged(), updateMenu()]);
  };
  const prompts = createPrompts(db, promptsChanged);
  const ownSkills = createOwnSkills(db, promptsChanged);
  const browserSync = createBrowserSync(db, { prompts, changed: promptsChanged });
  const settingsFile = createSettingsFile(db, { changed: promptsChanged, now: Date.now });

  const runStore = createRunStore(db);
  const runs = createRuns({
    store: {
      ...runStore,
      begin: async (...asked) => {
        const found = await runStore.begin(...asked);
        search.changed();
        return found;
      },
      write: async (entry) => {
        await runStore.write(entry);
        emit('runWritten')(entry);
      },
    },
    prepare: createPrepare({ db, providers, models, tools, servers: connections, now: Date.now }),
    callTool: tools.call,
    judge: tools.judge,
    repetition: tools.repetition,
    grant: tools.grant,
    forbid: tools.forbid,
    definitionOf: tools.definitionOf,
    taintOf: tools.taintOf,
    schemaOf: tools.schemaOf,
    checkArguments,
    nearNames,
    openedTabs: openedTabs.of,
    openPrivately: privateTabs.open,
    maxIterations: () => loadSetting(db, 'maxIterations'),
    publish: (conversationId, update) => {
      emit('conversation')(conversationId, update);
      return panels.isShown(conversationId);
    },
    event: (conversationId, event) => {
      acting.runEvent(conversationId, event);
      dialogs.runEvent(conversationId, event);
      void notify.runEvent(conversationId, event);
      if (event.type === 'run_end') emit('runEnded')(conversationId);
    },
    sendToAll: emit('chatList'),
    working: (id, works) => {
      keepAlive.working(id, works);
      retries.working(id, works);
    },
    waiting: showWaiting,
    chatBegan: () => void setTimeout(emit('configured'), AFTER_REQUEST_MS),
    answered: emit('answered'),
    wait,
    random: Math.random,
    now: Date.now,
    newId: () => crypto.randomUUID(),
  });

  const subscriptions = createSubscriptions({
    epoch,
    panels,
    runs,
    shown: createShownChats(db, runs.isStarting),
    setup,
    announce,
    looked: (id) => void notify.seen(id),
    seen: emit('pageSeen'),
  });
  const elicitFor = (origin: ElicitationOrigin) => elicitation(origin, runs);
  const ownCalls = createOwnCalls(db, {
    callTool: (call, args, options) => tools.call(call, args, { ...options, channel: runs }),
    during: keepAlive.during,
    written: () => void toolLog.trim(),
    now: Date.now,
  });
  const offers = createOffers(db, { servers: connections, elicitFor });
  const attachments = createAttachments(db, {
    servers: connections,
    elicitFor,
    attached: runs.attached,
    now: Date.now,
  });
  const skillAttachments = createSkillAttachments(db, {
    servers: connections,
    tools,
    attachments,
    elicitFor,
  });
  const apps = createApps(db, { servers: connections, runs, attachments, elicitFor, now: Date.now, version });
  const pageAttachments = createPageAttachments(db, {
    pages,
    attachments,
    windowOf: (conversationId) => contextWindowOf({ db, providers }, conversationId),
    now: Date.now,
  });
  const nativeHost = createNativeHost(db, {
    native,
    connect: servers.reconnect,
    during: attachments.during,
  });
  const schedules = createSchedules(db, { start: runs.start, changed: setupChanged, now: Date.now });
  const titles = createTitles(db, {
    runs,
    modelOf: (conversation) => chatModel({ db, providers, models }, conversation),
    during: keepAlive.during,
  });
  const purge = createPurging(db, { now: Date.now, changed: search.changed });
  const conversations = createConversations(db, { runs, deleted: purge });
  const chatFiles = createChatFiles(db, {
    send: emit('chatList'),
    written: search.changed,
    runs,
    now: Date.now,
  });
  const sync = createSync(db, {
    commands: {
      importChats: chatFiles.importMany,
      deleteConversations: conversations.remove,
      deleteMessage: conversations.deleteMessage,
      restoreMessage: runs.restoreMessage,
      setConversation: conversations.set,
    },
    offscreen,
    during: keepAlive.during,
    changed: setupChanged,
    now: Date.now,
  });
  /** What the organisation's policy says now, from here on: also of calls that wait. */
  async function followPolicy(): Promise<void> {
    const { gone } = await fleet.read();
    await Promise.all(gone.map((id) => connections.disconnect(id, 'removed')));
    await promptsChanged();
    await runs.reconsider();
    await connections.revive();
  }
  const data = createData(db, {
    runs,
    removeServer: servers.takeAway,
    changed: followPolicy,
    send: emit('chatList'),
    removeElse: async () => void (await Promise.all([removeModels(), sync.remove()])),
    estimate: () => navigator.storage.estimate(),
    now: Date.now,
  });

  const lock = createLock(db, {
    changed: setupChanged,
    opened: () => connections.revive(),
    now: Date.now,
  });

  const tellSetup = coalesced(async () => {
    await origins.update();
    await setup.changed();
  });
  events.on('configured', tellSetup);
  events.on(
    'configured',
    () => void browserSync.look().catch((error: unknown) => console.warn('Settings:', error)),
  );
  events.on('pagesOpened', retries.watched);
  events.on('pageSeen', () => connections.revive('page'));
  events.on('serverStatus', setup.statusChanged);
  events.on('serverConnected', attachments.connected);
  events.on('serverLost', retries.lost);
  events.on('serverSaved', runs.reconsider);
  events.on('resourceUpdated', attachments.updated);
  // A provider that lists no models works all the same.
  events.on('providerSaved', (providerId) => models.refresh({ providerId }).catch(() => undefined));
  events.on('conversation', subscriptions.publish);
  events.on('tabsOpened', runs.opened);
  events.on('runWritten', search.changed);
  events.on('runWritten', ({ calls }) => calls?.length && toolLog.trim());
  events.on('runWritten', ({ attached, returned }) => {
    if (attached?.length || returned?.length) return attachments.watch();
  });
  events.on('answered', titles.answered);
  events.on('runEnded', schedules.ended);
  events.on('runEnded', sync.soon);
  events.on('stopped', (conversationId) => runs.stop({ conversationId }));
  events.on('chatList', (event) => {
    subscriptions.sendToAll(event);
    if (event.type !== 'conversations_gone') return;
    event.ids.forEach(runs.changed);
    void notify.gone(event.ids);
  });

  await Promise.all([origins.update(), tools.syncOwn()]);
  await runs.resume();
  Promise.all([openedTabs.settle(), privateTabs.settle()]).catch((error: unknown) =>
    console.warn('Tabs that chats or servers opened are not followed.', error),
  );
  keepAlive.settle();
  purge();
  schedules.look().catch((error: unknown) => console.warn('No schedule was looked at.', error));
  search.begin();
  ownCalls.settle().catch((error: unknown) => console.warn('The tool log was not put in order.', error));
  return {
    db,
    keepAlive,
    panels,
    connections,
    servers,
    nativeHost,
    configFiles,
    signIn,
    tools,
    appTools,
    ownCalls,
    offers,
    apps,
    attachments,
    pages,
    pageAttachments,
    skillAttachments,
    acting,
    askBox,
    tabs,
    openedTabs,
    toolLog,
    providers,
    models,
    assistants,
    projects,
    prompts,
    ownSkills,
    settingsFile,
    search,
    chatFiles,
    data,
    sync,
    browserSync,
    lock,
    runs,
    conversations,
    notes,
    purge,
    schedules,
    setupChanged,
    retries,
    subscriptions,
    grants,
    sites,
    updateMenu,
    followPolicy,
  };
}
