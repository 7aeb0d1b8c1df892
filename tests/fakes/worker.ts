import type { PanelEvent } from '../../lib/protocol/panel.ts';
import type { RunDeps } from '../../lib/runs/deps.ts';
import { createRuns, type Runs } from '../../lib/runs/runs.ts';
import { createRunStore, type RunStore } from '../../lib/storage/run-store.ts';
import type { Database } from '../../lib/storage/database.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import type { CallTool, Permission } from '../../lib/types/tool.ts';
import { aborted, prepared } from './scripted-model.ts';
import { NOW, offered } from './rows.ts';

export type WorkerOptions = {
  db: Database;
  model: StreamModel;
  callTool?: CallTool;
  permission?: Permission | RunDeps['permission'];
  grant?: RunDeps['grant'];
  definitionOf?: RunDeps['definitionOf'];
  checkArguments?: RunDeps['checkArguments'];
  now?: () => number;
  /** How a request that is made again is waited for; at once unless told. */
  wait?: RunDeps['wait'];
  /** Tokens that the model reads and writes. */
  contextWindow?: number;
  maxIterations?: number;
  /** Instead of the model and the two tools at once. */
  prepare?: RunDeps['prepare'];
  answered?: RunDeps['answered'];
  /** Stands between the runs and the database. */
  store?: (store: RunStore) => RunStore;
};

/** `note` changes something, `look` only reads. */
const tools = [offered('note'), offered('look', { readOnlyHint: true })];

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

/** One life of the service worker's runs on a database; what it sent, and a way to wait for it. */
export function startWorker(options: WorkerOptions) {
  const { db, model, permission = 'allow', contextWindow = 100_000_000 } = options;
  const sent: PanelEvent[] = [];
  const working = new Set<string>();
  /** Every number of waiting calls that was told, in order. */
  const badge: number[] = [];
  /** How often a new chat was said to have begun. */
  const begun: number[] = [];
  const waiters: (() => void)[] = [];
  const told = (event: PanelEvent): void => {
    sent.push(event);
    waiters.splice(0).forEach((wake) => wake());
  };
  const store = createRunStore(db);
  const deps: RunDeps = {
    store: options.store?.(store) ?? store,
    prepare:
      options.prepare ??
      (async () => ({ ...prepared(model, tools, { contextWindow }), missing: [], unfit: [] })),
    callTool: options.callTool ?? succeed,
    permission: typeof permission === 'function' ? permission : async () => permission,
    grant: options.grant ?? (async () => {}),
    definitionOf: options.definitionOf ?? (async () => undefined),
    schemaOf: async ({ namespacedName }) => tools.find(({ name }) => name === namespacedName)?.inputSchema,
    checkArguments: options.checkArguments ?? (() => undefined),
    nearNames: () => [],
    maxIterations: async () => options.maxIterations ?? 10,
    send: (_conversationId, event) => told(event),
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
  const until = async (seen: (event: PanelEvent) => boolean) => {
    while (!sent.some(seen)) await new Promise<void>((resolve) => waiters.push(resolve));
  };
  return { runs, sent, working, badge, begun, until };
}

export const runEvent =
  (type: string, runId?: string) =>
  (event: PanelEvent): boolean =>
    event.type === 'run' && event.event.type === type && (runId === undefined || event.runId === runId);

/** The conversation's run waits for the person. */
export const isWaiting = (event: PanelEvent): boolean =>
  event.type === 'run_changed' && event.run.status === 'waiting';

/** Sends a message into the conversation `c1`. */
export function send(runs: Runs, text: string, runId = 'r1', when?: 'queue' | 'steer' | 'now') {
  const message = { id: `${runId}.message`, text };
  return runs.start({ conversationId: 'c1', runId, message, ...(when && { when }) });
}
