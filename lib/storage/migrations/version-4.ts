import type { Database } from '../database.ts';
import { BACKFILL, FROM_THE_START } from '../search/unindexed.ts';
import type { Upgrade } from './version-2.ts';

/** Version 4: what is searched, which is made of the rows that are there in the background (search-index.ts); saved prompts; chats that are pinned, archived or deleted, and deleted messages. */
export async function upgradeToVersion4(db: Database, tx: Upgrade): Promise<void> {
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
  await tx.objectStore('settings').put(FROM_THE_START, BACKFILL);
}
