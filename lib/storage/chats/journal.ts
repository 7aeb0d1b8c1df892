import type { IDBPTransaction } from 'idb';
import type { Request } from '../../protocol/commands.ts';
import { isDraftOf, type Message } from '../../types/message.ts';
import type { Run } from '../../types/run.ts';
import type { ChatChange, Conversation } from '../../types/conversation.ts';
import type { ToolCall } from '../../types/tools/tool-call.ts';
import type { DraftAttachment } from './attachments.ts';
import type { Database, Schema } from '../schema.ts';
import { changeNewChat } from '../configuration/new-chat.ts';
import { noteChanged } from '../search/index.ts';

/** Rows that belong together: either all of them are written, or none. */
export type JournalEntry = {
  conversation?: Conversation;
  message?: Message;
  messages?: Message[];
  /** Ids of messages that are removed. */
  withdrawn?: string[];
  /** The conversation shows another branch from now on, or what stands beside its messages changed. */
  isElsewhere?: boolean;
  run?: Run;
  runs?: Run[];
  calls?: ToolCall[];
  /** Ids of calls whose rows make room for these; a page that shows them keeps them until it reads the chat anew. */
  forgotten?: string[];
  /** The conversation's unsent text from now on; an empty one is removed. */
  draft?: { conversationId: string; text: string };
  /** Ids of drafts' attachments that are removed: they go with a message now. */
  attached?: string[];
  /** Attachments that are a draft's again: the message that they went with is not sent. */
  returned?: DraftAttachment[];
  /** What changes in how the next new chat is asked. */
  newChat?: ChatChange;
};

/**
 * Writes an entry in one transaction and waits until it is complete. The run's order of writes (architecture.md, "The
 * run") is made of these: {user message, run}, {assistant message, ledger rows}, {result, ledger row}.
 */
export async function writeEntry(db: Database, entry: JournalEntry): Promise<void> {
  const stores = storesOf(entry);
  if (stores.length > 0) await putEntry(db.transaction(stores, 'readwrite'), entry);
}

/**
 * A draft as a page has it. Once it was sent, only what went with that is removed: the run may have been taken back into
 * the draft since, or another window have left one of its own.
 */
export async function saveDraft(
  db: Database,
  { sent, returned, ...draft }: Request<'saveDraft'>,
): Promise<void> {
  const tx = db.transaction(['drafts', 'runs'], 'readwrite');
  const stored = (await tx.objectStore('drafts').get(draft.conversationId)) ?? '';
  if (returned && !draft.text.startsWith(stored))
    draft.text = stored.startsWith(draft.text) ? stored : `${draft.text}\n${stored}`;
  if (sent && draft.text === '') {
    const isBack = (await tx.objectStore('runs').get(sent.runId))?.unsent;
    if (isBack || !isDraftOf(sent, stored)) return;
  }
  await putEntry(tx, { draft });
}

/** Writes an entry in a transaction that covers its stores and does nothing else any more, and waits until it is complete. */
export async function putEntry(
  tx: IDBPTransaction<Schema, Written[], 'readwrite'>,
  entry: JournalEntry,
): Promise<void> {
  const searched = searchedIn(entry);
  const writes: Promise<unknown>[] = [tx.done];
  if (entry.conversation) writes.push(tx.objectStore('conversations').put(entry.conversation));
  if (entry.message) writes.push(tx.objectStore('messages').put(entry.message));
  for (const message of entry.messages ?? []) writes.push(tx.objectStore('messages').put(message));
  for (const id of entry.withdrawn ?? []) writes.push(tx.objectStore('messages').delete(id));
  if (entry.run) writes.push(tx.objectStore('runs').put(entry.run));
  for (const run of entry.runs ?? []) writes.push(tx.objectStore('runs').put(run));
  for (const call of entry.calls ?? []) writes.push(tx.objectStore('toolCalls').put(call));
  for (const id of entry.forgotten ?? []) writes.push(tx.objectStore('toolCalls').delete(id));
  if (entry.draft) {
    const { conversationId, text } = entry.draft;
    const drafts = tx.objectStore('drafts');
    writes.push(text === '' ? drafts.delete(conversationId) : drafts.put(text, conversationId));
  }
  for (const id of entry.attached ?? []) writes.push(tx.objectStore('attachments').delete(id));
  for (const row of entry.returned ?? []) writes.push(tx.objectStore('attachments').put(row));
  if (entry.newChat) writes.push(changeNewChat(tx.objectStore('settings'), entry.newChat));
  if (searched) writes.push(noteChanged(tx.objectStore('unindexed'), searched.conversationId, searched.ids));
  // All writes are asked for, unless something is read first.
  if (!entry.newChat) tx.commit();
  await Promise.all(writes);
}

export type Written =
  | 'conversations'
  | 'messages'
  | 'runs'
  | 'toolCalls'
  | 'drafts'
  | 'attachments'
  | 'settings'
  | 'unindexed';

/** The stores that the entry changes and no others: reads of the other stores need not wait for its transaction. */
function storesOf(entry: JournalEntry): Written[] {
  const { message, messages, withdrawn, run, runs, attached, returned } = entry;
  const any = (rows: unknown[] | undefined): boolean => rows !== undefined && rows.length > 0;
  const changed: Record<Written, boolean> = {
    conversations: entry.conversation !== undefined,
    messages: message !== undefined || any(messages) || any(withdrawn),
    runs: run !== undefined || any(runs),
    toolCalls: any(entry.calls),
    drafts: entry.draft !== undefined,
    attachments: any(attached) || any(returned),
    settings: entry.newChat !== undefined,
    unindexed: searchedIn(entry) !== undefined,
  };
  return (Object.keys(changed) as Written[]).filter((store) => changed[store]);
}

/** What the search has to index again; a message that streams in follows once it is whole. */
function searchedIn({ conversation, message, messages = [], withdrawn = [] }: JournalEntry) {
  const written = [...(message ? [message] : []), ...messages].filter(({ status }) => status !== 'streaming');
  const conversationId = conversation?.id ?? message?.conversationId ?? messages[0]?.conversationId;
  const ids = [...(conversation ? [conversation.id] : []), ...written.map(({ id }) => id), ...withdrawn];
  return conversationId !== undefined && ids.length > 0 ? { conversationId, ids } : undefined;
}
