import { settings } from '../../entrypoints/gallery/setups.ts';
import type { Commands } from '../../lib/protocol/commands.ts';
import { NEW_CHAT } from '../../lib/protocol/chats.ts';
import type {
  Announcement,
  ChatListEvent,
  ChatRows,
  PanelEvent,
  PanelRequest,
  Revision,
  Snapshot,
  SubscriptionEvent,
  TextAppend,
} from '../../lib/protocol/panel.ts';
import type { Setup } from '../../lib/protocol/setup.ts';
import type { WorkerLink } from '../../lib/state/panel-port.ts';
import type { AssistantMessage, UserMessage } from '../../lib/types/message.ts';
import { idle, type Run } from '../../lib/types/run.ts';
import type { Conversation, ServerStatus } from '../../lib/types/setup.ts';

type Sent = { command: keyof Commands; request: unknown };
type Port = {
  request: PanelRequest;
  isClosed: boolean;
  say: (event: PanelEvent) => void;
  drop: () => void;
};

/** What a worker says, without the numbers that it puts on it. */
export type Said =
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'rows'; rows: ChatRows }
  | Omit<TextAppend, 'subscription'>
  | { type: 'setup'; setup: Setup }
  | { type: 'server_status'; serverId: number; status: ServerStatus }
  | ChatListEvent
  | Exclude<PanelEvent, SubscriptionEvent | { revision: Revision }>;

/**
 * A worker at its seam: says what the test says, numbered as a worker numbers it, and remembers what it was asked.
 * `sayPlain` numbers nothing.
 */
export function fakeWorker(): {
  link: WorkerLink;
  sent: Sent[];
  requests: PanelRequest[];
  ports: Port[];
  say: (event: Said) => void;
  sayPlain: (event: PanelEvent) => void;
  /** Tells all pages of a revision, whether their ports are up or not. */
  announce: (announcement: Announcement) => void;
  drop: () => void;
  answer: Partial<{ [K in keyof Commands]: () => unknown }>;
} {
  const sent: Sent[] = [];
  const requests: PanelRequest[] = [];
  const ports: Port[] = [];
  const listeners: ((announcement: Announcement) => void)[] = [];
  const answer: Partial<{ [K in keyof Commands]: () => unknown }> = {
    nextIntent: () => null,
  };
  const last = (): Port => {
    const port = ports.at(-1);
    if (!port) throw new Error('no port is open');
    return port;
  };
  const link: WorkerLink = {
    send: (async (command: keyof Commands, request: unknown) => {
      sent.push({ command, request });
      return answer[command]?.();
    }) as WorkerLink['send'],
    open: (request, handlers) => {
      requests.push(request);
      const port = { request, isClosed: false, say: handlers.event, drop: handlers.dropped };
      ports.push(port);
      return { send: (next) => void requests.push(next), close: () => (port.isClosed = true) };
    },
    announcements: (heard) => listeners.push(heard),
  };
  const numbers = { chat: 0, setup: 0, chats: 0 };
  const next = (of: keyof typeof numbers): Revision => ({ epoch: EPOCH, number: (numbers[of] += 1) });
  function numbered(event: Said): PanelEvent {
    const request = requests.findLast(({ type }) => type === 'subscribe');
    const subscription = request?.type === 'subscribe' ? request.subscription : 0;
    switch (event.type) {
      case 'snapshot': {
        const conversationId = event.snapshot.conversation?.id ?? NEW_CHAT;
        return { ...event, subscription, conversationId, revision: { epoch: EPOCH, number: numbers.chat } };
      }
      case 'rows': {
        const { number: to } = next('chat');
        return { type: 'change', subscription, from: to - 1, to, rows: event.rows };
      }
      case 'append':
        return { ...event, subscription };
      case 'setup':
      case 'server_status':
        return { ...event, revision: next('setup') };
      case 'conversation':
      case 'conversations_gone':
      case 'conversation_state':
        return { ...event, revision: next('chats') };
      default:
        return event;
    }
  }
  return {
    link,
    sent,
    requests,
    ports,
    answer,
    say: (event) => last().say(numbered(event)),
    sayPlain: (event) => last().say(event),
    announce: (announcement) => listeners.forEach((heard) => heard(announcement)),
    drop: () => last().drop(),
  };
}

export const EPOCH = 'e1';

/** Frames that are painted when the test says so. */
export function manualFrames(): {
  nextFrame: (paint: () => void) => void;
  paint: () => void;
  asked: () => number;
} {
  const waiting: (() => void)[] = [];
  let asked = 0;
  return {
    nextFrame: (paint) => {
      asked += 1;
      waiting.push(paint);
    },
    paint: () => {
      for (const paint of waiting.splice(0)) paint();
    },
    asked: () => asked,
  };
}

/** Ids in the order they were asked for: id1, id2. */
export function countingIds(): () => string {
  let count = 0;
  return () => `id${(count += 1)}`;
}

export const conversation: Conversation = {
  id: 'c1',
  title: 'A chat',
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  leafId: null,
  providerId: null,
  model: null,
  settings: {},
};

const base = { conversationId: 'c1', parentId: null, sub: 0, timestamp: '2026-11-21T10:00:00.000Z' };

export const user = (seq: number, content = 'Question'): UserMessage => ({
  ...base,
  id: `u${seq}`,
  seq,
  status: 'complete',
  role: 'user',
  content,
});

export const assistant = (seq: number, more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  ...base,
  id: `a${seq}`,
  seq,
  status: 'complete',
  role: 'assistant',
  runId: 'r1',
  content: 'Answer',
  ...more,
});

export const run = (more: Partial<Run> = {}): Run => ({
  id: 'r1',
  conversationId: 'c1',
  status: 'working',
  leafId: null,
  iteration: 1,
  resumes: 0,
  progressAt: '2026-11-21T10:00:00.000Z',
  startedAt: '2026-11-21T10:00:00.000Z',
  ...more,
});

/** A message that waits behind the run. */
export const queued = (text: string, more: { id?: string; order?: number; steer?: boolean } = {}): Run => {
  const { id = 'r2', order = 0, steer = false } = more;
  return run({ id, status: 'queued', queued: { id: `m-${id}`, text, order, steer } });
};

export const snapshot = (more: Partial<Snapshot> = {}): Said => ({
  type: 'snapshot',
  snapshot: {
    conversation,
    messages: [],
    hasOlder: false,
    versions: {},
    toolCalls: [],
    runs: [],
    draft: '',
    attachments: [],
    requests: [],
    activity: idle,
    ...more,
  },
});

export const rows = (changed: ChatRows): Said => ({ type: 'rows', rows: changed });

/** A piece of the message `a2`. */
export const append = (text: string, at: number, part: TextAppend['part'] = 'text'): Said => ({
  type: 'append',
  messageId: 'a2',
  part,
  at,
  text,
});

export const setup: Setup = {
  servers: [],
  statuses: {},
  tools: [],
  providers: [],
  models: [],
  assistants: [],
  prompts: [],
  newChat: { providerId: null, model: null, settings: {} },
  settings,
};
