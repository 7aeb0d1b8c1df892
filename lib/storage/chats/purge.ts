import type { Message } from '../../types/message.ts';
import { type Database, startingWith } from '../schema.ts';
import { noteChanged } from '../search/index.ts';
import { removeUnusedFiles } from './attachments.ts';
import { loadSubtree } from './message-versions.ts';

/**
 * Removes for good what was deleted up to then, with all that belongs to it.
 * @param until ISO 8601
 * @returns whether something deleted later is still there
 */
export async function purgeDeleted(db: Database, until: string): Promise<boolean> {
  const longGone = IDBKeyRange.upperBound(until);
  for (const id of await db.getAllKeysFromIndex('conversations', 'by-deleted', longGone))
    await purgeConversation(db, id);
  for (const message of await db.getAllFromIndex('messages', 'by-deleted', longGone))
    await purgeMessages(db, message);
  await removeUnusedFiles(db);
  const left = await Promise.all([
    db.countFromIndex('conversations', 'by-deleted'),
    db.countFromIndex('messages', 'by-deleted'),
  ]);
  return left.some((count) => count > 0);
}

/** Removes a conversation and everything that is only its own, in one transaction. */
async function purgeConversation(db: Database, id: string): Promise<void> {
  const tx = db.transaction(
    ['conversations', 'messages', 'runs', 'toolCalls', 'drafts', 'attachments', 'grants', 'unindexed'],
    'readwrite',
  );
  const own = startingWith(id);
  const [messages, runs, calls, attachments] = [
    tx.objectStore('messages'),
    tx.objectStore('runs'),
    tx.objectStore('toolCalls'),
    tx.objectStore('attachments'),
  ];
  const [messageIds, runIds, callIds, attachmentIds] = await Promise.all([
    messages.index('by-place').getAllKeys(own),
    runs.index('by-conversation').getAllKeys(own),
    calls.index('by-conversation').getAllKeys(id),
    attachments.index('by-conversation').getAllKeys(id),
  ]);
  await Promise.all([
    tx.objectStore('conversations').delete(id),
    tx.objectStore('drafts').delete(id),
    tx.objectStore('grants').delete(own),
    ...messageIds.map((key) => messages.delete(key)),
    ...runIds.map((key) => runs.delete(key)),
    ...callIds.map((key) => calls.delete(key)),
    ...attachmentIds.map((key) => attachments.delete(key)),
    noteChanged(tx.objectStore('unindexed'), id),
    tx.done,
  ]);
}

/** Removes a message and all that follows it, with its calls. */
async function purgeMessages(db: Database, message: Message): Promise<void> {
  const ids = (await loadSubtree(db, message)).map(({ id }) => id);
  const tx = db.transaction(['messages', 'toolCalls', 'unindexed'], 'readwrite');
  const calls = tx.objectStore('toolCalls');
  const ofMessage = calls.index('by-message');
  const callIds = await Promise.all(ids.map((id) => ofMessage.getAllKeys(startingWith(id))));
  await Promise.all([
    ...ids.map((id) => tx.objectStore('messages').delete(id)),
    ...callIds.flat().map((id) => calls.delete(id)),
    noteChanged(tx.objectStore('unindexed'), message.conversationId, ids),
    tx.done,
  ]);
}
