import type { Conversation } from '../types/setup.ts';
import type { Database } from './database.ts';

/** Newest first. */
export async function listConversations(db: Database): Promise<Conversation[]> {
  return (await db.getAllFromIndex('conversations', 'by-updated')).toReversed();
}

export async function newestConversation(db: Database): Promise<Conversation | null> {
  const cursor = await db.transaction('conversations').store.index('by-updated').openCursor(null, 'prev');
  return cursor?.value ?? null;
}
