import type { Database } from './schema.ts';
import { forgetSecrets } from './secrets/secret-store.ts';

const CHATS = [
  'conversations',
  'messages',
  'runs',
  'toolCalls',
  'drafts',
  'attachments',
  'files',
  'grants',
  'texts',
  'unindexed',
] as const;

/** Removes all chats with all that belongs to them, and the tool log. @returns the ids of those that could be seen */
export async function eraseChats(db: Database): Promise<string[]> {
  const tx = db.transaction(CHATS, 'readwrite');
  const conversations = tx.objectStore('conversations');
  const [ids, deleted] = await Promise.all([
    conversations.getAllKeys(),
    conversations.index('by-deleted').getAllKeys(),
  ]);
  await Promise.all([...CHATS.map((name) => tx.objectStore(name).clear()), tx.done]);
  const gone = new Set(deleted);
  return ids.filter((id) => !gone.has(id));
}

/** Removes every row of every store, so that the database is as on the first day. */
export async function eraseEverything(db: Database): Promise<void> {
  forgetSecrets();
  const names = [...db.objectStoreNames];
  const tx = db.transaction(names, 'readwrite');
  await Promise.all([...names.map((name) => tx.objectStore(name).clear()), tx.done]);
}
