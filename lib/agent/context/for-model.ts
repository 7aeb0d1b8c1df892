import type { Message, SummaryMessage, UserMessage } from '../../types/message.ts';
import { withAttached } from './attached.ts';

/** The part of a branch that is still sent as it is, and the summary that tells what came before it. */
export type Sent = { summary?: SummaryMessage; messages: Message[] };

/** What is left of the branch after its last summary took the place of the older part. */
export function sentPart(branch: Message[]): Sent {
  const history = branch.filter((message) => !isWarning(message));
  const at = history.findLastIndex(({ role }) => role === 'summary');
  const summary = history[at];
  if (summary?.role !== 'summary') return { messages: history };
  const from = history.findIndex(({ id }) => id === summary.keepsFrom);
  const kept = history.slice(from === -1 ? at + 1 : from);
  return { summary, messages: kept.filter(({ role }) => role !== 'summary') };
}

/** The warning at the iteration limit is the user's; the model never said it. */
function isWarning(message: Message): boolean {
  return message.role === 'assistant' && message.finish === 'limit';
}

/**
 * The history as the model gets it: the last summary as a user's words in front, then what it does not tell, with what
 * the user attached as part of their words.
 */
export function forModel(history: Message[]): Message[] {
  const { summary, messages: own } = sentPart(history);
  const messages = own.map((message) => (message.role === 'user' ? withAttached(message) : message));
  if (!summary) return messages;
  const told = `Summary of the conversation so far:\n${summary.content}`;
  const [first, ...rest] = messages;
  // Two user messages in a row are refused by some servers.
  if (first?.role === 'user') return [{ ...first, content: `${told}\n\n${first.content}` }, ...rest];
  return [asUser(summary, told), ...messages];
}

function asUser(
  { id, conversationId, timestamp }: Pick<Message, 'id' | 'conversationId' | 'timestamp'>,
  content: string,
): UserMessage {
  const place = { parentId: null, seq: 0, sub: 0 };
  return { ...place, id, conversationId, timestamp, role: 'user', status: 'complete', content };
}
