import type { AgentDeps, Prepared } from '../agent/deps.ts';
import { runAgent } from '../agent/run.ts';
import { toWire } from '../errors.ts';
import type { PanelEvent } from '../protocol.ts';
import type { Entry } from '../storage/journal.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { CallTool, Permission, Run, RunEvent, ToolCall } from '../types.ts';
import { createFlush } from './flush.ts';
import type { Lane } from './lanes.ts';
import { loadRun } from './load.ts';
import { callsForPanel, eventForPanel } from './panel-view.ts';
import { record, type RunState } from './record.ts';

export type RunDeps = {
  store: RunStore;
  /** The model and the tools of a new run, and the names of servers that were not there in time. */
  prepare: (run: Run) => Promise<Prepared & { missing: string[] }>;
  callTool: CallTool;
  permission: (call: ToolCall) => Promise<Permission>;
  maxIterations: () => Promise<number>;
  /** To every panel that watches the conversation. */
  send: (conversationId: string, event: PanelEvent) => void;
  /** Told whenever a run begins to work, waits or ends: a working one keeps the worker alive. */
  working: (runId: string, working: boolean) => void;
  now: () => number;
  newId: () => string;
};

type Decision = 'allow' | 'deny';

/** A run that this worker drives. */
export type LiveRun = {
  state: RunState;
  abort: AbortController;
  /** Hands a waiting call the person's decision; also when the call has not begun to wait yet. */
  decide: (callId: string, decision: Decision) => void;
  done: Promise<void>;
};

/** Reads a run's rows and drives it to its end: write each event down, then show it, then go on. */
export async function driveRun(
  deps: RunDeps,
  lane: Lane,
  start: { run: Run; conversation: RunState['conversation'] },
): Promise<LiveRun> {
  const { input, state } = await loadRun(deps.store, start.conversation, start.run);
  const abort = new AbortController();
  const decisions = new Map<string, PromiseWithResolvers<Decision>>();
  const decision = (callId: string) => {
    const known = decisions.get(callId) ?? Promise.withResolvers<Decision>();
    decisions.set(callId, known);
    return known;
  };
  const agent: AgentDeps = {
    prepare: async () => {
      const { missing, ...prepared } = await deps.prepare(state.run);
      state.tools = prepared.tools;
      if (missing.length > 0 && !abort.signal.aborted) await changeRun(deps, lane, state, { missing });
      return prepared;
    },
    callTool: deps.callTool,
    approve: async (call, wait) => {
      const permission = wait === 'unknown' ? 'ask' : await deps.permission(call);
      return permission === 'ask' ? { decision: decision(call.callId).promise } : permission;
    },
    now: deps.now,
    newId: deps.newId,
    maxIterations: await deps.maxIterations(),
  };

  deps.working(state.run.id, state.run.status === 'working');
  const done = consume(deps, lane, state, runAgent(input, agent, abort.signal), abort);
  return { state, abort, decide: (callId, answer) => decision(callId).resolve(answer), done };
}

async function consume(
  deps: RunDeps,
  lane: Lane,
  state: RunState,
  events: AsyncIterable<RunEvent>,
  abort: AbortController,
): Promise<void> {
  const { id } = state.conversation;
  const flush = createFlush(() =>
    lane(id, async () => {
      if (state.streaming) await deps.store.write({ message: { ...state.streaming } });
    }),
  );
  const take = async (event: RunEvent) => {
    const before = state.run.status;
    const entry = await writeDown(deps, state, event);
    if (event.type === 'message_end' || event.type === 'run_end') flush.cancel();
    else if (isText(event)) flush.touch(state.streaming?.content.length ?? 0);
    deps.send(id, { type: 'run', conversationId: id, runId: state.run.id, event: eventForPanel(event) });
    if (event.type === 'message_end' && entry?.calls?.length) {
      deps.send(id, { type: 'calls', conversationId: id, toolCalls: callsForPanel(entry.calls) });
    }
    if (state.run.status !== before) announce(deps, state);
  };
  try {
    for await (const event of events) await lane(id, () => take(event));
  } catch (error) {
    flush.cancel();
    const end = { type: 'run_end', runId: state.run.id, reason: 'error', error: toWire(error) } as const;
    await lane(id, () => take(end)).catch((again: unknown) => {
      // Not even the end could be written: it is shown all the same, and the row is picked up by the next worker.
      console.warn('The end of a run could not be written down.', again);
      state.run = { ...state.run, status: 'ended', reason: 'error' };
      deps.send(id, { type: 'run', conversationId: id, runId: state.run.id, event: end });
      announce(deps, state);
    });
  } finally {
    abort.abort(); // whatever of it still goes on somewhere
  }
}

/** Takes the event over and writes it down. What could not be written is not remembered either. */
async function writeDown(deps: RunDeps, state: RunState, event: RunEvent): Promise<Entry | undefined> {
  const before = { ...state, open: new Map(state.open) };
  const entry = record(state, event, new Date(deps.now()).toISOString());
  try {
    if (entry) await deps.store.write(entry);
  } catch (error) {
    Object.assign(state, before);
    throw error;
  }
  return entry;
}

const isText = ({ type }: RunEvent): boolean => type === 'text_delta' || type === 'reasoning_delta';

function changeRun(deps: RunDeps, lane: Lane, state: RunState, change: Partial<Run>): Promise<void> {
  return lane(state.conversation.id, async () => {
    state.run = { ...state.run, ...change };
    await deps.store.write({ run: state.run });
    announce(deps, state);
  });
}

function announce(deps: RunDeps, { run }: RunState): void {
  deps.working(run.id, run.status === 'working');
  deps.send(run.conversationId, { type: 'run_changed', run });
}
