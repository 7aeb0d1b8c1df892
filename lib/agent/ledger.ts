import type { AssistantMessage, OfferedTool, ToolCall, ToolCallRequest, ToolResult } from '../types.ts';
import { parseArguments } from './arguments.ts';

/** An error result with its plain text: what the card shows and what the model gets as JSON. */
export function failure(text: string): ToolResult {
  return { text, isError: true };
}

export const denied = failure('The person did not allow this call. It was not executed.');
export const blocked = failure('The person has blocked this tool. The call was not executed.');
export const cancelled = failure('The call was cancelled.');
export const outcomeUnknown = failure(
  'The browser closed while this call ran. It is not known whether it was executed, and it was not repeated.',
);

/**
 * The ledger rows of a whole assistant message. A call that can't be executed (no such tool, arguments cut off or
 * malformed) is born finished, its result in the row; every other one is `pending`.
 */
export function ledgerRows(message: AssistantMessage, tools: OfferedTool[]): ToolCall[] {
  const requests = message.tool_calls ?? [];
  return requests.map((request, position) => {
    const tool = tools.find(({ name }) => name === request.name);
    const cutOff = message.finish !== undefined && position === requests.length - 1;
    const problem = problemWith(request, tool, cutOff);
    return {
      callId: `${message.id}.${position}`,
      conversationId: message.conversationId,
      runId: message.runId,
      messageId: message.id,
      position,
      toolCallId: request.id,
      namespacedName: request.name,
      toolName: tool?.toolName ?? request.name,
      serverId: tool?.serverId ?? null,
      serverName: tool?.serverName ?? '',
      arguments: request.arguments,
      annotations: tool?.annotations ?? {},
      ...(problem === undefined
        ? { status: 'pending' as const }
        : { status: 'error' as const, result: failure(problem) }),
    };
  });
}

function problemWith(request: ToolCallRequest, tool: OfferedTool | undefined, cutOff: boolean) {
  if (!tool) return `There is no tool named ${request.name}. It was not executed.`;
  if (cutOff) return 'The answer was cut off inside this call, so it was not executed.';
  const parsed = parseArguments(request.arguments);
  return parsed.ok ? undefined : `${parsed.problem} The call was not executed.`;
}

/** Whether making the call a second time changes nothing (MCP ToolAnnotations; the server's own claim). */
export function isRepeatable(call: ToolCall): boolean {
  return call.annotations.readOnlyHint === true || call.annotations.idempotentHint === true;
}

/**
 * The row once the person has decided. A denied or skipped call has its result at once, so that the decision holds
 * whatever happens before the loop takes it up.
 */
export function decided(call: ToolCall, decision: 'allow' | 'deny'): ToolCall {
  const { wait, ...rest } = call;
  if (decision === 'allow') return { ...rest, status: 'approved' };
  return wait === 'unknown'
    ? { ...rest, result: outcomeUnknown }
    : { ...rest, status: 'denied', result: denied };
}
