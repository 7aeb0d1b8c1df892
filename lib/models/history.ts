import { errorForModel } from '../errors.ts';
import type { AssistantMessage, Message, ToolCallRequest, ToolMessage, UserMessage } from '../types.ts';

/** A message as it may be sent: calls are answered, answers have calls. */
export type SoundMessage =
  UserMessage | (AssistantMessage & { answers: { call: ToolCallRequest; content: string }[] });

const NO_RESULT = errorForModel(
  'No result was recorded for this call; whether it was carried out is unknown.',
);

/**
 * Repairs a history so that servers accept it: each call has exactly one result, in call order; results
 * without a call, calls of unfinished messages and empty assistant messages are left out. Call ids are
 * matched only up to the next assistant message, since servers use the same ids again.
 */
export function repairHistory(messages: Message[]): SoundMessage[] {
  return messages.flatMap((message, at): SoundMessage[] => {
    if (message.role === 'user') return [message];
    if (message.role === 'tool') return [];
    const calls = message.status === 'complete' ? (message.tool_calls ?? []) : [];
    if (calls.length === 0 && message.content === '') return [];
    const results = resultsAfter(messages, at);
    return [
      { ...message, answers: calls.map((call) => ({ call, content: results.get(call.id) ?? NO_RESULT })) },
    ];
  });
}

/** Results by call id; of two for one call the later counts. */
function resultsAfter(messages: Message[], at: number): Map<string, string> {
  const rest = messages.slice(at + 1);
  const next = rest.findIndex((message) => message.role === 'assistant');
  return new Map(
    (next === -1 ? rest : rest.slice(0, next))
      .filter((message): message is ToolMessage => message.role === 'tool')
      .map((message) => [message.tool_call_id, message.content]),
  );
}
