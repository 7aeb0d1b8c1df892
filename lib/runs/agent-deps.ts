import type { AgentDeps } from '../agent/deps.ts';
import type { Retry, Run } from '../types/run.ts';
import type { Permission } from '../types/tools/approval.ts';
import type { Decision, ToolCall } from '../types/tools/tool-call.ts';
import type { Context } from './context.ts';
import type { RequestChannel, RunDeps } from './deps.ts';
import type { RunState } from './live-run.ts';
import type { Prefetched } from './prefetch.ts';
import type { Sent } from './rows.ts';

/** What a run waits for the user to do: to decide of calls, or to have the model asked again now. */
export function createWaits(state: RunState) {
  const decisions = new Map<string, PromiseWithResolvers<Decision>>();
  const decisionOf = (callId: string) => {
    const known = decisions.get(callId) ?? Promise.withResolvers<Decision>();
    decisions.set(callId, known);
    return known;
  };
  const retryRequests = new WeakMap<Retry, PromiseWithResolvers<void>>();
  /** Of the wait that goes on or is about to begin, and of no later one, however often it is asked for. */
  const retryRequest = () => {
    const { retry } = state.run;
    if (!retry) return undefined;
    const known = retryRequests.get(retry) ?? Promise.withResolvers<void>();
    retryRequests.set(retry, known);
    return known;
  };
  return {
    decide: (callId: string, decision: Decision): void => decisionOf(callId).resolve(decision),
    decided: (callId: string): Promise<Decision> => decisionOf(callId).promise,
    retryNow: (): void => retryRequest()?.resolve(),
    retryRequested: (): Promise<void> | undefined => retryRequest()?.promise,
  };
}

type Waits = ReturnType<typeof createWaits>;

/** What the loop is handed for one run. */
export function agentDeps(
  context: Context,
  state: RunState,
  run: Pick<Waits, 'decided' | 'retryRequested'> & {
    read: Prefetched | undefined;
    maxIterations: number;
    channel: RequestChannel;
    signal: AbortSignal;
  },
): AgentDeps {
  const { deps } = context;
  const { read, maxIterations, channel, signal: runSignal, decided, retryRequested } = run;
  const { limit } = state.run;
  return {
    prepare: async () => {
      const { missing, unfit, ...prepared } = await (read?.prepared ??
        deps.prepare(state.run, state.conversation));
      const leftOut = { ...(missing.length > 0 && { missing }), ...(unfit.length > 0 && { unfit }) };
      if (Object.keys(leftOut).length > 0 && !runSignal.aborted) await changeRun(context, state, leftOut);
      return prepared;
    },
    approve: async (call, wait) => {
      const isKnown = wait !== 'unknown';
      if (isKnown) await rememberDefinition(deps, state, call);
      const permission = await (isKnown ? judged(deps, state, call) : deps.repetition(call));
      if (permission !== 'ask') return permission;
      if (isKnown) await rememberTaint(deps, state, call);
      return { decision: decided(call.callId) };
    },
    takeSteers: () => takeSteers(context, state),
    maxIterations,
    callTool: (call, args, options) => deps.callTool(call, args, { ...options, channel }),
    checkArguments: deps.checkArguments,
    nearNames: deps.nearNames,
    wait: async (ms, signal) => {
      const requested = retryRequested();
      await Promise.race([deps.wait(ms, signal), ...(requested ? [requested] : [])]);
    },
    ...(limit && { limit: { most: limit, used: () => usedBy(state) } }),
    random: deps.random,
    now: deps.now,
    newId: deps.newId,
  };
}

function usedBy({ conversation }: RunState) {
  const { inputTokens = 0, outputTokens = 0, cost = 0 } = conversation.usage ?? {};
  return { tokens: inputTokens + outputTokens, cost };
}

/** The row, which is written when the call begins to wait or to run, says which definition was asked about. */
async function rememberDefinition(deps: RunDeps, { open }: RunState, { callId }: ToolCall): Promise<void> {
  const asked = open.get(callId);
  if (!asked || asked.fingerprint !== undefined) return;
  const definition = await deps.definitionOf(asked);
  if (definition !== undefined) open.set(callId, { ...asked, ...definition });
}

/** The row, which is written when the call begins to run, says by what it does so without asking. */
async function judged(deps: RunDeps, { open }: RunState, call: ToolCall): Promise<Permission> {
  const row = open.get(call.callId);
  const { permission, basis } = await deps.judge(row ?? call);
  if (row && basis) open.set(call.callId, { ...row, basis });
  return permission;
}

/**
 * What the user is told of what may be behind the call that they are asked about. Of one that waited for an earlier worker
 * its row tells: to compare long arguments with long texts takes each worker that starts as long.
 */
async function rememberTaint(deps: RunDeps, { open }: RunState, { callId }: ToolCall): Promise<void> {
  const asked = open.get(callId);
  const taint = asked && asked.wait === undefined && (await deps.taintOf(asked));
  if (taint) open.set(callId, { ...asked, taint });
}

/** Hands out the steering messages that wait. Each stays queued on disk until its `steered` is written: nothing gets lost. */
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

function changeRun({ deps, lane }: Context, state: RunState, change: Partial<Run>): Promise<void> {
  return lane(state.conversation.id, async () => {
    state.run = { ...state.run, ...change };
    await deps.store.write({ run: state.run });
  });
}
