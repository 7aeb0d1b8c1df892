import type { CommandHandlers } from '../../lib/messaging.ts';
import { listConversations } from '../../lib/storage/conversations.ts';
import { writeEntry } from '../../lib/storage/journal.ts';
import { takeIntent } from '../../lib/storage/intents.ts';
import { loadBranch, loadCalls } from '../../lib/storage/messages.ts';
import { saveSettings } from '../../lib/storage/settings.ts';
import { callsForPanel, messageForPanel } from '../../lib/runs/panel-view.ts';
import type { App } from './app.ts';
import { requireChoice } from './chat-input.ts';

const OLDER_MESSAGES = 50;

/** The worker's side of every command. Each waits until the worker's parts stand. */
export function createCommands(ready: Promise<App>): CommandHandlers {
  return {
    startRun: async (request) => (await ready).runs.start(request),
    stopRun: async (request) => (await ready).runs.stop(request),
    retryNow: async (request) => (await ready).runs.retryNow(request),
    removeQueued: async (request) => (await ready).runs.removeQueued(request),
    moveQueued: async (request) => (await ready).runs.moveQueued(request),
    steerQueued: async (request) => (await ready).runs.steerQueued(request),
    resolveCall: async (request) => (await ready).runs.resolve(request),
    checkArguments: async (request) => (await ready).runs.checkArguments(request),
    runAgain: async (request) => (await ready).runs.runAgain(request),

    olderMessages: async ({ leafId }) => {
      const { db } = await ready;
      const page = await loadBranch(db, leafId, OLDER_MESSAGES);
      const calls = await loadCalls(db, page.messages);
      return {
        ...page,
        messages: page.messages.map(messageForPanel),
        toolCalls: callsForPanel(calls),
      };
    },
    listConversations: async () => {
      const { db, runs } = await ready;
      return listConversations(db, runs.stateOf);
    },
    takeIntent: async ({ windowId }) => takeIntent((await ready).db, windowId, Date.now()),
    saveDraft: async (draft) => writeEntry((await ready).db, { draft }),

    saveServer: async (input) => {
      const { servers, runs } = await ready;
      const saved = await servers.save(input);
      await runs.reconsider(); // it may be trusted now
      return saved;
    },
    removeServer: async (request) => (await ready).servers.remove(request),
    setServerEnabled: async (request) => (await ready).servers.setEnabled(request),
    reconnectServer: async (request) => (await ready).servers.reconnect(request),
    setTool: async (request) => {
      const { servers, runs } = await ready;
      await servers.choose(request);
      if (request.permission !== undefined) await runs.reconsider();
    },

    saveProvider: async (input) => (await ready).providers.save(input),
    removeProvider: async (request) => (await ready).providers.remove(request),
    refreshModels: async (request) => (await ready).models.refresh(request),
    listModels: async (request) => (await ready).models.list(request),
    testModel: async (request) => {
      const { keepAlive, models } = await ready;
      return keepAlive.during(() => models.test(request)); // a local model may have to be loaded first
    },
    setModel: async (request) => (await ready).models.set(request),
    findLocalServers: async () => (await ready).models.findLocal(),
    setChat: async ({ conversationId, ...choice }) => {
      const { runs, setupChanged } = await ready;
      if (await runs.setChat({ conversationId, ...requireChoice(choice) })) await setupChanged();
    },
    saveAssistant: async (request) => (await ready).assistants.save(request),
    removeAssistant: async (request) => (await ready).assistants.remove(request),
    saveSettings: async (changes) => {
      const { db, setupChanged } = await ready;
      await saveSettings(db, changes);
      await setupChanged();
    },
  };
}
