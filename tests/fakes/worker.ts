import type { ChatListEvent, ChatRows, Snapshot } from '../../lib/protocol/panel.ts';
import type { Happening, RunDeps } from '../../lib/runs/deps.ts';
import type { Update } from '../../lib/runs/feed.ts';
import { createRuns, type Runs } from '../../lib/runs/runs.ts';
import { type Chat, chatFrom, emptyChat, withRows } from '../../lib/state/chat/chat.ts';
import { createRunStore, type RunStore } from '../../lib/storage/chats/run-store.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { isRepeatable } from '../../lib/trust/tool-permission.ts';
import type { AttachmentSummary } from '../../lib/types/attachment.ts';
import type { Message } from '../../lib/types/message.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import type { Run, RunEvent } from '../../lib/types/run.ts';
import type { Permission } from '../../lib/types/tools/approval.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { aborted, prepared } from './scripted-model.ts';
import { NOW, offered } from './rows.ts';

export type WorkerOptions = {
  db: Database;
  model: StreamModel;
  callTool?: CallTool;
  permission?: Permission | ((call: ToolCall) => Promise<Permission>);
  judge?: RunDeps['judge'];
  grant?: RunDeps['grant'];
  forbid?: RunDeps['forbid'];
  definitionOf?: RunDeps['definitionOf'];
  taintOf?: RunDeps['taintOf'];
  checkArguments?: RunDeps['checkArguments'];
  openPrivately?: RunDeps['openPrivately'];
  now?: () => number;
  /** How a request that is made again is waited for; at once unless told. */
  wait?: RunDeps['wait'];
  /** Tokens that the model reads and writes. */
  contextWindow?: number;
  maxIterations?: number;
  /** Instead of the model and the two tools at once. */
  prepare?: RunDeps['prepare'];
  answered?: RunDeps['answered'];
  /** Whether a page has subscribed to what happens; true unless told. */
  isSubscribed?: boolean;
  /** Stands between the runs and the database. */
  store?: (store: RunStore) => RunStore;
};

/** `note` changes something, `look` only reads. */
const tools = [offered('note'), offered('look', { readOnlyHint: true, openWorldHint: false })];

export const succeed: CallTool = async ({ toolName }, _args, { started }) => {
  await started();
  return { status: 'success', result: { text: `${toolName} done`, isError: false } };
};

/** A call that begins and never ends by itself. */
export const hang: CallTool = async (_call, _args, { started, signal }) => {
  await started();
  await aborted(signal);
  return { status: 'cancelled', result: { text: 'Cancelled.', isError: true } };
};

/** What happened, in order: what subscribers were told, a row each, and the runs' events. */
export type Told =
  | ChatListEvent
  /** The conversation shows other messages: its subscribers get this. */
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'append'; update: Extract<Update, { type: 'append' }> }
  | { type: 'message'; message: Message }
  | { type: 'run_changed'; run: Run }
  | { type: 'requests'; conversationId: string; requests: ServerRequest[] }
  | { type: 'attachments'; conversationId: string; attachments: AttachmentSummary[] }
  | { type: 'run'; runId: string; event: RunEvent }
  /** A call waits, and nothing else goes on in its run. */
  | { type: 'waits'; runId: string }
  | Exclude<Happening, RunEvent>;

function rowsTold(conversationId: string, rows: ChatRows): Told[] {
  const { messages = [], runs = [], attachments, requests } = rows;
  return [
    ...messages.map((message) => ({ type: 'message', message }) as const),
    ...runs.map((run) => ({ type: 'run_changed', run }) as const),
    ...(requests ? [{ type: 'requests', conversationId, requests } as const] : []),
    ...(attachments ? [{ type: 'attachments', conversationId, attachments } as const] : []),
  ];
}

/** A piece of an answer, as the loop said it. */
function deltaOf({ messageId, part, text }: Extract<Update, { type: 'append' }>): RunEvent {
  if (part === 'text') return { type: 'text_delta', messageId, text };
  if (part === 'reasoning') return { type: 'reasoning_delta', messageId, text };
  return { type: 'call_delta', messageId, ...part, arguments: text };
}

const isLive = ({ conversationId, status }: Run, id: string): boolean =>
  conversationId === id && status !== 'queued';

/** One life of the service worker's runs on a database; what it sent, and a way to wait for it. */
export function startWorker(options: WorkerOptions) {
  const { db, model, permission = 'allow', contextWindow = 100_000_000 } = options;
  const sent: Told[] = [];
  /** What those that have subscribed from the start show, but for the text that streams in. */
  const chats = new Map<string, Chat>();
  const shown = (id = 'c1'): Chat => chats.get(id) ?? emptyChat;
  /** The conversations' runs that began last. */
  const current = new Map<string, string>();
  const working = new Set<string>();
  /** Every number of waiting calls that was told, in order. */
  const badge: number[] = [];
  /** How often a new chat was said to have begun. */
  const begun: number[] = [];
  const waiters: (() => void)[] = [];
  const told = (...events: Told[]): void => {
    sent.push(...events);
    waiters.splice(0).forEach((wake) => wake());
  };
  const happened = (id: string, event: Happening): void => {
    if (event.type === 'server_request' || event.type === 'server_request_end') return told(event);
    if (event.type === 'run_start') current.set(id, event.runId);
    const runId = current.get(id) ?? '';
    told({ type: 'run', runId, event });
    const row = sent.findLast((each) => each.type === 'run_changed' && isLive(each.run, id));
    const waits = row?.type === 'run_changed' && row.run.status === 'waiting';
    if (waits) told({ type: 'waits', runId });
  };
  const published = (id: string, update: Update): void => {
    if (update.type === 'reset')
      void runs.snapshot(id, ({ snapshot, since }) => {
        const chat = since.reduce((before, { rows }) => withRows(before, rows), chatFrom(snapshot));
        chats.set(id, chat);
        told({ type: 'snapshot', snapshot });
      });
    else if (update.type === 'change') {
      chats.set(id, withRows(shown(id), update.rows));
      told(...rowsTold(id, update.rows));
    } else {
      told({ type: 'append', update });
      happened(id, deltaOf(update));
    }
  };
  const store = createRunStore(db);
  const deps: RunDeps = {
    store: options.store?.(store) ?? store,
    prepare:
      options.prepare ??
      (async () => ({ ...prepared(model, tools, { contextWindow }), missing: [], unfit: [] })),
    callTool: options.callTool ?? succeed,
    judge:
      options.judge ??
      (async (call) => ({
        permission: typeof permission === 'function' ? await permission(call) : permission,
      })),
    repetition: async (call) => (isRepeatable(call) ? 'allow' : 'ask'),
    grant: options.grant ?? (async () => {}),
    forbid: options.forbid ?? (async () => {}),
    taintOf: options.taintOf ?? (async () => undefined),
    openedTabs: async () => [],
    openPrivately: options.openPrivately ?? (async () => {}),
    definitionOf: options.definitionOf ?? (async () => undefined),
    schemaOf: async ({ namespacedName }) => tools.find(({ name }) => name === namespacedName)?.inputSchema,
    checkArguments: options.checkArguments ?? (() => undefined),
    nearNames: () => [],
    maxIterations: async () => options.maxIterations ?? 10,
    publish: (id, update) => {
      published(id, update);
      return options.isSubscribed ?? true;
    },
    event: happened,
    sendToAll: told,
    working: (id, works) => void (works ? working.add(id) : working.delete(id)),
    waiting: (count) => void badge.push(count),
    chatBegan: () => void begun.push(sent.length),
    answered: options.answered ?? (() => {}),
    wait: options.wait ?? (async () => {}),
    random: () => 0.5,
    now: options.now ?? (() => NOW),
    newId: () => crypto.randomUUID(),
  };
  const runs = createRuns(deps);
  const until = async (seen: (event: Told) => boolean) => {
    while (!sent.some(seen)) await new Promise<void>((resolve) => waiters.push(resolve));
  };
  return { runs, sent, shown, working, badge, begun, until };
}

export const runEvent =
  (type: string, runId?: string) =>
  (event: Told): boolean =>
    event.type === 'run' && event.event.type === type && (runId === undefined || event.runId === runId);

/** The conversation's run waits for the user. */
export const isWaiting = (event: Told): boolean => event.type === 'waits';

/** Sends a message into the conversation `c1`. */
export function send(runs: Runs, text: string, runId = 'r1', when?: 'queue' | 'steer' | 'now') {
  const message = { id: `${runId}.message`, text };
  return runs.start({ conversationId: 'c1', runId, message, ...(when && { when }) });
}
