import { removeModels } from '../../../lib/gguf/store.ts';
import type { AssistantParts } from '../chat/build-assistants.ts';
import type { ChatParts } from '../chat/build-chats.ts';
import type { RunParts } from '../chat/build-runs.ts';
import type { Core } from '../core.ts';
import type { ServerParts } from '../servers/build-servers.ts';
import { createBrowserSync } from './browser-sync.ts';
import { createChatFiles } from './chat-files.ts';
import { createData } from './data.ts';
import { createLock } from './lock.ts';
import { createSettingsFile } from './settings-file.ts';
import { createSync } from './sync.ts';

export function buildData(core: Core & ServerParts & AssistantParts & RunParts & ChatParts) {
  const { db, emit, setupChanged, keepAlive, connections, promptsChanged, runs, conversations } = core;
  const now = Date.now;
  const chatFiles = createChatFiles(db, {
    send: emit('chatList'),
    written: core.search.changed,
    runs,
    now,
  });
  const sync = createSync(db, {
    commands: {
      importChats: chatFiles.importMany,
      deleteConversations: conversations.remove,
      deleteMessage: conversations.deleteMessage,
      restoreMessage: runs.restoreMessage,
      setConversation: conversations.set,
    },
    offscreen: core.offscreen,
    during: keepAlive.during,
    changed: setupChanged,
    now,
  });
  /** What the organisation's policy says now, from here on: also of calls that wait. */
  async function followPolicy(): Promise<void> {
    const { gone } = await core.fleet.read();
    await Promise.all(gone.map((id) => connections.disconnect(id, 'removed')));
    await promptsChanged();
    await runs.reconsider();
    await connections.revive();
  }
  const data = createData(db, {
    runs,
    removeServer: core.servers.takeAway,
    changed: followPolicy,
    send: emit('chatList'),
    removeElse: async () => void (await Promise.all([removeModels(), sync.remove()])),
    estimate: () => navigator.storage.estimate(),
    now,
  });
  return {
    chatFiles,
    sync,
    followPolicy,
    data,
    lock: createLock(db, { changed: setupChanged, opened: () => connections.revive(), now }),
    settingsFile: createSettingsFile(db, { changed: promptsChanged, now }),
    browserSync: createBrowserSync(db, { prompts: core.prompts, changed: promptsChanged }),
  };
}
