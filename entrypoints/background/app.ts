import { browser } from 'wxt/browser';
import { coalesced, wait } from '../../lib/async.ts';
import { openAnnouncements } from '../../lib/messaging.ts';
import { createNativeLink } from '../../lib/mcp/transport/native-link.ts';
import type { ChatListEvent } from '../../lib/protocol/panel.ts';
import { createRuns } from '../../lib/runs/runs.ts';
import { speakLanguage } from '../../lib/language.ts';
import { hasUserWritten } from '../../lib/storage/chats/messages.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { cacheConfiguration } from '../../lib/storage/configuration/cache.ts';
import { createRunStore } from '../../lib/storage/chats/run-store.ts';
import { loadSetting } from '../../lib/storage/configuration/settings.ts';
import { checkArguments } from '../../lib/tools/check-arguments.ts';
import { nearNames } from '../../lib/tools/near-names.ts';
import { createElicitation } from './servers/elicitation.ts';
import { createAssistants } from './chat/assistants.ts';
import { createAttachments } from './chat/attachments.ts';
import { showWaiting } from './browser/badge.ts';
import { chatModel, contextWindowOf } from './models/chat-model.ts';
import { createBrowserModel } from './models/browser-model.ts';
import { createChatFiles } from './data/chat-files.ts';
import { createConfigFiles } from './servers/config-files.ts';
import { buildMenu } from './browser/context-menu.ts';
import { createConversations } from './chat/conversations.ts';
import { createData } from './data/data.ts';
import { createGrants } from './tools/grants.ts';
import { createKeepAlive } from './browser/keep-alive.ts';
import { createModels } from './models/models.ts';
import { connectNative, createNativeHost, requireNative } from './servers/native-host.ts';
import { createNotify } from './browser/notify.ts';
import { createOffers } from './servers/offers.ts';
import { createOffscreen } from './page/offscreen.ts';
import { createOriginRule } from './servers/origin-rule.ts';
import { createOwnCalls } from './tools/own-calls.ts';
import { createPageAttachments } from './page/page-attachments.ts';
import { createPageReader } from './page/page-reader.ts';
import { createPages } from './page/pages.ts';
import { createPanels } from './subscribe/panels.ts';
import { createPrepare } from './chat/prepare.ts';
import { createPrompts } from './chat/prompts.ts';
import { createProviders } from './models/providers.ts';
import { createPurging } from './data/purging.ts';
import { createRetries } from './servers/retries.ts';
import { createSampling } from './servers/sampling.ts';
import { createSearch } from './chat/search.ts';
import { createServerConnections } from './servers/server-connections.ts';
import { createServers } from './servers/servers.ts';
import { createSettingsFile } from './data/settings-file.ts';
import { readSetup } from './subscribe/setup.ts';
import { createSetupFeed } from './subscribe/setup-feed.ts';
import { createShownChats } from './chat/shown-chats.ts';
import { createSignIn } from './servers/sign-in.ts';
import { createSites } from './page/sites.ts';
import { createSubscriptions } from './subscribe/subscriptions.ts';
import { createTabs } from './tools/tab-tools.ts';
import { createTitles } from './chat/titles.ts';
import { createToolLog } from './tools/tool-log.ts';
import { createTools } from './tools/tools.ts';

/** What pages know of the next new chat may wait until the model was asked in this one. */
const AFTER_REQUEST_MS = 100;

export type App = Awaited<ReturnType<typeof createApp>>;

/** Builds the worker's parts on an open database and picks up the runs that an earlier worker left. */
export async function createApp() {
  const db = cacheConfiguration(await openDatabase());
  const epoch = crypto.randomUUID();
  const announce = openAnnouncements();
  const panels = createPanels((isOpen) => retries.watched(isOpen));
  const origins = createOriginRule(db);
  const setup = createSetupFeed({
    epoch,
    read: () => readSetup(db, (id) => connections.status(id)),
    status: (id) => connections.status(id),
    send: panels.sendToAll,
    announce,
  });
  const setupChanged = coalesced(async () => {
    await origins.update();
    await setup.changed();
  });
  const subscriptions = createSubscriptions({
    epoch,
    panels,
    runs: () => runs,
    shown: createShownChats(db, (id) => runs.isStarting(id)),
    setup,
    announce,
    looked: (id) => void notify.seen(id),
    seen: () =>
      void connections
        .revive('page')
        .catch((error: unknown) => console.warn('The servers could not be looked after.', error)),
  });
  const keepAlive = createKeepAlive();
  const native = createNativeLink(connectNative, requireNative);
  const connections = createServerConnections(db, {
    native,
    version: browser.runtime.getManifest().version,
    authProvider: (config) => signIn.authProvider(config),
    changed: setupChanged,
    statusChanged: setup.statusChanged,
    sendLog: panels.sendLog,
    connected: (serverId) => void attachments.connected(serverId).catch(reportAttachments),
    lost: () => retries.lost(),
    resourceUpdated: (serverId, uri) => attachments.updated(serverId, uri),
  });
  const servers = createServers(db, {
    connections,
    changed: setupChanged,
    saved: () => runs.reconsider(),
    whileAsking: origins.whileAsking,
    forget: (id) => signIn.forget(id),
  });
  const nativeHost = createNativeHost(db, {
    native,
    connect: servers.reconnect,
    during: (id, check) => attachments.during(id, check),
  });
  const configFiles = createConfigFiles(db, setupChanged);
  const signIn = createSignIn(db, {
    changed: setupChanged,
    reconnect: servers.reconnect,
    status: connections.status,
    keepAlive,
    origins,
  });
  const elicitFor = createElicitation(db, {
    elicitFromUser: (by) => elicitFromUser(by),
    isShown: panels.isShown,
  });
  const offscreen = createOffscreen();
  const readPage = createPageReader(offscreen);
  const pages = createPages({ compose: readPage, wait });
  const tabs = createTabs({
    pages,
    compose: readPage,
    windowOf: panels.windowOf,
    wait,
    isNamed: (conversationId, word) => hasUserWritten(db, conversationId, word),
  });
  const tools = createTools(db, {
    tabs: { ...tabs, now: Date.now },
    servers: connections,
    changed: setupChanged,
    elicitFor,
  });
  const ownCalls = createOwnCalls(db, {
    callTool: tools.call,
    during: keepAlive.during,
    written: () => void toolLog.trim(),
    now: Date.now,
  });
  const offers = createOffers(db, { servers: connections, elicitFor });
  const attachments = createAttachments(db, {
    servers: connections,
    elicitFor,
    attached: (...what) => runs.attached(...what),
    now: Date.now,
  });
  const pageAttachments = createPageAttachments(db, {
    pages,
    attachments,
    windowOf: (conversationId) => contextWindowOf({ db, providers }, conversationId),
    now: Date.now,
  });
  const providers = createProviders(db, {
    changed: setupChanged,
    // A provider that lists no models works all the same.
    saved: (providerId) => void models.refresh({ providerId }).catch(() => undefined),
    browserModel: createBrowserModel(offscreen),
  });
  const models = createModels(db, { providers, origins, changed: setupChanged });
  const assistants = createAssistants(db, setupChanged);
  const speak = async () => void (await speakLanguage(await loadSetting(db, 'language')));
  await speak();
  const updateMenu = coalesced(async () => {
    await speak();
    await buildMenu(await db.getAll('prompts'), await loadSetting(db, 'starters'));
  });
  const promptsChanged = async () => void (await Promise.all([setupChanged(), updateMenu()]));
  const prompts = createPrompts(db, promptsChanged);
  const settingsFile = createSettingsFile(db, { changed: promptsChanged, now: Date.now });
  const toolLog = createToolLog(db);
  const retries = createRetries(connections);
  const grants = createGrants(db, setupChanged);
  const sites = createSites(db, { reconnect: servers.reconnect, changed: setupChanged });
  const notify = createNotify(db, panels.isSeen);
  const runStore = createRunStore(db);
  const search = createSearch(db, { wait, during: keepAlive.during });

  const sendToAll = (event: ChatListEvent): void => {
    subscriptions.sendToAll(event);
    if (event.type !== 'conversations_gone') return;
    event.ids.forEach((id) => runs.changed(id));
    void notify.gone(event.ids);
  };
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
        if (entry.attached?.length || entry.returned?.length) attachments.watch().catch(reportAttachments);
        if (entry.calls?.length) void toolLog.trim();
        search.changed();
      },
    },
    prepare: createPrepare({ db, providers, models, tools, offers, now: Date.now }),
    callTool: tools.call,
    permission: tools.permission,
    repetition: tools.repetition,
    grant: tools.grant,
    definitionOf: tools.definitionOf,
    taintOf: tools.taintOf,
    schemaOf: tools.schemaOf,
    checkArguments,
    nearNames,
    maxIterations: () => loadSetting(db, 'maxIterations'),
    publish: subscriptions.publish,
    event: (conversationId, event) => void notify.runEvent(conversationId, event),
    sendToAll,
    working: (id, works) => {
      keepAlive.working(id, works);
      retries.working(id, works);
    },
    waiting: showWaiting,
    chatBegan: () => void setTimeout(() => setupChanged().catch(reportSetup), AFTER_REQUEST_MS),
    answered: (conversation) => titles.answered(conversation),
    wait,
    random: Math.random,
    now: Date.now,
    newId: () => crypto.randomUUID(),
  });

  const titles = createTitles(db, {
    runs,
    modelOf: (conversation) => chatModel({ db, providers, models }, conversation),
    during: keepAlive.during,
  });
  const purge = createPurging(db, { now: Date.now, changed: search.changed });
  const conversations = createConversations(db, { runs, deleted: purge });
  const chatFiles = createChatFiles(db, {
    send: sendToAll,
    written: search.changed,
    runs,
    now: Date.now,
  });

  const data = createData(db, {
    runs,
    removeServer: servers.remove,
    changed: () => tools.syncOwn().then(promptsChanged),
    send: sendToAll,
    estimate: () => navigator.storage.estimate(),
    now: Date.now,
  });

  const elicitFromUser = createSampling({ db, providers, models, ask: runs.ask, change: runs.change });

  await Promise.all([origins.update(), tools.syncOwn()]);
  await runs.resume();
  keepAlive.settle();
  purge();
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
    ownCalls,
    offers,
    attachments,
    pages,
    pageAttachments,
    toolLog,
    providers,
    models,
    assistants,
    prompts,
    settingsFile,
    search,
    chatFiles,
    data,
    runs,
    conversations,
    purge,
    setupChanged,
    retries,
    subscriptions,
    grants,
    sites,
    updateMenu,
  };
}

function reportAttachments(error: unknown): void {
  console.warn('What is attached was not looked after.', error);
}

function reportSetup(error: unknown): void {
  console.warn('The pages could not be told what is set up.', error);
}
