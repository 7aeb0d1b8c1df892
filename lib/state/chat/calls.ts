import type { ToolCallRequest } from '../../types/message.ts';
import { callIdOf, type ToolCall } from '../../types/tool.ts';

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
