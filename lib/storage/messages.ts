import type { AssistantMessage, Message } from '../types/message.ts';
import type { Run } from '../types/run.ts';
import type { ToolCall } from '../types/tool.ts';
import type { Database } from './database.ts';

/** Every message of the conversation, in order. */
function everyMessage(conversationId: string): IDBKeyRange {
  return IDBKeyRange.bound([conversationId], [conversationId, []]);
}

/**
 * The whole branch that ends in `leafId`, oldest first: the messages up to the first one, and the tool results that
 * hang on them. Reads all of the conversation at once, which for a whole branch is faster than to walk it.
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

/**
 * The end of the branch that ends in `leafId` (inclusive), oldest first: at most `count` messages, and all the tool
 * results of the oldest one, be they more. Reads these and no others.
 */
export async function loadBranch(
  db: Database,
  leafId: string | null,
  count: number,
): Promise<{ messages: Message[]; hasOlder: boolean }> {
  const { store } = db.transaction('messages');
  const steps: Message[][] = [];
  let left = count;
  let id = leafId;
  while (id !== null) {
    const message = await store.get(id);
    if (!message) break;
    const { conversationId, seq, role } = message;
    const beside = IDBKeyRange.bound([conversationId, seq, 1], [conversationId, seq, []]);
    const results = role === 'assistant' ? await store.index('by-place').getAll(beside) : [];
    const step = [message, ...results.filter(({ parentId }) => parentId === id)];
    if (steps.length > 0 && step.length > left)
      return { messages: steps.toReversed().flat(), hasOlder: true };
    steps.push(step);
    left -= step.length;
    id = message.parentId;
  }
  return { messages: steps.toReversed().flat(), hasOlder: false };
}

/**
 * The ledger rows of these messages, in call order. Of those that the tool log trimmed, the text is what the model read
 * and the arguments are what it wrote: both are in the messages.
 */
export async function loadCalls(db: Database, messages: Message[]): Promise<ToolCall[]> {
  const withCalls = messages.filter((message) => message.role === 'assistant' && message.tool_calls);
  const index = db.transaction('toolCalls').store.index('by-message');
  const calls = await Promise.all(withCalls.map(({ id }) => index.getAll(IDBKeyRange.bound([id], [id, []]))));
  return calls.flat().map((call) => (call.result?.dropped ? restored(call, messages) : call));
}

function restored(call: ToolCall, messages: Message[]): ToolCall {
  const { messageId, position, result } = call;
  const asked = messages.find(({ id }) => id === messageId);
  const answer = messages.find(({ parentId, sub }) => parentId === messageId && sub === position + 1);
  const written = asked?.role === 'assistant' ? asked.tool_calls?.[position]?.arguments : undefined;
  return {
    ...call,
    ...(call.arguments === '' && written !== undefined && { arguments: written }),
    ...(result && answer?.role === 'tool' && { result: { ...result, text: answer.content } }),
  };
}

/** What a broken worker left of an answer in this run, if anything: the run's leaf, or what follows it. */
export async function findStreaming(
  db: Database,
  { id, conversationId, leafId }: Pick<Run, 'id' | 'conversationId' | 'leafId'>,
): Promise<AssistantMessage | undefined> {
  const { store } = db.transaction('messages');
  const leaf = leafId === null ? undefined : await store.get(leafId);
  const place = IDBKeyRange.only([conversationId, (leaf?.seq ?? -1) + 1, 0]);
  const next = await store.index('by-place').getAll(place);
  return [...(leaf ? [leaf] : []), ...next].find(
    (message): message is AssistantMessage =>
      message.role === 'assistant' && message.status === 'streaming' && message.runId === id,
  );
}
