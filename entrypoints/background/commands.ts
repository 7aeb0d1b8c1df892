import type { CommandHandlers } from '../../lib/messaging.ts';
import { saveDraft } from '../../lib/storage/chats/journal.ts';
import { nextIntent } from '../../lib/storage/chats/intents.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import type { App } from './app.ts';
import { requireChange } from './chat/chat-input.ts';
import { listShortcuts } from './browser/entry-points.ts';
import { eraseDatabase, rescueChats, rescueSettings } from './data/rescue.ts';
import { searchRegistry } from './servers/registry.ts';

/** The worker's side of every command. Each waits until the worker's parts stand. */
export function createCommands(ready: () => Promise<App>): CommandHandlers {
  /** For what asks a server, which may take longer than a worker lives by itself. */
  async function alive<T>(job: (app: App) => Promise<T>): Promise<T> {
    const app = await ready();
    return app.keepAlive.during(() => job(app));
  }

  /** Undefined where nothing can be built on what is stored: it can be saved all the same, and erased. */
  const standing = (): Promise<App | undefined> => ready().catch(() => undefined);

  return {
    startRun: (request) =>
      alive(async ({ pageAttachments, panels, runs, subscriptions }) => {
        const { runId, conversationId, message, place } = request;
        if (place) panels.asks(place, conversationId);
        // What an intent asks, in a chat of the same id as its run, was read just before.
        if (runId !== conversationId) await pageAttachments.renew(message?.attachments);
        const started = runs.start(request);
        if (place) subscriptions.choose(place, conversationId);
        return started;
      }),
    stopRun: async (request) => (await ready()).runs.stop(request),
    retryNow: async (request) => (await ready()).runs.retryNow(request),
    removeQueued: async (request) => (await ready()).runs.removeQueued(request),
    moveQueued: async (request) => (await ready()).runs.moveQueued(request),
    steerQueued: async (request) => (await ready()).runs.steerQueued(request),
    resolveCall: async (request) => (await ready()).runs.resolve(request),
    checkArguments: async (request) => (await ready()).runs.checkArguments(request),
    runAgain: async (request) => (await ready()).runs.runAgain(request),
    compact: async (request) => (await ready()).runs.compact(request),

    olderMessages: async (request) => (await ready()).conversations.older(request),

    regenerate: async (request) => (await ready()).conversations.regenerate(request),
    switchVersion: async (request) => (await ready()).runs.switchVersion(request),
    forkConversation: async (request) => (await ready()).conversations.fork(request),
    deleteMessage: async (request) => (await ready()).conversations.deleteMessage(request),
    restoreMessage: async (request) => (await ready()).runs.restoreMessage(request),

    listConversations: async (request) => (await ready()).conversations.list(request),
    setConversation: async (request) => (await ready()).conversations.set(request),
    deleteConversations: async (request) => (await ready()).conversations.remove(request),
    restoreConversations: async (request) => (await ready()).conversations.restore(request),
    nextIntent: async ({ windowId }) => nextIntent((await ready()).db, windowId, Date.now()),
    endIntent: async ({ id }) => (await ready()).db.delete('intents', id),
    saveDraft: async (draft) => saveDraft((await ready()).db, draft),

    search: async (request) => (await ready()).search.search(request),
    exportChats: async (request) => {
      const app = await standing();
      return app ? app.chatFiles.exportAll(request) : rescueChats(request, Date.now());
    },
    importChats: async (request) => {
      const { chatFiles, setupChanged } = await ready();
      const imported = await chatFiles.importMany(request);
      if (imported.outcomes.some((each) => 'projectId' in each)) await setupChanged();
      return imported;
    },
    exportSettings: async () => (await standing())?.settingsFile.exportAll() ?? rescueSettings(Date.now()),
    importSettings: async (request) => (await ready()).settingsFile.importAll(request),
    unlockSecrets: (request) => alive(({ lock }) => lock.open(request)),
    lockSecrets: async () => (await ready()).lock.lock(),
    setPassphrase: (request) => alive(({ lock }) => lock.change(request)),
    storageUsed: async () => (await ready()).data.used(),
    erase: async (request) => {
      const { what } = request;
      const isAll = what === 'database' || what === 'everything';
      if (!isAll || (await standing())) return alive(({ data }) => data.erase(request));
      await eraseDatabase(what);
      return { count: 0 };
    },

    setUpSync: async (request) => (await ready()).sync.setUp(request),
    syncNow: async () => (await ready()).sync.now(),
    pauseSync: async (request) => (await ready()).sync.pause(request),
    removeSync: async () => (await ready()).sync.remove(),
    setBrowserSync: async (request) => (await ready()).browserSync.set(request),

    searchRegistry: async (request) => searchRegistry((await ready()).db, request),
    listServers: async () => (await ready()).servers.list(),
    addServer: (input) => alive(({ servers }) => servers.add(input)),
    nativeHost: () => alive(({ nativeHost }) => nativeHost.status()),
    checkNativeHost: () => alive(({ nativeHost }) => nativeHost.doctor()),
    allowCheck: (request) => alive(({ nativeHost }) => nativeHost.allowCheck(request)),
    checkProgram: (request) => alive(({ nativeHost }) => nativeHost.checkProgram(request)),
    allowLaunch: (request) => alive(({ nativeHost }) => nativeHost.allow(request)),
    findConfigs: () => alive(({ nativeHost }) => nativeHost.findConfigs()),
    removeServer: async (request) => (await ready()).servers.remove(request),
    connect: (request) => alive(({ servers }) => servers.switchOn(request)),
    disconnect: async (request) => (await ready()).servers.switchOff(request),
    reconnectServer: (request) => alive(({ servers }) => servers.reconnect(request)),
    connectAll: () => alive(({ connections }) => connections.revive()),
    startSignIn: (request) => alive(({ signIn }) => signIn.start(request)),
    finishSignIn: (request) => alive(({ signIn }) => signIn.finish(request)),
    signOut: async (request) => (await ready()).signIn.signOut(request),
    importServers: async (request) => (await ready()).configFiles.importAll(request),
    exportServers: async (request) => (await ready()).configFiles.exportAll(request),

    listTools: async (request) => (await ready()).tools.list(request),
    callTool: async (request) => (await ready()).ownCalls.call(request),
    cancelTool: async (request) => (await ready()).ownCalls.cancel(request),
    setTool: async (request) => {
      const { tools, runs } = await ready();
      await tools.choose(request);
      if (request.permission !== undefined) await runs.reconsider();
    },
    acceptTools: async (request) => {
      const { tools, runs } = await ready();
      await tools.accept(request).finally(runs.reconsider);
    },
    setTools: async (request) => (await ready()).servers.chooseAll(request),
    listGrants: async () => (await ready()).grants.list(),
    revokeGrants: async (request) => (await ready()).grants.revoke(request),
    listSiteRules: async () => (await ready()).grants.onSites(),
    setSiteRule: async (request) => {
      const { grants, runs } = await ready();
      await grants.setSite(request);
      await runs.reconsider();
    },
    listSites: async () => (await ready()).sites.list(),
    revokeSite: async (request) => (await ready()).sites.revoke(request),
    toolLog: async (request) => (await ready()).toolLog.toolLog(request),
    loggedCall: async (request) => (await ready()).toolLog.loggedCall(request),

    serverOffer: async (request) => (await ready()).offers.of(request),
    serverLog: async (request) => (await ready()).offers.log(request),
    setLogLevel: async (request) => (await ready()).servers.setLogLevel(request),
    listPrompts: async () => (await ready()).offers.prompts(),
    getPrompt: (request) => alive(({ serverAttachments }) => serverAttachments.getPrompt(request)),
    listSkills: async (request) => (await ready()).tools.skills(request),
    attachSkill: (request) => alive(({ skillAttachments }) => skillAttachments.attach(request)),
    listResources: async () => (await ready()).offers.resources(),
    complete: async (request) => (await ready()).offers.complete(request),
    readResource: (request) => alive(({ offers }) => offers.read(request)),
    attachResource: (request) => alive(({ serverAttachments }) => serverAttachments.attach(request)),
    attachFile: async (request) => (await ready()).attachments.attachFile(request),
    previewResource: (request) =>
      alive(({ serverAttachments }) => serverAttachments.previewResource(request)),
    cancelFetch: async (request) => (await ready()).attachments.cancel(request),
    detach: async (request) => (await ready()).serverAttachments.detach(request),
    listShortcuts,
    listTabs: async () => (await ready()).pages.list(),
    frontPage: async ({ windowId }) => (await ready()).pages.front(windowId),
    fillField: async (request) => (await ready()).pageAttachments.fillField(request),
    changedPages: async (request) => (await ready()).pageAttachments.changed(request),
    refreshPage: (request) => alive(({ pageAttachments }) => pageAttachments.refresh(request)),
    attachPage: (request) => alive(({ pageAttachments }) => pageAttachments.attach(request)),
    previewAttachment: (request) =>
      alive(async ({ pageAttachments, attachments }) => {
        await pageAttachments.renew([request.id]);
        return attachments.preview(request);
      }),
    openApp: (request) => alive(({ apps }) => apps.open(request)),
    appInput: async (request) => (await ready()).apps.input(request),
    callAppTool: async (request) => (await ready()).apps.callTool(request),
    sampleForApp: async (request) => (await ready()).apps.sample(request),
    cancelAppTools: async (request) => (await ready()).apps.cancel(request),
    listAppResources: (request) => alive(({ apps }) => apps.listResources(request)),
    readAppResource: (request) => alive(({ apps }) => apps.readResource(request)),
    setAppContext: async (request) => (await ready()).apps.setContext(request),
    takeAppMessage: async (request) => (await ready()).apps.takeMessage(request),
    answerRequest: async (request) => (await ready()).runs.answerRequest(request),

    saveProvider: async (input) => (await ready()).providers.save(input),
    removeProvider: async (request) => (await ready()).providers.remove(request),
    refreshModels: async (request) => (await ready()).models.refresh(request),
    providerAnswers: async (request) => (await ready()).models.answers(request),
    listModels: async (request) => (await ready()).models.list(request),
    testModel: (request) => alive(({ models }) => models.test(request)), // a local model may have to be loaded first
    setModel: async (request) => (await ready()).models.set(request),
    findLocalServers: async () => (await ready()).models.findLocal(),
    closeTabs: async (request) => (await ready()).openedTabs.close(request),
    showTab: async ({ tabId }) => void (await (await ready()).tabs.show(tabId)),
    setChat: async ({ conversationId, ...change }) => {
      const { runs, setupChanged } = await ready();
      if (await runs.setChat({ conversationId, ...requireChange(change) })) await setupChanged();
    },
    saveAssistant: async (request) => (await ready()).assistants.save(request),
    removeAssistant: async (request) => (await ready()).assistants.remove(request),
    savePrompt: async (request) => (await ready()).prompts.save(request),
    removePrompt: async (request) => (await ready()).prompts.remove(request),
    saveNote: async (request) => (await ready()).notes.save(request),
    removeNote: async (request) => (await ready()).notes.remove(request),
    saveProject: async (request) => (await ready()).projects.save(request),
    removeProject: async (request) => (await ready()).projects.remove(request),
    addProjectFile: async (request) => (await ready()).projects.addFile(request),
    removeProjectFile: async (request) => (await ready()).projects.removeFile(request),
    readProjectFile: async (request) => (await ready()).projects.readFile(request),
    saveSchedule: async (request) => (await ready()).schedules.save(request),
    switchSchedule: async (request) => (await ready()).schedules.switchTo(request),
    removeSchedule: async (request) => (await ready()).schedules.remove(request),
    runSchedule: (request) => alive(({ schedules }) => schedules.runNow(request)),
    importSkills: async (request) => (await ready()).ownSkills.importAll(request),
    saveSettings: async (changes) => {
      const { db, setupChanged, toolLog, runs, updateMenu, schedules } = await ready();
      await saveSettings(db, changes);
      if (changes.language !== undefined || changes.starters !== undefined) await updateMenu();
      if (changes.schedulesPaused !== undefined) await schedules.onPauseChanged();
      await setupChanged();
      if (changes.tierPermissions !== undefined) await runs.reconsider();
      if (changes.maxLoggedCalls !== undefined) void toolLog.trim(true);
    },
  };
}
