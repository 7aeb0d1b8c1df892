import { errorForModel } from '../../errors.ts';
import type { AssistantMessage, Message, ToolCallRequest } from '../../types/message.ts';
import type { Picture } from '../../types/picture.ts';

/** A call and its one result. */
export type Answer = { call: ToolCallRequest; content: string; pictures: Picture[] };

/** A message as it may be sent: calls are answered, answers have calls. */
export type SoundMessage =
  | { role: 'user'; content: string; pictures: Picture[] }
  | { role: 'assistant'; message: AssistantMessage; answers: Answer[] };

const NO_RESULT = errorForModel(
  'No result was recorded for this call; whether it was carried out is unknown.',
);

/**
 * Repairs a history so that servers accept it: each call has exactly one result, in call order; results
 * without a call, calls of unfinished messages and empty assistant messages are left out. Call ids are
 * matched only up to the next assistant message, since servers use the same ids again. A summary reads as a question.
 */
export function repairHistory(messages: Message[]): SoundMessage[] {
  return messages.flatMap((message, at): SoundMessage[] => {
    if (message.role === 'tool') return [];
    if (message.role !== 'assistant') {
      const pictures = message.role === 'user' ? (message.pictures ?? []) : [];
      return [{ role: 'user', content: message.content, pictures }];
    }
    const calls = message.status === 'complete' ? (message.tool_calls ?? []) : [];
    if (calls.length === 0 && message.content.trim() === '') return [];
    const results = calls.length === 0 ? new Map<string, never>() : resultsAfter(messages, at);
    const answers = calls.map((call) => ({
      call,
      content: NO_RESULT,
      pictures: [],
      ...results.get(call.id),
    }));
    return [{ role: 'assistant', message, answers }];
  });
}

/** Results by call id; of two for one call the later counts. */
function resultsAfter(messages: Message[], at: number): Map<string, Omit<Answer, 'call'>> {
  const results = new Map<string, Omit<Answer, 'call'>>();
  for (let next = at + 1; next < messages.length; next++) {
    const message = messages[next];
    if (message?.role === 'assistant') break;
    if (message?.role !== 'tool') continue;
    results.set(message.tool_call_id, { content: message.content, pictures: message.pictures ?? [] });
  }
  return results;
}
