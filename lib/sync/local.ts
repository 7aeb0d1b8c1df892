import { loadSubtree } from '../storage/chats/message-versions.ts';
import { everyMessage } from '../storage/chats/messages.ts';
import type { Database } from '../storage/schema.ts';
import type { Message } from '../types/message.ts';
import type { Conversation } from '../types/conversation.ts';

/** The chats that are here and not deleted. */
export async function chatsHere(db: Database): Promise<Conversation[]> {
  return (await db.getAll('conversations')).filter(({ deletedAt }) => deletedAt === undefined);
}

/** The ids of a chat's messages that are here and not deleted; none of a deleted chat. */
export async function idsHere(db: Database, chatId: string): Promise<Set<string>> {
  const chat = await db.get('conversations', chatId);
  if (!chat || chat.deletedAt !== undefined) return new Set();
  const [ids, deleted] = await Promise.all([
    db.getAllKeysFromIndex('messages', 'by-place', everyMessage(chatId)),
    db.getAllFromIndex('messages', 'by-deleted'),
  ]);
  const roots = deleted.filter(({ conversationId }) => conversationId === chatId);
  const gone = await Promise.all(roots.map((root) => loadSubtree(db, root)));
  const left = new Set(ids);
  for (const { id } of gone.flat()) left.delete(id);
  return left;
}

export async function rowsHere(db: Database, chatId: string): Promise<Message[]> {
  const [ids, rows] = await Promise.all([
    idsHere(db, chatId),
    db.getAllFromIndex('messages', 'by-place', everyMessage(chatId)),
  ]);
  return rows.filter(({ id }) => ids.has(id));
}
