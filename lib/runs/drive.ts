import type { AgentDeps } from '../agent/deps.ts';
import { newAnswer } from '../agent/history.ts';
import { runAgent } from '../agent/run.ts';
import { toWire } from '../errors.ts';
import type { Entry } from '../storage/journal.ts';
import type { Retry, Run, RunEvent } from '../types/run.ts';
import type { Conversation } from '../types/setup.ts';
import type { Decision, ToolCall } from '../types/tool.ts';
import type { Ahead } from './ahead.ts';
import { appendDelta, type Delta, isDelta, settled } from './answer.ts';
import type { Context } from './context.ts';
import type { RunDeps } from './deps.ts';
import { createFlush } from './flush.ts';
import { loadRun } from './load.ts';
import { eventForPanel, runForPanel } from './panel-view.ts';
import { record, type RunState, shownAnswer } from './record.ts';
import type { Sent } from './rows.ts';

/** A run that this worker drives. */
export type LiveRun = {
  state: RunState;
  abort: AbortController;
  /** Hands a waiting call the person's decision; also when the call has not begun to wait yet. */
  decide: (callId: string, decision: Decision) => void;
  /** Ends a wait for the next try. */
  hurry: () => void;
  /** What becomes of the queue at its end, if that is settled: nothing in it is sent by itself after a Stop. */
  queue?: 'goes_on' | 'is_taken_back';
  done: Promise<void>;
};

/** Called after each of a run's events but its deltas, when it is written and shown. */
type Dealt = (event: RunEvent, state: RunState) => void;

/** Reads a run's rows and drives it to its end: write each event down, then show it, then go on. */
export async function driveRun(
  context: Context,
  { run, conversation, read }: { run: Run; conversation: Conversation; read?: Ahead | undefined },
  dealt: Dealt,
): Promise<LiveRun> {
  const { deps } = context;
  const { input, state } = await loadRun(deps.store, conversation, run, deps.now(), read?.history);
  const abort = new AbortController();
  const decisions = new Map<string, PromiseWithResolvers<Decision>>();
  const decision = (callId: string) => {
    const known = decisions.get(callId) ?? Promise.withResolvers<Decision>();
    decisions.set(callId, known);
    return known;
  };
  const hurries = new WeakMap<Retry, PromiseWithResolvers<void>>();
  /** Of the wait that goes on or is about to begin, and of no later one, however often it is asked for. */
  const hurry = () => {
    const { retry } = state.run;
    if (!retry) return undefined;
    const known = hurries.get(retry) ?? Promise.withResolvers<void>();
    hurries.set(retry, known);
    return known;
  };
  const agent: AgentDeps = {
    prepare: async () => {
      const { missing, unfit, ...prepared } = await (read?.prepared ??
        deps.prepare(state.run, state.conversation));
      const leftOut = { ...(missing.length > 0 && { missing }), ...(unfit.length > 0 && { unfit }) };
      if (Object.keys(leftOut).length > 0 && !abort.signal.aborted) await changeRun(context, state, leftOut);
      return prepared;
    },
    approve: async (call, wait) => {
      if (wait === 'permission') await rememberDefinition(deps, state, call);
      const permission = wait === 'unknown' ? 'ask' : await deps.permission(call);
      if (permission !== 'ask') return permission;
      return { decision: decision(call.callId).promise };
    },
    takeSteers: () => takeSteers(context, state),
    maxIterations: await (read?.maxIterations ?? deps.maxIterations()),
    callTool: deps.callTool,
    checkArguments: deps.checkArguments,
    nearNames: deps.nearNames,
    wait: async (ms, signal) => {
      const hurried = hurry()?.promise;
      await Promise.race([deps.wait(ms, signal), ...(hurried ? [hurried] : [])]);
    },
    random: deps.random,
    now: deps.now,
    newId: deps.newId,
  };

  deps.working(state.run.id, state.run.status === 'working');
  const done = consume(context, state, runAgent(input, agent, abort.signal), abort, dealt);
  const decide = (callId: string, answer: Decision) => decision(callId).resolve(answer);
  return { state, abort, decide, hurry: () => hurry()?.resolve(), done };
}

/** The row, which is written when the call begins to wait or to run, says which definition was asked about. */
async function rememberDefinition(deps: RunDeps, { open }: RunState, { callId }: ToolCall): Promise<void> {
  const asked = open.get(callId);
  if (!asked || asked.fingerprint !== undefined) return;
  const definition = await deps.definitionOf(asked);
  if (definition !== undefined) open.set(callId, { ...asked, ...definition });
}

/** Hands out what waits to be slipped in. It stays queued on disk until its `steered` is written: nothing gets lost. */
function takeSteers({ deps, lane }: Context, state: RunState): Promise<Sent[]> {
  return lane(state.conversation.id, async () => {
    const runs = await deps.store.queuedRuns(state.conversation.id);
    return runs.flatMap((run) => {
      if (!run.queued?.steer || state.steers.has(run.queued.id)) return [];
      const { id, text, attachments } = run.queued;
      state.steers.set(id, run);
      return [{ id, text, ...(attachments && { attachments }) }];
    });
  });
}

async function consume(
  { deps, lane }: Context,
  state: RunState,
  events: AsyncIterable<RunEvent>,
  abort: AbortController,
  dealt: Dealt,
): Promise<void> {
  const { id } = state.conversation;
  const flush = createFlush(() =>
    lane(id, async () => {
      if (state.streaming) await deps.store.write({ message: { ...state.streaming } });
    }),
  );
  const show = (event: RunEvent) => {
    const shown = eventForPanel(withHints(event, state));
    deps.send(id, { type: 'run', conversationId: id, runId: state.run.id, event: shown });
  };
  const take = async (event: RunEvent) => {
    if (isDelta(event)) {
      if (state.streaming) appendDelta(state.streaming, event);
      flush.grew('text' in event ? event.text.length : event.arguments.length);
      return show(event);
    }
    if (event.type === 'run_end' && event.reason !== 'done') await standInFor(deps, state);
    const before = { ...state };
    const entry = await writeDown(deps, state, event);
    if (!state.streaming) flush.cancel();
    show(event);
    for (const run of entry?.runs ?? []) deps.send(id, { type: 'run_changed', run: runForPanel(run) });
    const { conversation, run } = state;
    if (conversation.usage !== before.conversation.usage)
      deps.sendToAll({ type: 'conversation', conversation });
    if (run.status !== before.run.status || run.retry !== before.run.retry) announce(deps, state);
    dealt(event, state);
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
      show(end);
      announce(deps, state);
      dealt(end, state);
    });
  } finally {
    abort.abort(); // whatever of it still goes on somewhere
  }
}

/** A version of which nothing came has a place all the same: without it nobody finds the others. */
async function standInFor({ store, newId, now }: RunDeps, state: RunState): Promise<void> {
  const shown = shownAnswer(state);
  if (shown && settled(shown)) return;
  const timestamp = new Date(now()).toISOString();
  const missing = newAnswer({ ...state.run, runId: state.run.id }, state.leaf, newId(), timestamp);
  const versions = await store.versions([missing]);
  if (versions[missing.id]) state.standIn = { ...missing, status: 'partial' };
}

/**
 * The card shows the hints of the tool as it is now, which may not be those it had when the run began; an answer, that
 * it was picked up.
 */
function withHints(event: RunEvent, { open, leaf }: RunState): RunEvent {
  if (event.type === 'message_end' && leaf?.role === 'assistant') return { ...event, message: leaf };
  if (event.type !== 'approval_required') return event;
  const call = open.get(event.callId);
  return call ? { ...event, annotations: call.annotations } : event;
}

/** Takes the event over and writes it down. What could not be written is not remembered either. */
async function writeDown(
  deps: RunDeps,
  state: RunState,
  event: Exclude<RunEvent, Delta>,
): Promise<Entry | undefined> {
  const before = { ...state, open: new Map(state.open), steers: new Map(state.steers) };
  const entry = record(state, event, new Date(deps.now()).toISOString());
  try {
    if (entry) await deps.store.write(entry);
  } catch (error) {
    Object.assign(state, before);
    throw error;
  }
  return entry;
}

function changeRun({ deps, lane }: Context, state: RunState, change: Partial<Run>): Promise<void> {
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
