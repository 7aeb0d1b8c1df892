import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../types/message.ts';
import type { QueuedMessage } from '../../types/run.ts';
import { resultIdOf, type ToolCall } from '../../types/tools/tool-call.ts';
import type { ToolResult } from '../../types/tools/tool-result.ts';
import { resultForModel } from './result-text.ts';

/** What a conversation asks for next (architecture.md, "The run"). */
type Step = { type: 'call_model' } | { type: 'execute'; message: AssistantMessage } | { type: 'over' };

/** Decides the next step from the history alone, so that resuming is the same as running. */
export function nextStep(history: Message[]): Step {
  const last = history.findLast(({ role }) => role !== 'summary');
  if (!last) return { type: 'over' };
  if (last.role === 'user') return { type: 'call_model' };
  const message = history.findLast((each) => each.role === 'assistant');
  if (message?.status === 'complete' && unanswered(message, history).length > 0) {
    return { type: 'execute', message };
  }
  return last.role === 'tool' ? { type: 'call_model' } : { type: 'over' };
}

/** The positions of the message's calls that have no result in the history yet. */
export function unanswered(message: AssistantMessage, history: Message[]): number[] {
  const answered = new Set(
    history
      .filter((each) => each.role === 'tool' && each.parentId === message.id)
      .map((each) => each.sub - 1),
  );
  return (message.tool_calls ?? [])
    .map((_, position) => position)
    .filter((position) => !answered.has(position));
}

/** The message that the next one follows: the last that is not a call's result. */
export function leafOf(history: Message[]): Message | undefined {
  return history.findLast(({ role }) => role !== 'tool');
}

/** Where a message that follows `leaf` stands. */
export function placeAfter(leaf: Message | undefined): { parentId: string | null; seq: number; sub: number } {
  return { parentId: leaf?.id ?? null, seq: (leaf?.seq ?? -1) + 1, sub: 0 };
}

/** @param timestamp ISO 8601 */
export function userMessage(
  conversationId: string,
  leaf: Message | undefined,
  { id, text, attachments }: Pick<QueuedMessage, 'id' | 'text' | 'attachments'>,
  timestamp: string,
): UserMessage {
  const files = attachments?.flatMap(({ fileId }) => fileId ?? []) ?? [];
  return {
    ...placeAfter(leaf),
    id,
    conversationId,
    timestamp,
    role: 'user',
    status: 'complete',
    content: text,
    ...(attachments && { attachments }),
    ...(files.length > 0 && { files }),
  };
}

/** An answer that is still without a word. @param timestamp ISO 8601 */
export function newAnswer(
  { conversationId, runId }: Pick<AssistantMessage, 'conversationId' | 'runId'>,
  leaf: Message | undefined,
  id: string,
  timestamp: string,
): AssistantMessage {
  return {
    ...placeAfter(leaf),
    id,
    conversationId,
    runId,
    timestamp,
    role: 'assistant',
    status: 'streaming',
    content: '',
  };
}

/**
 * The tool message that answers `call`; its place follows from the call, whatever order the calls end in.
 * @param call the row as it ran, with what the user made of its arguments
 * @param seq of the message that made the call
 * @param timestamp ISO 8601
 */
export function toolMessage(call: ToolCall, result: ToolResult, seq: number, timestamp: string): ToolMessage {
  return {
    id: resultIdOf(call.callId),
    conversationId: call.conversationId,
    parentId: call.messageId,
    seq,
    sub: call.position + 1,
    timestamp,
    status: 'complete',
    role: 'tool',
    tool_call_id: call.toolCallId,
    name: call.namespacedName,
    ...resultForModel(call, result),
  };
}
