import type { Message, ToolCallRequest } from '../types/message.ts';
import type { CallIdentity, RunEvent } from '../types/run.ts';
import { callIdOf, type ToolCall } from '../types/tool.ts';

export type CallProgress = { progress: number; total?: number; message?: string };

/** A row for a call that the model wrote but that has no ledger row on this page yet. */
export function pendingCall(
  message: { id: string; conversationId: string; runId: string; timestamp: string },
  position: number,
  request: Pick<ToolCallRequest, 'name' | 'arguments'> & { id?: string },
): ToolCall {
  return {
    callId: callIdOf(message.id, position),
    conversationId: message.conversationId,
    runId: message.runId,
    messageId: message.id,
    position,
    toolCallId: request.id ?? '',
    namespacedName: request.name,
    toolName: request.name,
    serverId: null,
    serverName: '',
    arguments: request.arguments,
    annotations: {},
    status: 'pending',
    createdAt: message.timestamp,
  };
}

type Context = { conversationId: string; runId: string; messages: Message[]; now: string };

/** The row that an event speaks of; of one that is not known, what its message tells. */
function rowOf(rows: Record<string, ToolCall>, callId: string, context: Context): ToolCall {
  const known = rows[callId];
  if (known) return known;
  const dot = callId.lastIndexOf('.');
  const [id, position] = [callId.slice(0, dot), Number(callId.slice(dot + 1))];
  const message = context.messages.findLast((other) => other.id === id);
  const request = message?.role === 'assistant' ? message.tool_calls?.[position] : undefined;
  const { conversationId, runId, now } = context;
  const timestamp = message?.timestamp ?? now;
  return pendingCall(
    { id, conversationId, runId, timestamp },
    position,
    request ?? { name: '', arguments: '' },
  );
}

/** The server's name is looked up where it is shown. What the model wrote stays beside what the person made of it. */
function identified(row: ToolCall, call: CallIdentity): ToolCall {
  const { toolName, namespacedName, serverId, arguments: text, omittedArguments } = call;
  const runs = row.edited === undefined ? { arguments: text } : { edited: text };
  const omitted = omittedArguments !== undefined && { omittedArguments };
  return { ...row, toolName, namespacedName, serverId, ...runs, ...omitted };
}

function without(row: ToolCall, key: 'wait' | 'result'): ToolCall {
  const { [key]: _dropped, ...rest } = row;
  return rest;
}

/** Applies a call's event to the ledger rows; any other event leaves them as they are. */
export function reduceCalls(
  rows: Record<string, ToolCall>,
  event: RunEvent,
  context: Context,
): Record<string, ToolCall> {
  const put = (row: ToolCall): Record<string, ToolCall> => ({ ...rows, [row.callId]: row });
  switch (event.type) {
    case 'approval_required': {
      const status = event.wait === 'unknown' ? 'unknown' : 'pending';
      const row = identified(rowOf(rows, event.callId, context), event);
      const { wait, annotations = row.annotations } = event;
      return put({ ...row, annotations, status, wait });
    }
    case 'approval_resolved': {
      const row = rowOf(rows, event.callId, context);
      const skipped = row.wait === 'unknown' ? 'unknown' : 'denied';
      const status = event.decision === 'allow' ? 'approved' : skipped;
      const edited = event.arguments !== undefined && { edited: event.arguments };
      const allowed = event.scope !== undefined && { allowed: event.scope };
      return put({ ...without(row, 'wait'), status, ...edited, ...allowed });
    }
    case 'call_start': {
      const row = without(without(identified(rowOf(rows, event.callId, context), event), 'wait'), 'result');
      const { allowed = 'before' } = row;
      const by = event.serverId !== null && { allowed };
      return put({ ...row, status: 'running', startedAt: context.now, ...by });
    }
    case 'call_end': {
      const row = rowOf(rows, event.callId, context);
      const { status, result, durationMs } = event;
      return put({ ...without(row, 'wait'), status, result, durationMs });
    }
    default:
      return rows;
  }
}
