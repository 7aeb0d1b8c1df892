import { AppError } from '../errors.ts';
import { isSamePlace } from '../storage/import-export/import-chat.ts';
import type { Database } from '../storage/schema.ts';
import type { Message } from '../types/message.ts';
import type { Conversation } from '../types/conversation.ts';
import { branchesOf } from './branches.ts';
import {
  type ChatRows,
  clockAfter,
  dated,
  type DatedMeta,
  type Entry,
  latest,
  type Mark,
  META,
  metaOf,
  titleOf,
} from './entry.ts';
import { idsHere, rowsHere } from './local.ts';
import { getOrInsert, mark, marksOf, type StateStore, type SyncState } from './state.ts';
import type { Ask, Store } from './store.ts';

/** Characters of rows that are sent to the worker at once: a port takes 64 MiB. */
const PART = 8_000_000;

export type Pulling = {
  db: Database;
  store: Store;
  key: CryptoKey;
  state: SyncState;
  states: Pick<StateStore, 'save'>;
  ask: Ask;
  tell: (done: number, total: number) => void;
  signal: AbortSignal;
};

export type ReadEntry = { name: string; entry: Entry };

/** What files say of one chat. */
type ChatNews = {
  conversation?: Conversation;
  messages: Map<string, { row: Message; name: string }>;
  calls: Calls;
  meta?: ChatRows['meta'];
  names: Set<string>;
};

/**
 * Names of files of which not all was merged. `waiting`: for rows that come before theirs. These are on their way, or were
 * deleted, and the machine that had gone on after them will tell them again.
 */
type Unmerged = { failed: Set<string>; waiting: Set<string> };

/** Merges files into what is here, chat by chat. */
export async function merge(pulling: Pulling, entries: ReadEntry[]): Promise<Unmerged> {
  const { state } = pulling;
  const news = new Map<string, ChatNews>();
  const newsOf = (chatId: string): ChatNews =>
    getOrInsert(news, chatId, () => ({ messages: new Map(), calls: [], names: new Set() }));
  for (const { name, entry } of entries) {
    state.clock = clockAfter(state.clock, name);
    for (const { conversation, messages, toolCalls = [], meta } of entry.chats) {
      const chat = newsOf(conversation.id);
      chat.names.add(name);
      chat.conversation = conversation as Conversation;
      for (const row of messages) chat.messages.set(row.id, { row: row as Message, name });
      chat.calls.push(...toolCalls);
      if (meta) chat.meta = chat.meta ? latest(chat.meta, meta) : meta;
    }
    for (const [chatId, marks] of entry.marks) {
      newsOf(chatId).names.add(name);
      for (const [id, each] of marks)
        if (isLater(each, marksOf(state, chatId).get(id))) marksOf(state, chatId).set(id, each);
    }
  }
  const left: Unmerged = { failed: new Set(), waiting: new Set() };
  for (const [chatId, chat] of news) {
    pulling.signal.throwIfAborted();
    await mergeChat(pulling, chatId, chat, left);
  }
  return left;
}

/** Of two with one clock the one that keeps the row holds. */
const isLater = (one: Mark, other: Mark = { clock: -1, gone: true }): boolean =>
  one.clock > other.clock || (one.clock === other.clock && other.gone);

const isGoneIn = (state: SyncState, chatId: string) => (id: string) =>
  marksOf(state, chatId).get(id)?.gone === true;

/** What the worker refuses is tried again, with the files that said it. */
async function mergeChat(
  pulling: Pulling,
  chatId: string,
  news: ChatNews,
  unmerged: Unmerged,
): Promise<void> {
  const { db, state, signal } = pulling;
  const known = state.chats.get(chatId);
  await addLacking(pulling, chatId, news, unmerged);
  const refused = (into: Set<string>) => (error: unknown) => {
    if (!(error instanceof AppError) || signal.aborted) throw error;
    for (const name of news.names) into.add(name);
    return new Set<string>();
  };
  const kept = await removeGone(pulling, chatId).catch(refused(unmerged.waiting)); // such as in the middle of an answer
  await setMeta(pulling, chatId, news.meta).catch(refused(unmerged.failed));
  const ids = [...(await idsHere(db, chatId))].filter(
    (id) => !kept.has(id) && (known?.ids.has(id) || news.messages.has(id)),
  );
  const now = await db.get('conversations', chatId);
  if (now && ids.length > 0)
    state.chats.set(chatId, {
      ids: new Set(ids),
      meta: state.chats.get(chatId)?.meta ?? dated(metaOf(now), undefined, -1),
    });
  else state.chats.delete(chatId);
}

/** Adds the messages that are not here and not deleted, as far as all that comes before them is here or comes along. */
async function addLacking(
  pulling: Pulling,
  chatId: string,
  news: ChatNews,
  { failed, waiting }: Unmerged,
): Promise<void> {
  const { db, state, ask } = pulling;
  const isGone = isGoneIn(state, chatId);
  const here = new Map((await rowsHere(db, chatId)).map((row) => [row.id, row]));
  const lacking = [...news.messages.values()].filter(({ row }) => !here.has(row.id) && !isGone(row.id));

  // What is here of the same ids has to be the same rows, or they would come as a chat of their own, each time.
  const stored = await Promise.all(lacking.map(({ row }) => db.get('messages', row.id)));
  const byId = new Map(here);
  for (const [index, { row, name }] of lacking.entries()) {
    const other = stored[index];
    if (!other || isSamePlace(other, { ...row, conversationId: chatId })) byId.set(row.id, row);
    else failed.add(name);
  }
  const isWhole = branchesOf(
    lacking.map(({ row }) => row),
    byId,
  );
  for (const { row, name } of lacking) if (!isWhole.get(row.id)) waiting.add(name);
  const messages = [...byId.values()].filter(({ id }) => isWhole.get(id));
  if (messages.length === 0 || !news.conversation) return;
  const parts = partsOf(messages, (id) => here.has(id), news.calls);
  if (!(await importParts(pulling, news.conversation, parts))) news.names.forEach((name) => failed.add(name));
  // What is here and marked as deleted is no news to an import.
  for (const [index, { row }] of lacking.entries())
    if (stored[index]?.deletedAt !== undefined && isWhole.get(row.id))
      await ask('restoreMessage', { messageId: row.id });
}

type Calls = NonNullable<ChatRows['toolCalls']>;
type Place = Pick<Message, 'id' | 'content'>;
type Part = { messages: Place[]; toolCalls: Calls };

/**
 * What is lacking, in parts that a port takes, each with all that is before it: of what is here, or came with a part before,
 * only its place. A message is in one part with its results.
 */
function* partsOf(messages: Message[], isHere: (id: string) => boolean, calls: Calls): Generator<Part> {
  const results = Map.groupBy(messages, ({ role, parentId }) => (role === 'tool' ? parentId : undefined));
  const turns = (results.get(undefined) ?? []).toSorted((one, other) => one.seq - other.seq);
  const callsOf = Map.groupBy(
    new Map(calls.map((call) => [`${call.messageId}.${call.position}`, call])).values(),
    ({ messageId }) => messageId,
  );
  let part: Part = { messages: [], toolCalls: [] };
  let size = 0;
  for (const turn of turns) {
    for (const row of [turn, ...(results.get(turn.id) ?? [])]) {
      part.messages.push(isHere(row.id) ? placeOf(row) : row);
      if (isHere(row.id)) continue;
      const own = callsOf.get(row.id) ?? [];
      part.toolCalls.push(...own);
      size += JSON.stringify([row, own]).length;
    }
    if (size < PART) continue;
    yield part;
    part = { messages: part.messages.map(placeOf), toolCalls: [] };
    size = 0;
  }
  if (size > 0) yield part;
}

/** Of a row that is here an import needs no more than its place. */
function placeOf(row: Place): Place {
  const large = new Set(['reasoning', 'raw', 'tool_calls', 'attachments', 'pictures']);
  const rest = Object.entries(row).filter(([field]) => !large.has(field));
  return { ...(Object.fromEntries(rest) as Place), content: '' };
}

/** By way of the worker, which checks everything, as it does for any file. @returns whether it could be added */
async function importParts(
  { ask }: Pulling,
  conversation: Conversation,
  parts: Iterable<Part>,
): Promise<boolean> {
  for (const part of parts) {
    const hasLeaf = part.messages.some(({ id }) => id === conversation.leafId);
    const chat = { ...part, conversation: { ...conversation, leafId: hasLeaf ? conversation.leafId : null } };
    const { outcomes } = await ask('importChats', { chats: [chat] });
    if (!outcomes.every((outcome) => 'conversationId' in outcome)) return false;
  }
  return true;
}

/**
 * Deletes what was deleted elsewhere, except for messages before others that were not: these stay, with their results, and
 * the other machines are told so. @returns the ids of what stays
 */
async function removeGone({ db, state, ask }: Pulling, chatId: string): Promise<Set<string>> {
  const isGone = isGoneIn(state, chatId);
  const rows = await rowsHere(db, chatId);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const left = rows.filter(({ id }) => !isGone(id));
  const needed = new Set(branchesOf(left, byId).keys());
  for (const { id, parentId, role } of rows)
    if (role === 'tool' && needed.has(parentId ?? '')) needed.add(id);
  if (rows.length > 0 && needed.size === 0 && isGone(chatId)) {
    await ask('deleteConversations', { ids: [chatId] });
    return new Set();
  }
  for (const { id, parentId, role } of rows)
    if (!needed.has(id) && role !== 'tool' && (parentId === null || needed.has(parentId)))
      await ask('deleteMessage', { messageId: id });
  const kept = [...needed].filter(isGone);
  if (kept.length === 0) return new Set();
  mark(state, chatId, [...kept, chatId], false);
  return needed;
}

/** Of each field the later value holds, unless another was given here that is still to be told. */
async function setMeta({ db, state, ask }: Pulling, chatId: string, told?: DatedMeta): Promise<void> {
  const known = state.chats.get(chatId);
  const conversation = await db.get('conversations', chatId);
  if (!told || !conversation) return;
  const here = metaOf(conversation);
  const later = known ? latest(known.meta, told) : told;
  const meta = { ...later, title: { ...later.title, is: titleOf(later.title.is) || here.title } };
  const changes = Object.fromEntries(
    META.filter((field) => !known || here[field] === known.meta[field].is)
      .filter((field) => here[field] !== meta[field].is)
      .map((field) => [field, meta[field].is]),
  );
  if (Object.keys(changes).length > 0) await ask('setConversation', { id: chatId, ...changes });
  state.chats.set(chatId, { ids: known?.ids ?? new Set(), meta });
}
