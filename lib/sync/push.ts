import { everyMessage } from '../storage/chats/messages.ts';
import { isWhole as isUndamaged } from '../storage/damaged.ts';
import { unfinishedRuns } from '../storage/chats/runs.ts';
import type { Database } from '../storage/schema.ts';
import type { Message } from '../types/message.ts';
import type { Conversation } from '../types/conversation.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';
import { type DatedMeta, dated, entryName, isSameMeta, metaOf } from './entry.ts';
import { chatsHere, idsHere } from './local.ts';
import type { Pulling } from './merge.ts';
import { seal } from './seal.ts';
import { mark } from './state.ts';

/** Characters from which on a file is full; it is longer by one message with its results at most. */
const FILE = 1_000_000;

export type Pushing = Omit<Pulling, 'ask'> & { fileSize?: number };

/**
 * Marks what was deleted here since the store was last told of it: before others' rows come, which would bring it back. And
 * what is here again, before others' marks delete it anew.
 */
export async function markDeleted({
  db,
  state,
  states,
}: Pick<Pushing, 'db' | 'state' | 'states'>): Promise<void> {
  let hasForgotten = false;
  for (const [chatId, { ids }] of state.chats) {
    const here = await idsHere(db, chatId);
    const gone: string[] = [];
    for (const id of ids) {
      if (here.has(id)) continue;
      const row = await db.get('messages', id);
      // A damaged one was not deleted, nor will it have been once a repair removes it: others keep theirs.
      if (row && !isUndamaged('messages', row)) hasForgotten = ids.delete(id);
      else gone.push(id);
    }
    if (gone.length === 0) continue;
    const conversation = await db.get('conversations', chatId);
    const isDeleted = !conversation || conversation.deletedAt !== undefined;
    mark(state, chatId, isDeleted ? [...gone, chatId] : gone, true);
    if (isDeleted) state.chats.delete(chatId);
    else gone.forEach((id) => ids.delete(id));
  }
  for (const [chatId, marks] of state.marks) {
    const known = state.chats.get(chatId);
    // What the store is known to have and could not be deleted here yet was not brought back.
    const back = [...(await idsHere(db, chatId))].filter((id) => marks.get(id)?.gone && !known?.ids.has(id));
    if (back.length > 0) mark(state, chatId, [...back, chatId], false);
  }
  if (hasForgotten) await states.save(state);
}

/** Tells the store what it lacks, a chat after the other. */
export async function push(pushing: Pushing): Promise<void> {
  const { db, state, tell, signal } = pushing;
  const live = new Set((await unfinishedRuns(db)).map(({ conversationId }) => conversationId));
  const chats = (await chatsHere(db)).filter(({ id }) => !live.has(id));
  const file = createFile(pushing, false);
  for (const [index, conversation] of chats.entries()) {
    signal.throwIfAborted();
    tell(index, chats.length);
    const known = state.chats.get(conversation.id);
    const ids = [...(await idsHere(db, conversation.id))].filter((id) => !known?.ids.has(id));
    const isRenamed = known !== undefined && !isSameMeta(metaOf(conversation), known.meta);
    if (ids.length > 0 || isRenamed) await file.add(conversation, ids, isRenamed || !known);
  }
  if (state.unsent.size > 0) file.open();
  await file.flush();
}

/** Writes all that is known anew. */
export async function snapshot(pushing: Pushing): Promise<void> {
  const { db, state, signal } = pushing;
  for (const [id, marks] of state.marks) state.unsent.set(id, new Set(marks.keys()));
  const file = createFile(pushing, true);
  for (const conversation of await chatsHere(db)) {
    signal.throwIfAborted();
    const known = state.chats.get(conversation.id);
    if (known) await file.add(conversation, [...known.ids], true);
  }
  if (state.unsent.size > 0) file.open();
  await file.flush();
}

type Part = {
  conversation: Conversation;
  messages: string[];
  calls: string[];
  ids: string[];
  hasMeta: boolean;
};

/** The file that is being written: it is sent once it is full. */
function createFile({ db, store, key, state, states, fileSize = FILE }: Pushing, isSnapshot: boolean) {
  let parts: Part[] = [];
  let size = 0;
  let isOpen = false;

  async function flush(): Promise<void> {
    if (!isOpen) return;
    state.clock += 1;
    const name = entryName(state.clock, isSnapshot);
    await store.put(name, await seal(key, name, textOf()));
    state.seen.add(name);
    for (const { conversation, ids, hasMeta } of parts) {
      const known = state.chats.get(conversation.id) ?? {
        ids: new Set(),
        meta: metaToSend(conversation),
      };
      ids.forEach((id) => known.ids.add(id));
      if (hasMeta) known.meta = metaToSend(conversation);
      state.chats.set(conversation.id, known);
    }
    state.unsent.clear();
    await states.save(state);
    parts = [];
    size = 0;
    isOpen = false;
  }

  /** A snapshot repeats what is known; what changed since then is told by the next file. */
  function metaToSend(conversation: Conversation): DatedMeta {
    const before = state.chats.get(conversation.id)?.meta;
    return isSnapshot && before ? before : dated(metaOf(conversation), before, state.clock);
  }

  function textOf(): string {
    const chats = parts.map(({ conversation, messages, calls, hasMeta }) => {
      const meta = hasMeta ? `,"meta":${JSON.stringify(metaToSend(conversation))}` : '';
      return `{"conversation":${JSON.stringify(conversation)}${meta},"messages":[${messages.join(',')}],"toolCalls":[${calls.join(',')}]}`;
    });
    const marks = [...state.unsent].map(([chatId, ids]) => [
      chatId,
      [...ids].map((id) => [id, state.marks.get(chatId)?.get(id)]),
    ]);
    return `{"chats":[${chats.join(',')}],"marks":${JSON.stringify(marks)}}`;
  }

  const openPart = (conversation: Conversation, hasMeta: boolean): Part => {
    const part: Part = { conversation, messages: [], calls: [], ids: [], hasMeta };
    parts.push(part);
    isOpen = true;
    return part;
  };

  return {
    flush,
    /** Even one without a chat is to be sent. */
    open: () => void (isOpen = true),
    async add(conversation: Conversation, ids: string[], hasMeta: boolean): Promise<void> {
      if (size >= fileSize) await flush();
      let part: Part | undefined = hasMeta ? openPart(conversation, true) : undefined;
      const { order, answered } = await loadOrder(db, conversation.id, new Set(ids));
      for (const row of order) {
        if (!isWhole(row, answered)) {
          // Of one that is written anew the files that had it may go: it is told again.
          state.chats.get(conversation.id)?.ids.delete(row.id);
          continue;
        }
        // An import takes a message as it comes: results that come after it would never be taken.
        if (size >= fileSize && row.role !== 'tool') {
          await flush();
          part = undefined;
        }
        part ??= openPart(conversation, false);
        const text = JSON.stringify(row);
        const calls = (await callsOf(db, row)).map((call) => JSON.stringify({ ...call, task: undefined }));
        part.messages.push(text);
        part.calls.push(...calls);
        part.ids.push(row.id);
        size += text.length + calls.reduce((sum, { length }) => sum + length, 0);
      }
    },
  };
}

/**
 * `order`: the wanted messages by their places, each with its results behind it. `answered`: the messages that others follow, and
 * the calls that have results, as `parent.sub`.
 */
async function loadOrder(
  db: Database,
  chatId: string,
  wanted: ReadonlySet<string>,
): Promise<{ order: Message[]; answered: Set<string> }> {
  const rows = await db.getAllFromIndex('messages', 'by-place', everyMessage(chatId));
  const results = Map.groupBy(rows, ({ role, parentId }) => (role === 'tool' ? parentId : undefined));
  const order = results.get(undefined)?.flatMap((turn) => {
    const isWanted = wanted.has(turn.id);
    const own = results.get(turn.id)?.filter(({ id }) => isWanted || wanted.has(id)) ?? [];
    return isWanted ? [turn, ...own] : own;
  });
  const answered = rows.map(({ role, parentId, sub }) =>
    role === 'tool' ? `${parentId}.${sub}` : `${parentId}`,
  );
  return { order: order ?? [], answered: new Set(answered) };
}

/** What may still become another: an answer that streams in, or whose calls have no results and which nothing follows. */
function isWhole(row: Message, answered: ReadonlySet<string>): boolean {
  if (row.status === 'streaming') return false;
  const calls = row.role === 'assistant' ? (row.tool_calls ?? []) : [];
  return answered.has(row.id) || calls.every((_, position) => answered.has(`${row.id}.${position + 1}`));
}

const callsOf = async (db: Database, row: Message): Promise<ToolCall[]> =>
  row.role === 'assistant' && row.tool_calls
    ? db.getAllFromIndex('toolCalls', 'by-message', IDBKeyRange.bound([row.id], [row.id, []]))
    : [];
