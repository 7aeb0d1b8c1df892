import type { PanelEvent } from '../../lib/protocol.ts';
import type { RunDeps } from '../../lib/runs/drive.ts';
import { createRuns, type Runs } from '../../lib/runs/runs.ts';
import { createRunStore, type RunStore } from '../../lib/storage/run-store.ts';
import type { Database } from '../../lib/storage/database.ts';
import type { CallTool, Permission, StreamModel } from '../../lib/types.ts';
import { NOW, offered } from './rows.ts';

export type WorkerOptions = {
  db: Database;
  model: StreamModel;
  callTool?: CallTool;
  permission?: Permission;
  now?: () => number;
  /** Instead of the model and the two tools at once. */
  prepare?: RunDeps['prepare'];
  /** Stands between the runs and the database. */
  store?: (store: RunStore) => RunStore;
};

/** `note` changes something, `look` only reads. */
const tools = [offered('note'), offered('look', { readOnlyHint: true })];

export const succeed: CallTool = async ({ toolName }, _args, { started }) => {
  await started();
  return { status: 'success', result: { text: `${toolName} done`, isError: false } };
};

/** One life of the service worker's runs on a database; what it sent, and a way to wait for it. */
export function startWorker(options: WorkerOptions) {
  const { db, model, callTool = succeed, permission = 'allow', now = () => NOW } = options;
  const sent: PanelEvent[] = [];
  const working = new Set<string>();
  const waiters: (() => void)[] = [];
  const store = createRunStore(db);
  const deps: RunDeps & { defaultProvider: () => Promise<number | null> } = {
    store: options.store?.(store) ?? store,
    prepare: options.prepare ?? (async () => ({ model, tools, missing: [] })),
    callTool,
    permission: async () => permission,
    maxIterations: async () => 10,
    defaultProvider: async () => null,
    send: (_conversationId, event) => {
      sent.push(event);
      waiters.splice(0).forEach((wake) => wake());
    },
    working: (id, works) => void (works ? working.add(id) : working.delete(id)),
    now,
    newId: () => crypto.randomUUID(),
  };
  const runs = createRuns(deps);
  const until = async (seen: (event: PanelEvent) => boolean) => {
    while (!sent.some(seen)) await new Promise<void>((resolve) => waiters.push(resolve));
  };
  return { runs, sent, working, until };
}

export const runEvent = (type: string) => (event: PanelEvent) =>
  event.type === 'run' && event.event.type === type;

/** Sends a message into the conversation `c1`. */
export function send(runs: Runs, text: string, runId = 'r1') {
  return runs.start({ conversationId: 'c1', runId, message: { id: `${runId}.message`, text } });
}
