import type { ChatRows } from '../protocol/panel.ts';
import type { JournalEntry } from '../storage/chats/journal.ts';
import type { RunStore } from '../storage/chats/run-store.ts';
import { tellAttachments } from './attachments.ts';
import { atItsStep, type Context } from './context.ts';
import { callsForPanel, messagesForPanel, runForPanel } from './panel-view.ts';

/**
 * The store, with every entry told to those who show its conversation once it is committed. Nothing else tells of rows,
 * so that what pages show cannot be other than what the database holds.
 */
export function recordingStore(store: RunStore, context: Context): RunStore {
  return {
    ...store,
    async write(entry) {
      await store.write(entry);
      committed(context, entry);
    },
    async begin(runId, conversationId, entryFor, at) {
      let entry: JournalEntry | undefined;
      const plan: typeof entryFor = (before) => (entry = entryFor(before));
      const found = await store.begin(runId, conversationId, plan, at);
      if (entry) committed(context, entry);
      return found;
    },
  };
}

function committed(context: Context, entry: JournalEntry): void {
  const { feed, deps } = context;
  const { conversation } = entry;
  const id = conversationOf(entry);
  if (id === undefined) return;
  const rows = rowsOf(context, entry);
  if (entry.isElsewhere || conversation?.deletedAt !== undefined) feed.reset(id);
  else if (Object.keys(rows).length > 0) feed.changed(id, rows);
  if (conversation && conversation.deletedAt === undefined)
    deps.sendToAll({ type: 'conversation', conversation });
  if (entry.attached?.length || entry.returned?.length) tellAttachments(context, id);
}

function conversationOf({
  conversation,
  message,
  messages,
  run,
  runs,
  calls,
}: JournalEntry): string | undefined {
  return conversation?.id ?? (message ?? messages?.[0] ?? run ?? runs?.[0] ?? calls?.[0])?.conversationId;
}

function rowsOf(
  context: Context,
  { conversation, message, messages = [], run, runs = [], calls = [] }: JournalEntry,
) {
  // What streams in is told piece by piece, not whole again with every row that is written of it.
  const written = [...(message ? [message] : []), ...messages].filter(({ status }) => status !== 'streaming');
  const changed = [...(run ? [run] : []), ...runs];
  const rows: ChatRows = {
    ...(conversation && { conversation }),
    ...(written.length > 0 && { messages: messagesForPanel(written) }),
    ...(changed.length > 0 && { runs: changed.map((each) => runForPanel(atItsStep(context, each))) }),
    ...(calls.length > 0 && { toolCalls: callsForPanel(calls) }),
  };
  return rows;
}
