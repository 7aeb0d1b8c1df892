import type { AssistantMessage, Message, SummaryMessage, UserMessage } from '../../types/message.ts';

/**
 * What the log shows as one: a message of the user, all that the assistant did about it, or the place from which
 * on the model reads a summary of what stands before.
 */
export type Turn =
  | { type: 'you'; key: string; message: UserMessage }
  | { type: 'assistant'; key: string; messages: AssistantMessage[] }
  | { type: 'summary'; key: string; message: SummaryMessage };

/** Summaries stand where they hold, not where they were written: what is above one, the model reads only in it. */
function placed(messages: Message[]): Message[] {
  const order = [...messages];
  for (const summary of messages) {
    if (summary.role !== 'summary' || summary.keepsFrom === null) continue;
    order.splice(order.indexOf(summary), 1);
    // One that keeps from a message that is not loaded holds for what is above all that is.
    const at = order.findIndex(({ id }) => id === summary.keepsFrom);
    order.splice(Math.max(0, at), 0, summary);
  }
  return order;
}

/**
 * Groups messages, oldest first; tool messages are bookkeeping and belong to no article.
 * @param before the turns as they were: what is still the same keeps its identity, so that it is not drawn again
 */
export function turnsOf(messages: Message[], before: Turn[] = []): Turn[] {
  const known = new Map(before.map((turn) => [turn.key, turn]));
  const turns = grouped(messages).map((turn) => {
    const same = known.get(turn.key);
    return same && areSame(messagesIn(same), messagesIn(turn)) ? same : turn;
  });
  return areSame(before, turns) ? before : turns;
}

const messagesIn = (turn: Turn): Message[] => (turn.type === 'assistant' ? turn.messages : [turn.message]);

const areSame = (some: unknown[], others: unknown[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

function grouped(messages: Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of placed(messages)) {
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

/** How many of the log's messages, from the user's next one on, follow the answer that a message belongs to. */
export function messagesAfter(messages: Message[], messageId: string): number {
  const at = messages.findIndex(({ id }) => id === messageId);
  if (at === -1) return 0;
  const next = messages.findIndex(({ role }, position) => position > at && role === 'user');
  return next === -1 ? 0 : turnsOf(messages.slice(next)).filter(({ type }) => type !== 'summary').length;
}
