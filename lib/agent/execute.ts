import { toWire } from '../errors.ts';
import type { CallIdentity } from '../types/run.ts';
import type { WaitKind } from '../types/tools/approval.ts';
import type { CallOptions } from '../types/tools/call-tool.ts';
import { ownRules } from '../types/tools/own-tool-rules.ts';
import { type EndStatus, isEnded, type ToolCall } from '../types/tools/tool-call.ts';
import type { ToolResult } from '../types/tools/tool-result.ts';
import type { Approval, RunContext } from './deps.ts';
import { orAborted } from './abort.ts';
import { parseArguments } from './arguments.ts';
import { withDecision } from './ledger.ts';
import { blocked, cancelled, failure, notReached, skipped, withWord } from './refusals.ts';

type Ending = { status: EndStatus; result: ToolResult };
/** A call's row as it ran, with what the user made of it, and its result. */
type Executed = { call: ToolCall; result: ToolResult };

/** A call and what is said of it before the user is asked; null when there is nothing to say. */
export type Judged = { call: ToolCall; approval: Promise<Approval> | null };

/** Begins to judge whether a call may be made. */
export function judge(call: ToolCall, { deps }: RunContext): Judged {
  const wait = call.result ? null : waitFor(call);
  return { call, approval: wait && deps.approve(call, wait) };
}

/**
 * Sees one call through to its result: asks where the user must be asked, announces it, makes it. Follows the row,
 * so a row found after a restart goes on where it stood. Never throws; a failure is a result.
 * @param judgedAll settles once every call of the message is judged: the user is asked about all of them at once, since a
 *   card that grows while it is read may be answered for what it did not show
 * @param before the calls that must succeed before this one is made; one that the user refused does not count
 * @returns the row and the result, after the `call_end` was dealt with
 */
export async function executeCall(
  { call: found, approval }: Judged,
  context: RunContext,
  judgedAll: Promise<unknown>,
  before: Promise<Executed>[] = [],
): Promise<Executed> {
  const { deps, emit } = context;
  let call = found;
  // A task's time counts from its dispatch, whichever worker made that.
  let startedAt = found.task !== undefined && found.startedAt ? Date.parse(found.startedAt) : undefined;
  const outcome = async (): Promise<Ending> => {
    if (approval) call = await resolveApproval(call, await approval, judgedAll, context);
    if (call.result) return { status: endStatus(call), result: call.result };
    const earlier = await Promise.all(before);
    if (earlier.some(({ result }) => result.isError && !result.refusal))
      return { status: 'error', result: notReached };
    return dispatch(call, context, () => (startedAt = deps.now()));
  };
  const { status, ...ended } = await outcome().catch((error: unknown): Ending => {
    const { message, cause = '' } = toWire(error);
    return { status: 'error', result: failure(`${message} ${cause}`.trim()) };
  });
  const result = call.result ? ended.result : withWord(ended.result, call.word);
  const durationMs = startedAt === undefined ? 0 : deps.now() - startedAt;
  const { callId } = call;
  await emit({ type: 'call_end', callId, result, isError: result.isError, status, durationMs });
  return { call, result };
}

async function dispatch(
  call: ToolCall,
  { deps, signal, emit }: RunContext,
  announced: () => void,
): Promise<Ending> {
  if (signal.aborted) return { status: 'cancelled', result: cancelled };
  const parsed = parseArguments(call.edited ?? call.arguments);
  if (!parsed.ok) return { status: 'error', result: failure(parsed.problem) };
  const started = async () => {
    await emit({ type: 'call_start', ...identity(call) });
    announced();
  };
  const { callId } = call;
  const accepted = (taskId: string) => emit({ type: 'call_task', callId, taskId });
  let over = false;
  const progress: CallOptions['progress'] = (step) => {
    if (!over) void emit({ type: 'call_progress', callId, ...step }, callId);
  };
  return deps
    .callTool(call, parsed.value, { signal, started, accepted, progress })
    .finally(() => (over = true));
}

/** The row once it is clear whether the call may be made; with a result when it may not. */
async function resolveApproval(
  call: ToolCall,
  approval: Approval,
  judgedAll: Promise<unknown>,
  { signal, emit }: RunContext,
): Promise<ToolCall> {
  const wait = waitFor(call);
  if (wait === null || approval === 'allow') return call;
  if (approval === 'block') return { ...call, status: 'denied', result: blocked };

  await judgedAll;
  await emit({ type: 'approval_required', wait, ...identity(call) });
  const decision = await orAborted(approval.decision, signal);
  if (decision === 'aborted') {
    return wait === 'unknown'
      ? { ...call, status: 'unknown', result: skipped() }
      : { ...call, status: 'cancelled', result: cancelled };
  }
  await emit({ type: 'approval_resolved', callId: call.callId, ...decision });
  return withDecision({ ...call, wait }, decision);
}

/**
 * What the row waits for. A call found `running` was cut off by the worker's death: its outcome is unknown, and unless
 * it may be repeated only the user decides. One that its server works on as a task goes on.
 */
function waitFor(call: ToolCall): WaitKind | null {
  if (call.status === 'approved' || call.task !== undefined) return null;
  if (call.status === 'pending') return ownRules(call)?.handsOver ? 'hand_over' : 'permission';
  return 'unknown';
}

function endStatus({ status }: ToolCall): EndStatus {
  return isEnded(status) ? status : 'error';
}

function identity(call: ToolCall): CallIdentity {
  const { callId, toolName, namespacedName, serverId } = call;
  return { callId, toolName, namespacedName, serverId, arguments: call.edited ?? call.arguments };
}
