import { settings } from '../../entrypoints/gallery/setups.ts';
import { NEW_CHAT } from '../../lib/protocol/chats.ts';
import type { Commands } from '../../lib/protocol/commands.ts';
import {
  type Announcement,
  type ChatRows,
  emptySnapshot,
  type PanelEvent,
  type PanelRequest,
  type Revision,
  type Snapshot,
  type TextAppend,
} from '../../lib/protocol/panel.ts';
import type { Setup } from '../../lib/protocol/setup.ts';
import type { WorkerLink } from '../../lib/state/panel-port.ts';
import type { AssistantMessage, UserMessage } from '../../lib/types/message.ts';
import type { Run } from '../../lib/types/run.ts';
import type { Conversation } from '../../lib/types/conversation.ts';

type Sent = { command: keyof Commands; request: unknown };
type Port = {
  request: PanelRequest;
  say: (event: PanelEvent) => void;
  drop: () => void;
  /** The page closed it. */
  isClosed: boolean;
};

type Numbered = 'subscription' | 'revision' | 'from' | 'to';
type Loose<E> = E extends unknown ? Omit<E, Numbered> & Partial<Pick<E, Numbered & keyof E>> : never;
/** What a worker says; what the test leaves out of its numbers is the next one. */
export type Said = Loose<PanelEvent>;
type Of<T extends Said['type']> = Extract<Said, { type: T }>;

export const EPOCH = 'e1';
/** A revision of the fake worker. */
export const at = (number: number, epoch = EPOCH): Revision => ({ epoch, number });

/** A worker at its seam: says what the test says, remembers what it was asked. */
export function fakeWorker(): {
  link: WorkerLink;
  sent: Sent[];
  requests: PanelRequest[];
  ports: Port[];
  say: (event: Said) => void;
  drop: () => void;
  announce: (announcement: Announcement) => void;
  answer: Partial<{ [K in keyof Commands]: () => unknown }>;
} {
  const sent: Sent[] = [];
  const requests: PanelRequest[] = [];
  const ports: Port[] = [];
  const listeners: ((announcement: Announcement) => void)[] = [];
  const numbers = createNumbers();
  const answer: Partial<{ [K in keyof Commands]: () => unknown }> = {
    nextIntent: () => null,
  };
  const last = (): Port => {
    const port = ports.at(-1);
    if (!port) throw new Error('no port is open');
    return port;
  };
  const take = (request: PanelRequest): void => {
    requests.push(request);
    numbers.take(request);
  };
  const link: WorkerLink = {
    send: (async (command: keyof Commands, request: unknown) => {
      sent.push({ command, request });
      return answer[command]?.();
    }) as WorkerLink['send'],
    open: (request, handlers) => {
      take(request);
      const port: Port = { request, say: handlers.event, drop: handlers.dropped, isClosed: false };
      ports.push(port);
      return { send: take, close: () => void (port.isClosed = true) };
    },
    announcements: (heard) => void listeners.push(heard),
  };
  return {
    link,
    sent,
    requests,
    ports,
    answer,
    say: (said) => numbers.of(said).forEach(last().say),
    drop: () => last().drop(),
    announce: (announcement) => listeners.forEach((heard) => heard(announcement)),
  };
}

/** What a real worker numbers: of the conversation that was subscribed to last, the configuration and the list of chats. */
function createNumbers() {
  let [subscription, shown, configured, listed] = [0, 0, 0, 0];
  return {
    take(request: PanelRequest): void {
      if (request.type !== 'subscribe') return;
      ({ subscription } = request);
      shown = request.have?.number ?? shown;
    },
    of(said: Said): PanelEvent[] {
      switch (said.type) {
        case 'snapshot': {
          const revision = said.revision ?? at(shown);
          shown = revision.number;
          const mine = said.subscription ?? subscription;
          return [
            { ...said, subscription: mine, revision },
            { type: 'revision', subscription: mine, revision },
          ];
        }
        case 'change': {
          const from = said.from ?? shown;
          shown = said.to ?? from + 1;
          return [{ subscription, ...said, from, to: shown }];
        }
        case 'append':
          return [{ subscription, ...said }];
        case 'revision':
          return [{ subscription, revision: at(shown), ...said }];
        case 'setup':
        case 'server_status':
          configured = said.revision?.number ?? configured + 1;
          return [{ revision: at(configured), ...said }];
        case 'chats':
        case 'conversation':
        case 'conversations_gone':
        case 'conversation_state':
          listed = said.revision?.number ?? listed + 1;
          return [{ revision: at(listed), ...said }];
        default:
          return [said];
      }
    },
  };
}

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

/** What a page is told first, and whenever changes do not say it. */
export const snapshot = (more: Partial<Snapshot> = {}): Of<'snapshot'> => {
  const whole: Snapshot = { ...emptySnapshot, conversation, ...more };
  return { type: 'snapshot', conversationId: whole.conversation?.id ?? NEW_CHAT, snapshot: whole };
};

/** The next revision: these rows changed. */
export const rows = (changed: ChatRows): Of<'change'> => ({ type: 'change', rows: changed });

/** Text of the answer `a2`, at its offset in what came before. */
export const append = (text: string, offset = 0, part: TextAppend['part'] = 'text'): Of<'append'> => ({
  type: 'append',
  messageId: 'a2',
  part,
  at: offset,
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
  projects: [],
  notes: [],
  schedules: [],
  newChat: { providerId: null, model: null, settings: {} },
  settings,
};
