import { attachmentsById, draftAttachments } from './attachments.ts';
import { APP_CALLS } from '../../types/tools/tool-call.ts';
import { beginRun } from './run-start.ts';
import { newestConversation } from './conversations.ts';
import type { Database } from '../schema.ts';
import { type JournalEntry, writeEntry } from './journal.ts';
import { findStreaming, loadBranch, loadCalls, loadHistory, loadPath } from './messages.ts';
import { loadNewChat } from '../configuration/new-chat.ts';
import { lastEndedRun, queuedRuns, shownRuns, unfinishedRuns } from './runs.ts';
import { placeKey } from './shown-chats.ts';
import { loadSubtree, loadVersions, newestLeaf } from './message-versions.ts';

export type RunStore = ReturnType<typeof createRunStore>;

/** What `runs` reads and writes, on an open database. */
export function createRunStore(db: Database) {
  return {
    /** Undefined also when it is deleted. */
    conversation: async (id: string) => {
      const found = await db.get('conversations', id);
      return found?.deletedAt === undefined ? found : undefined;
    },
    deletedConversation: async (id: string) => {
      const found = await db.get('conversations', id);
      return found?.deletedAt === undefined ? undefined : found;
    },
    begin: beginRun.bind(undefined, db),
    placeKey: placeKey.bind(undefined, db),
    newestConversation: () => newestConversation(db),
    message: (id: string) => db.get('messages', id),
    call: (callId: string) => db.get('toolCalls', callId),
    run: (id: string) => db.get('runs', id),
    draft: async (conversationId: string) => (await db.get('drafts', conversationId)) ?? '',
    attachments: attachmentsById.bind(undefined, db),
    draftAttachments: draftAttachments.bind(undefined, db),
    newChat: () => loadNewChat(db),
    path: loadPath.bind(undefined, db),
    history: loadHistory.bind(undefined, db),
    branch: loadBranch.bind(undefined, db),
    calls: loadCalls.bind(undefined, db),
    /** Those that apps made for a message, in their order. */
    appCalls: (messageId: string) =>
      db.getAllFromIndex(
        'toolCalls',
        'by-message',
        IDBKeyRange.bound([messageId, APP_CALLS], [messageId, []]),
      ),
    versions: loadVersions.bind(undefined, db),
    subtree: loadSubtree.bind(undefined, db),
    newestLeaf: newestLeaf.bind(undefined, db),
    streaming: findStreaming.bind(undefined, db),
    queuedRuns: queuedRuns.bind(undefined, db),
    shownRuns: shownRuns.bind(undefined, db),
    lastEndedRun: lastEndedRun.bind(undefined, db),
    unfinishedRuns: () => unfinishedRuns(db),
    write: (entry: JournalEntry) => writeEntry(db, entry),
  };
}
