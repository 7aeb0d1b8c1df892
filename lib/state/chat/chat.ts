import type { Reply } from '../../protocol/commands.ts';
import { type ChatRows, emptySnapshot, type Snapshot } from '../../protocol/panel.ts';
import type { Message } from '../../types/message.ts';
import type { Activity, Run } from '../../types/run.ts';
import type { ToolCall } from '../../types/tools/tool-call.ts';
import type { Conversation } from '../../types/conversation.ts';

/** One conversation as a panel draws it. Immutable: what did not change keeps its identity. */
export type Chat = Activity &
  Omit<Snapshot, 'activity' | 'draft' | 'toolCalls'> & {
    /** By `seq`, then `sub`. The text of a `streaming` one lives in its stream (streams.ts), not here. */
    messages: Message[];
    /** Ledger rows by callId. */
    calls: Record<string, ToolCall>;
  };

const byOrder = (a: Message, b: Message): number => a.seq - b.seq || a.sub - b.sub;
const byId = (calls: ToolCall[]): Record<string, ToolCall> =>
  Object.fromEntries(calls.map((call) => [call.callId, call]));

type OlderMessages = Reply<'olderMessages'>;

/** A snapshot is the whole truth: nothing of an earlier chat stays. */
export function chatFrom({ activity, draft: _draft, toolCalls, ...told }: Snapshot): Chat {
  return {
    ...told,
    ...activity,
    messages: told.messages.toSorted(byOrder),
    calls: byId(toolCalls),
    runs: told.runs.reduce(withRun, []),
  };
}

export const emptyChat = chatFrom(emptySnapshot);

export function withOlder(chat: Chat, older: OlderMessages): Chat {
  const known = new Set(chat.messages.map((message) => message.id));
  const fresh = older.messages.filter((message) => !known.has(message.id));
  return {
    ...chat,
    messages: [...fresh, ...chat.messages].toSorted(byOrder),
    calls: { ...byId(older.toolCalls), ...chat.calls },
    versions: { ...older.versions, ...chat.versions },
    hasOlder: older.hasOlder,
  };
}

/** Where a chat that goes on has more messages on the page than a snapshot brings, so many stay. */
const MOST = 50;
const KEPT = 30;

/**
 * The chat without what is far above its end, as far as whole turns go; it comes again like all earlier messages. So a
 * chat that goes on for long costs the page no more than one that was just opened.
 */
export function withoutEarlier(chat: Chat): Chat {
  const { messages } = chat;
  const from = messages.findLastIndex(({ role }, at) => role === 'user' && at <= messages.length - KEPT);
  if (messages.length <= MOST || from <= 0) return chat;
  const gone = new Set(messages.slice(0, from).map(({ id }) => id));
  return {
    ...chat,
    messages: messages.slice(from),
    hasOlder: true,
    calls: byId(Object.values(chat.calls).filter(({ messageId }) => !gone.has(messageId))),
    runs: chat.runs.filter(({ status, leafId }) => status !== 'ended' || !gone.has(leafId ?? '')),
  };
}

/** The chat with the rows that changed in the places of those that have their ids. */
export function withRows(chat: Chat, rows: ChatRows): Chat {
  const {
    conversation,
    messages,
    toolCalls,
    runs,
    versions,
    removed,
    attachments,
    requests,
    tabs,
    activity,
  } = rows;
  return {
    ...chat,
    ...(conversation && { conversation }),
    ...((messages || removed) && { messages: withMessages(chat.messages, messages ?? [], removed ?? []) }),
    ...(toolCalls && { calls: { ...chat.calls, ...byId(toolCalls) } }),
    ...(runs && { runs: runs.reduce(withRun, chat.runs) }),
    ...(versions && { versions: { ...chat.versions, ...versions } }),
    ...(attachments && { attachments }),
    ...(requests && { requests }),
    ...(tabs && { tabs }),
    ...activity,
  };
}

function withMessages(before: Message[], changed: Message[], removed: string[]): Message[] {
  const others = new Set([...changed.map(({ id }) => id), ...removed]);
  return [...before.filter(({ id }) => !others.has(id)), ...changed].toSorted(byOrder);
}

/** A queued run that ends never began: it leaves no trace. One that begins stands before those that are queued still. */
function withRun(before: Run[], run: Run): Run[] {
  if (run.status === 'ended' && run.queued) return before.filter(({ id }) => id !== run.id);
  const known = before.find(({ id }) => id === run.id);
  if (known && !known.queued === !run.queued)
    return before.map((other) => (other.id === run.id ? run : other));
  const others = before.filter(({ id }) => id !== run.id);
  if (run.queued) return [...others, run];
  return [...others.filter(({ queued }) => !queued), run, ...others.filter(({ queued }) => queued)];
}

/** A chat of which nothing but its id is known, until its snapshot comes. */
export const unread = (id: string, title = ''): Conversation => ({
  id,
  title,
  createdAt: '',
  updatedAt: '',
  leafId: null,
  providerId: null,
  model: null,
  settings: {},
});
