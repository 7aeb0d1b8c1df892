import { toWire } from '../errors.ts';
import type {
  CallIdentity,
  CallOptions,
  EndStatus,
  RunEvent,
  ToolCall,
  ToolResult,
  WaitKind,
} from '../types.ts';
import { orAborted } from './abort.ts';
import { parseArguments } from './arguments.ts';
import { blocked, cancelled, denied, failure, isRepeatable, outcomeUnknown } from './ledger.ts';
import type { Emit } from './merge.ts';
import type { AgentDeps } from './deps.ts';

type Ending = { status: EndStatus; result: ToolResult };

/**
 * Sees one call through to its result: asks where the person must be asked, announces it, makes it. Follows the row,
 * so a row found after a restart goes on where it stood. Never throws; a failure is a result.
 * @returns the result, after its `call_end` was dealt with
 */
export async function executeCall(
  call: ToolCall,
  deps: AgentDeps,
  signal: AbortSignal,
  emit: Emit<RunEvent>,
): Promise<ToolResult> {
  let startedAt: number | undefined;
  const started = async () => {
    await emit({ type: 'call_start', ...identity(call) });
    startedAt = deps.now();
  };
  const { status, result } = await outcome(call, deps, signal, emit, started).catch(
    (error: unknown): Ending => {
      return {
        status: 'error',
        result: failure(`${toWire(error).message} ${toWire(error).cause ?? ''}`.trim()),
      };
    },
  );
  const durationMs = startedAt === undefined ? 0 : deps.now() - startedAt;
  await emit({ type: 'call_end', callId: call.callId, result, isError: result.isError, status, durationMs });
  return result;
}

async function outcome(
  call: ToolCall,
  deps: AgentDeps,
  signal: AbortSignal,
  emit: Emit<RunEvent>,
  started: () => Promise<void>,
): Promise<Ending> {
  if (call.result) return { status: endStatus(call), result: call.result };
  const refusal = await permission(call, deps, signal, emit);
  if (refusal) return refusal;
  if (signal.aborted) return { status: 'cancelled', result: cancelled };
  const parsed = parseArguments(call.arguments);
  if (!parsed.ok) return { status: 'error', result: failure(parsed.problem) };
  const progress: CallOptions['progress'] = (step) =>
    void emit({ type: 'call_progress', callId: call.callId, ...step });
  return deps.callTool(call, parsed.value, { signal, started, progress });
}

/** Why the call may not be made, or undefined when it may. */
async function permission(
  call: ToolCall,
  deps: AgentDeps,
  signal: AbortSignal,
  emit: Emit<RunEvent>,
): Promise<Ending | undefined> {
  const wait = waitFor(call);
  if (wait === null) return undefined;
  const answer = await deps.approve(call, wait);
  if (answer === 'allow') return undefined;
  if (answer === 'block') return { status: 'denied', result: blocked };

  await emit({ type: 'approval_required', wait, ...identity(call) });
  const decision = await orAborted(answer.decision, signal);
  if (decision === 'aborted') {
    return wait === 'unknown'
      ? { status: 'unknown', result: outcomeUnknown }
      : { status: 'cancelled', result: cancelled };
  }
  await emit({ type: 'approval_resolved', callId: call.callId, decision });
  if (decision === 'allow') return undefined;
  return wait === 'unknown'
    ? { status: 'unknown', result: outcomeUnknown }
    : { status: 'denied', result: denied };
}

/**
 * What the row waits for. A call found `running` was cut off by the worker's death: made again when that changes
 * nothing, else its outcome is unknown and only the person decides.
 */
function waitFor(call: ToolCall): WaitKind | null {
  if (call.status === 'approved') return null;
  if (call.status === 'pending') return 'permission';
  return isRepeatable(call) ? null : 'unknown';
}

function endStatus(call: ToolCall): EndStatus {
  const { status } = call;
  return status === 'pending' || status === 'approved' || status === 'running' ? 'error' : status;
}

function identity(call: ToolCall): CallIdentity {
  const { callId, toolName, namespacedName, serverId, arguments: text } = call;
  return { callId, toolName, namespacedName, serverId, arguments: text };
}
