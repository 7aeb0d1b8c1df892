import type { ListedConversation } from '../protocol.ts';
import type { Conversation } from '../types/setup.ts';
import type { Database } from './database.ts';

/**
 * Newest first.
 * @param goingOn what goes on in a conversation now
 */
export async function listConversations(
  db: Database,
  goingOn: (id: string) => ListedConversation['state'],
): Promise<ListedConversation[]> {
  const all = await db.getAllFromIndex('conversations', 'by-updated');
  return all.toReversed().map((conversation) => {
    const state = goingOn(conversation.id) ?? (conversation.failed && 'failed');
    return { ...conversation, ...(state && { state }) };
  });
}

export async function newestConversation(db: Database): Promise<Conversation | null> {
  const cursor = await db.transaction('conversations').store.index('by-updated').openCursor(null, 'prev');
  return cursor?.value ?? null;
}
