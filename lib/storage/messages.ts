import type { AssistantMessage, Message, ToolCall } from '../types.ts';
import type { Database } from './database.ts';

type Place = { seq: number; sub: number };

/** Every message of the conversation, in order. */
function everyMessage(conversationId: string): IDBKeyRange {
  return IDBKeyRange.bound([conversationId], [conversationId, []]);
}

/**
 * The branch that ends in `leafId`, oldest first: the user's and assistant's messages up to the first one, and the
 * tool results that hang on them.
 */
export async function loadPath(
  db: Database,
  conversationId: string,
  leafId: string | null,
): Promise<Message[]> {
  const all = await db.getAllFromIndex('messages', 'by-place', everyMessage(conversationId));
  const byId = new Map(all.map((message) => [message.id, message]));
  const onPath = new Set<string>();
  for (let id = leafId; id !== null && !onPath.has(id); id = byId.get(id)?.parentId ?? null) onPath.add(id);
  return all.filter(({ id, role, parentId }) => onPath.has(role === 'tool' ? (parentId ?? '') : id));
}

/** At most `count` messages before `before` (all when absent), oldest first, and whether there are older ones. */
export async function loadMessages(
  db: Database,
  conversationId: string,
  count: number,
  before?: Place,
): Promise<{ messages: Message[]; hasOlder: boolean }> {
  const range = before
    ? IDBKeyRange.bound([conversationId], [conversationId, before.seq, before.sub], false, true)
    : everyMessage(conversationId);
  const messages: Message[] = [];
  let cursor = await db.transaction('messages').store.index('by-place').openCursor(range, 'prev');
  while (cursor && messages.length < count) {
    messages.push(cursor.value);
    cursor = await cursor.continue();
  }
  return { messages: messages.toReversed(), hasOlder: cursor !== null };
}

/** The ledger rows of these messages, in call order. */
export async function loadCalls(db: Database, messages: Message[]): Promise<ToolCall[]> {
  const withCalls = messages.filter((message) => message.role === 'assistant' && message.tool_calls);
  const index = db.transaction('toolCalls').store.index('by-message');
  const calls = await Promise.all(withCalls.map(({ id }) => index.getAll(IDBKeyRange.bound([id], [id, []]))));
  return calls.flat();
}

/** What a broken worker left of an answer in this run, if anything; it stands among the conversation's last. */
export async function findStreaming(
  db: Database,
  conversationId: string,
  runId: string,
): Promise<AssistantMessage | undefined> {
  let cursor = await db
    .transaction('messages')
    .store.index('by-place')
    .openCursor(everyMessage(conversationId), 'prev');
  while (cursor?.value.status === 'streaming') {
    const message = cursor.value;
    if (message.role === 'assistant' && message.runId === runId) return message;
    cursor = await cursor.continue();
  }
  return undefined;
}
