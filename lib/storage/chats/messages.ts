import type { AssistantMessage, Message, SummaryMessage } from '../../types/message.ts';
import type { Run } from '../../types/run.ts';
import { callIdOf, messageOf, type ToolCall } from '../../types/tools/tool-call.ts';
import { type Database, startingWith } from '../schema.ts';

/** Turns that are read at once of a run's history. */
export const HISTORY_PIECE = 500;

/** Messages as they are read one by one, or in order of their places. */
export type Reading = {
  get: (id: string) => Promise<Message | undefined>;
  getAll: (places: IDBKeyRange) => Promise<Message[]>;
};

const readingOf = (db: Database): Reading => ({
  get: (id) => db.get('messages', id),
  getAll: (places) => db.getAllFromIndex('messages', 'by-place', places),
});

export function everyMessage(conversationId: string): IDBKeyRange {
  return startingWith(conversationId);
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

/** What a model had before it when it made the calls of a message: the branch without the message and its results. */
export async function loadBefore(
  db: Database,
  { callId, conversationId }: Pick<ToolCall, 'callId' | 'conversationId'>,
): Promise<Message[]> {
  const messageId = messageOf(callId);
  return beforeCallsOf(messageId, await loadPath(db, conversationId, messageId));
}

/** @param branch that ends in the message */
export const beforeCallsOf = (messageId: string, branch: Message[]): Message[] =>
  branch.filter(({ id, role, parentId }) => id !== messageId && !(role === 'tool' && parentId === messageId));

/** The last message of a branch, or its id; null for a branch without any. */
type Leaf = Message | string | null;

/** A message of a branch, with the tool results that hang on it. */
type BranchStep = [Message, ...Message[]];

/**
 * The branch that ends in `leaf`, newest first, read in pieces of so many turns (`seq`): what is before the piece that
 * the reader stops in is not read.
 */
async function* stepsBack(reading: Reading, leaf: Leaf, piece: number): AsyncGenerator<BranchStep> {
  const read = async (id: string | null) => (id === null ? undefined : reading.get(id));
  let last = leaf === null || typeof leaf === 'string' ? await read(leaf) : leaf;
  while (last) {
    const { conversationId, seq } = last;
    const first = seq - piece + 1;
    const place = IDBKeyRange.bound([conversationId, first], [conversationId, seq, []]);
    const rows = await reading.getAll(place);
    const byId = new Map(rows.map((message) => [message.id, message]));
    const results = Map.groupBy(
      rows.filter(({ role }) => role === 'tool'),
      ({ parentId }) => parentId,
    );
    let before: string | null = last.id;
    for (let message = byId.get(before); message; message = before === null ? undefined : byId.get(before)) {
      byId.delete(message.id);
      yield [message, ...(results.get(message.id) ?? [])];
      before = message.parentId;
    }
    const next = first > 0 ? await read(before) : undefined;
    // Whatever a damaged branch says, it comes to an end.
    last = next && next.seq < first ? next : undefined;
  }
}

/**
 * What of the branch that ends in `leaf` a run goes on from, oldest first. What its last summary tells of is never sent
 * again, so it is not read either, however long the branch is.
 */
export function loadHistory(db: Database, leaf: Leaf): Promise<Message[]> {
  return readHistory(readingOf(db), leaf);
}

/** The same, by whatever reads: a branch of no more turns than `HISTORY_PIECE` takes one `getAll`, asked for at once. */
export async function readHistory(reading: Reading, leaf: Leaf): Promise<Message[]> {
  const steps: BranchStep[] = [];
  let summary: SummaryMessage | undefined;
  for await (const step of stepsBack(reading, leaf, HISTORY_PIECE)) {
    steps.push(step);
    const [message] = step;
    if (!summary && message.role === 'summary') summary = message;
    if (summary && (summary.keepsFrom === null || summary.keepsFrom === message.id)) break;
  }
  return steps.toReversed().flat();
}

/** Characters of words that a panel draws without the user waiting for it; of whatever length, so many steps are there. */
const MOST_TEXT = 200_000;
const FEWEST_STEPS = 6;

/**
 * The end of the branch that ends in `leafId` (inclusive), oldest first: at most `count` messages, fewer where they are
 * long, and all the tool results of the oldest one, be they more. Reads no more turns than these, however long the branch is.
 */
export async function loadBranch(
  db: Database,
  leafId: string | null,
  count: number,
): Promise<{ messages: Message[]; hasOlder: boolean }> {
  const steps: BranchStep[] = [];
  let left = count;
  let text = MOST_TEXT;
  // One turn more, to see whether there is one.
  for await (const step of stepsBack(readingOf(db), leafId, count + 1)) {
    if (steps.length > 0 && (step.length > left || (text < 0 && steps.length >= FEWEST_STEPS)))
      return { messages: steps.toReversed().flat(), hasOlder: true };
    steps.push(step);
    left -= step.length;
    text -= String(step[0].content).length; // of a damaged row it may be anything
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
  const calls = await Promise.all(withCalls.map(({ id }) => index.getAll(startingWith(id))));
  const byId = new Map(messages.map((message) => [message.id, message]));
  const answers = new Map(
    messages.map((each) => [each.role === 'tool' && callIdOf(each.parentId ?? '', each.sub - 1), each]),
  );
  const restored = (call: ToolCall): ToolCall => {
    const { messageId, position, result } = call;
    const [asked, answer] = [byId.get(messageId), answers.get(callIdOf(messageId, position))];
    const written = asked?.role === 'assistant' ? asked.tool_calls?.[position]?.arguments : undefined;
    return {
      ...call,
      ...(call.arguments === '' && written !== undefined && { arguments: written }),
      ...(result && answer?.role === 'tool' && { result: { ...result, text: answer.content } }),
    };
  };
  return calls.flat().map((call) => (call.result?.dropped ? restored(call) : call));
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
