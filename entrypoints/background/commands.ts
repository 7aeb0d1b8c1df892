import type { CommandHandlers } from '../../lib/messaging.ts';
import { listConversations } from '../../lib/storage/conversations.ts';
import { writeEntry } from '../../lib/storage/journal.ts';
import { takeIntent } from '../../lib/storage/intents.ts';
import { loadCalls, loadMessages } from '../../lib/storage/messages.ts';
import { saveDefaultProvider, saveSettings } from '../../lib/storage/settings.ts';
import { callsForPanel, messageForPanel } from '../../lib/runs/panel-view.ts';
import type { App } from './app.ts';

const OLDER_MESSAGES = 50;

/** The worker's side of every command. Each waits until the worker's parts stand. */
export function createCommands(ready: Promise<App>): CommandHandlers {
  return {
    startRun: async (request) => (await ready).runs.start(request),
    stopRun: async (request) => (await ready).runs.stop(request),
    removeQueued: async (request) => (await ready).runs.removeQueued(request),
    resolveCall: async (request) => (await ready).runs.resolve(request),

    olderMessages: async ({ conversationId, before }) => {
      const { db } = await ready;
      const page = await loadMessages(db, conversationId, OLDER_MESSAGES, before);
      const calls = await loadCalls(db, page.messages);
      return {
        ...page,
        messages: page.messages.map(messageForPanel),
        toolCalls: callsForPanel(calls),
      };
    },
    listConversations: async () => listConversations((await ready).db),
    takeIntent: async ({ windowId }) => takeIntent((await ready).db, windowId, Date.now()),
    saveDraft: async (draft) => writeEntry((await ready).db, { draft }),

    saveServer: async (input) => (await ready).servers.save(input),
    removeServer: async (request) => (await ready).servers.remove(request),
    setServerEnabled: async (request) => (await ready).servers.setEnabled(request),
    reconnectServer: async (request) => (await ready).servers.reconnect(request),
    setTool: async (request) => (await ready).servers.choose(request),

    saveProvider: async (input) => (await ready).providers.save(input),
    removeProvider: async (request) => (await ready).providers.remove(request),
    listModels: async (request) => (await ready).providers.models(request),
    chooseProvider: async ({ conversationId, providerId }) => {
      const { db, runs, setupChanged } = await ready;
      await saveDefaultProvider(db, providerId);
      await runs.chooseProvider(conversationId, providerId);
      await setupChanged();
    },
    saveSettings: async (changes) => {
      const { db, setupChanged } = await ready;
      await saveSettings(db, changes);
      await setupChanged();
    },
  };
}
