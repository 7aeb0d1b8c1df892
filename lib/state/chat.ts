import type { Commands } from '../protocol/commands.ts';
import type { PanelEvent, Snapshot } from '../protocol/panel.ts';
import type { AttachmentSummary } from '../types/attachment.ts';
import type { AssistantMessage, Message, Versions } from '../types/message.ts';
import type { ServerRequest } from '../types/request.ts';
import type { Retry, Run, RunEvent } from '../types/run.ts';
import type { Conversation } from '../types/setup.ts';
import type { ToolCall } from '../types/tool.ts';
import { reduceCalls, type CallProgress } from './calls.ts';

/** One conversation as a panel draws it. Immutable: what did not change keeps its identity. */
export type Chat = {
  conversation: Conversation | null;
  /** By `seq`, then `sub`. The text of a `streaming` one lives in its stream (streams.ts), not here. */
  messages: Message[];
  hasOlder: boolean;
  /** What else could stand in a message's place, by its id; only where there is more than one. */
  versions: Record<string, Versions>;
  /** Ledger rows by callId. */
  calls: Record<string, ToolCall>;
  progress: Record<string, CallProgress>;
  /** Oldest first. */
  runs: Run[];
  /** The allowance of the latest iteration seen; null before one began on this page. */
  maxIterations: number | null;
  /** The answer that is begun again and has said nothing new yet: what came of it before stays until then. */
  begunAgain: string | null;
  /** The model is writing a summary of the older part. */
  summarising: boolean;
  /** What goes with the next message. */
  attachments: AttachmentSummary[];
  /** What servers wait for the person to answer, oldest first. */
  requests: ServerRequest[];
};

export const emptyChat: Chat = {
  conversation: null,
  messages: [],
  hasOlder: false,
  versions: {},
  calls: {},
  progress: {},
  runs: [],
  maxIterations: null,
  begunAgain: null,
  summarising: false,
  attachments: [],
  requests: [],
};

const byOrder = (a: Message, b: Message): number => a.seq - b.seq || a.sub - b.sub;
const byId = (calls: ToolCall[]): Record<string, ToolCall> =>
  Object.fromEntries(calls.map((call) => [call.callId, call]));

type OlderMessages = ReturnType<Commands['olderMessages']>;

/** A snapshot is the whole truth: nothing of an earlier chat stays. */
export function chatFrom(snapshot: Snapshot): Chat {
  return {
    ...emptyChat,
    conversation: snapshot.conversation,
    messages: snapshot.messages.toSorted(byOrder),
    hasOlder: snapshot.hasOlder,
    versions: snapshot.versions,
    calls: byId(snapshot.toolCalls),
    runs: snapshot.runs,
    attachments: snapshot.attachments,
    requests: snapshot.requests,
  };
}

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

export function withMessage(chat: Chat, message: Message): Chat {
  const others = chat.messages.filter((other) => other.id !== message.id);
  return { ...chat, messages: [...others, message].toSorted(byOrder) };
}

/** A queued run that ends never began: it leaves no trace. */
function withRun(chat: Chat, run: Run): Chat {
  const before = chat.runs.find((other) => other.id === run.id);
  if (before?.status === 'queued' && run.status === 'ended') {
    return { ...chat, runs: chat.runs.filter((other) => other.id !== run.id) };
  }
  const runs = before ? chat.runs.map((other) => (other.id === run.id ? run : other)) : [...chat.runs, run];
  return { ...chat, runs };
}

const withoutRequest = ({ requests }: Chat, id: string): ServerRequest[] =>
  requests.filter((request) => request.id !== id);

/** Applies one event about this conversation. `now` is ISO 8601, for what the event itself does not date. */
export function reduceChat(chat: Chat, event: PanelEvent, now: string): Chat {
  switch (event.type) {
    case 'snapshot':
      return chatFrom(event.snapshot);
    case 'message':
      return withMessage(chat, event.message);
    case 'run_changed':
      return withRun(chat, event.run);
    case 'conversation':
      return { ...chat, conversation: event.conversation };
    case 'attachments':
      return { ...chat, attachments: event.attachments };
    case 'server_request':
      return { ...chat, requests: [...withoutRequest(chat, event.request.id), event.request] };
    case 'server_request_end':
      return { ...chat, requests: withoutRequest(chat, event.requestId) };
    case 'run':
      return reduceRun(chat, event, now);
    default:
      return chat;
  }
}

/** The conversation an event is about; null when it is about none. */
export function conversationOf(event: PanelEvent): string | null {
  switch (event.type) {
    case 'run':
    case 'unsent':
    case 'attachments':
    case 'server_request_end':
      return event.conversationId;
    case 'server_request':
      return event.request.conversationId;
    case 'message':
      return event.message.conversationId;
    case 'run_changed':
      return event.run.conversationId;
    case 'conversation':
      return event.conversation.id;
    default:
      return null;
  }
}

type RunOfChat = Extract<PanelEvent, { type: 'run' }>;

function reduceRun(chat: Chat, { conversationId, runId, event }: RunOfChat, now: string): Chat {
  const run = chat.runs.find((other) => other.id === runId) ?? newRun(conversationId, runId, now);
  switch (event.type) {
    case 'run_start':
      return withRun(chat, { ...run, status: 'working' });
    case 'iteration_start': {
      const begun = { ...settled(run), status: 'working' as const, iteration: event.iteration };
      const working = { ...withRun(chat, begun), summarising: false };
      const { messageId, maxIterations } = event;
      const again = chat.messages.some((message) => message.id === messageId);
      const placed = again ? working : withMessage(working, begin(chat, run, messageId, now));
      return { ...placed, maxIterations, begunAgain: again ? messageId : null };
    }
    case 'retry_scheduled':
      return withRun(chat, { ...run, retry: retryOf(event, now) });
    case 'steered':
      return withMessage(chat, event.message);
    case 'summary_start':
      return { ...chat, summarising: true };
    case 'summary_end':
      return { ...withMessage(chat, event.message), summarising: false };
    case 'text_delta':
    case 'reasoning_delta':
    case 'call_delta': {
      const before = chat.messages.findLast((message) => message.id === event.messageId);
      if (before?.status === 'streaming' && chat.begunAgain !== event.messageId) return chat;
      return { ...withMessage(chat, begin(chat, run, event.messageId, now)), begunAgain: null };
    }
    case 'message_end':
      return { ...withMessage(chat, event.message), calls: { ...chat.calls, ...byId(event.calls) } };
    case 'call_progress':
      return { ...chat, progress: { ...chat.progress, [event.callId]: progressOf(event) } };
    case 'run_end': {
      const { reason, error } = event;
      const ended = { ...settled(run), status: 'ended' as const, reason, ...(error && { error }) };
      return { ...withRun(chat, ended), summarising: false };
    }
    default: {
      const calls = reduceCalls(chat.calls, event, { conversationId, runId, messages: chat.messages, now });
      return calls === chat.calls ? chat : { ...chat, calls };
    }
  }
}

/** The message that is about to stream, where the worker puts it; one that is begun again stays in its old place. */
function begin(chat: Chat, run: Run, messageId: string, now: string): AssistantMessage {
  const before = chat.messages.find((message) => message.id === messageId);
  const leaf = chat.messages.findLast((message) => message.role !== 'tool');
  return {
    id: messageId,
    conversationId: run.conversationId,
    parentId: before?.parentId ?? leaf?.id ?? null,
    seq: before?.seq ?? (leaf?.seq ?? -1) + 1,
    sub: 0,
    timestamp: now,
    status: 'streaming',
    content: '',
    role: 'assistant',
    runId: run.id,
    ...(before?.role === 'assistant' && before.pickedUpAt !== undefined && { pickedUpAt: before.pickedUpAt }),
  };
}

/** The run without the retry that it waited for. */
function settled({ retry: _made, ...run }: Run): Run {
  return run;
}

function retryOf(event: Extract<RunEvent, { type: 'retry_scheduled' }>, now: string): Retry {
  const { attempt, of, delayMs, error } = event;
  return { attempt, of, at: new Date(Date.parse(now) + delayMs).toISOString(), error };
}

function newRun(conversationId: string, id: string, now: string): Run {
  return {
    id,
    conversationId,
    status: 'working',
    leafId: null,
    iteration: 0,
    resumes: 0,
    progressAt: now,
    startedAt: now,
  };
}

function progressOf(event: Extract<RunEvent, { type: 'call_progress' }>): CallProgress {
  const { type: _type, callId: _callId, ...progress } = event;
  return progress;
}
