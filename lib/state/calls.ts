import type { CallIdentity, RunEvent, ToolCall, ToolCallRequest } from '../types.ts';

export type CallProgress = { progress: number; total?: number; message?: string };

/** The ledger's key of the call at `position` of a message. */
export const callIdOf = (messageId: string, position: number): string => `${messageId}.${position}`;

/** A row for a call that the model wrote but that has no ledger row on this page yet. */
export function pendingCall(
  message: { id: string; conversationId: string; runId: string },
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
  };
}

type Context = { conversationId: string; runId: string; now: string };

/** The row that an event speaks of, known or new. The server's name is looked up where it is shown. */
function rowOf(rows: Record<string, ToolCall>, call: CallIdentity, context: Context): ToolCall {
  const dot = call.callId.lastIndexOf('.');
  const message = {
    id: call.callId.slice(0, dot),
    conversationId: context.conversationId,
    runId: context.runId,
  };
  const known =
    rows[call.callId] ??
    pendingCall(message, Number(call.callId.slice(dot + 1)), { name: call.namespacedName, arguments: '' });
  return { ...known, toolName: call.toolName, serverId: call.serverId, arguments: call.arguments };
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
      return put({ ...rowOf(rows, event, context), status, wait: event.wait });
    }
    case 'approval_resolved': {
      const row = rows[event.callId];
      if (!row) return rows;
      const skipped = row.wait === 'unknown' ? 'unknown' : 'denied';
      return put({ ...without(row, 'wait'), status: event.decision === 'allow' ? 'approved' : skipped });
    }
    case 'call_start': {
      const row = without(without(rowOf(rows, event, context), 'wait'), 'result');
      return put({ ...row, status: 'running', startedAt: context.now });
    }
    case 'call_end': {
      const row = rows[event.callId];
      if (!row) return rows;
      const { status, result, durationMs } = event;
      return put({ ...without(row, 'wait'), status, result, durationMs });
    }
    default:
      return rows;
  }
}
