import type { AssistantMessage, Message, SummaryMessage, UserMessage } from '../types/message.ts';

/**
 * What the log shows as one: a message of the person, all that the assistant did about it, or the place from which
 * on the model reads a summary of what stands before.
 */
export type Turn =
  | { type: 'you'; key: string; message: UserMessage }
  | { type: 'assistant'; key: string; messages: AssistantMessage[] }
  | { type: 'summary'; key: string; message: SummaryMessage };

/** Groups messages, oldest first; tool messages are bookkeeping and belong to no article. */
export function turnsOf(messages: Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === 'user') turns.push({ type: 'you', key: message.id, message });
    else if (message.role === 'summary') turns.push({ type: 'summary', key: message.id, message });
    else if (message.role === 'assistant') {
      if (last?.type === 'assistant') last.messages.push(message);
      else turns.push({ type: 'assistant', key: message.id, messages: [message] });
    }
  }
  return turns;
}
