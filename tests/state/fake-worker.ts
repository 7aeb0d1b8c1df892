import { settings } from '../../entrypoints/gallery/setups.ts';
import type { Commands } from '../../lib/protocol/commands.ts';
import type { PanelEvent, PanelRequest, Snapshot } from '../../lib/protocol/panel.ts';
import type { Setup } from '../../lib/protocol/setup.ts';
import type { WorkerLink } from '../../lib/state/connection.ts';
import type { AssistantMessage, UserMessage } from '../../lib/types/message.ts';
import type { Run, RunEvent } from '../../lib/types/run.ts';
import type { Conversation } from '../../lib/types/setup.ts';

type Sent = { command: keyof Commands; request: unknown };
type Port = { request: PanelRequest; say: (event: PanelEvent) => void; drop: () => void };

/** A worker at its seam: says what the test says, remembers what it was asked. */
export function fakeWorker(): {
  link: WorkerLink;
  sent: Sent[];
  requests: PanelRequest[];
  ports: Port[];
  say: (event: PanelEvent) => void;
  drop: () => void;
  answer: Partial<{ [K in keyof Commands]: () => unknown }>;
} {
  const sent: Sent[] = [];
  const requests: PanelRequest[] = [];
  const ports: Port[] = [];
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
      ports.push({ request, say: handlers.event, drop: handlers.dropped });
      return { send: (next) => void requests.push(next) };
    },
  };
  return {
    link,
    sent,
    requests,
    ports,
    answer,
    say: (event) => last().say(event),
    drop: () => last().drop(),
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

export const snapshot = (more: Partial<Snapshot> = {}): PanelEvent => ({
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
    ...more,
  },
});

export const runEvent = (event: RunEvent, conversationId = 'c1'): PanelEvent => ({
  type: 'run',
  conversationId,
  runId: 'r1',
  event,
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
