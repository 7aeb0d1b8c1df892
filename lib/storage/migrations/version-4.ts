import type { Upgrade, Upgraded } from './version-2.ts';

/**
 * Version 4: what is searched, which the rows that are there were to be added to in the background; saved prompts; chats
 * that are pinned, archived or deleted, and deleted messages.
 */
export async function upgradeToVersion4(db: Upgraded, tx: Upgrade): Promise<void> {
  const texts = db.createObjectStore('texts', { keyPath: 'place' });
  texts.createIndex('by-word', 'words', { multiEntry: true });
  texts.createIndex('by-conversation', 'conversationId');
  texts.createIndex('by-id', 'id');
  db.createObjectStore('unindexed', { autoIncrement: true });
  db.createObjectStore('prompts', { keyPath: 'id', autoIncrement: true });
  const conversations = tx.objectStore('conversations');
  conversations.createIndex('by-pinned', 'pinnedAt');
  conversations.createIndex('by-archived', 'archivedAt');
  conversations.createIndex('by-deleted', 'deletedAt');
  tx.objectStore('messages').createIndex('by-deleted', 'deletedAt');
  await tx.objectStore('settings').put({ store: 'conversations', after: '' }, 'searchBackfill');
}
