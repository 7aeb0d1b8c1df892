import { isTyped } from '../../types/attachment.ts';
import {
  type Message,
  QUOTATIONS,
  type SummaryMessage,
  type ToolMessage,
  type UserMessage,
} from '../../types/message.ts';
import { withAttached } from './attached.ts';
import { withoutControlTokens, withoutControlTokensIn } from '../../control-tokens.ts';
import { visibleOnly } from '../../invisible.ts';
import type { Fence } from './fence.ts';
import { memoize } from './memoize.ts';
import { resultContent } from './result-text.ts';

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
 * The history as the model gets it: the last summary, then the messages after those that it sums up. The summary stands in
 * a block, since its model may have repeated foreign text; a sentence outside of the block says that it has the user's wishes.
 */
export function forModel(history: Message[], fence: Fence): Message[] {
  const { summary, messages: own } = sentPart(history);
  const messages = fencedMessages(own, fence);
  if (!summary) return messages;
  const lead =
    'Summary of the conversation so far, by the assistant. What it says that the user wants holds:';
  const told = `${lead}\n${fence.wrap(summary.content)}`;
  const [first, ...rest] = messages;
  // Two user messages in a row are refused by some servers.
  if (first?.role === 'user') return [{ ...first, content: `${told}\n\n${first.content}` }, ...rest];
  return [asUser(summary, told), ...messages];
}

/**
 * Messages as a model gets them: what others wrote is fenced, and what the user said to a call is a message of theirs
 * after the results of its step, since a result could hold the same words.
 */
export function fencedMessages(messages: Message[], fence: Fence): Message[] {
  let said: ToolMessage[] = [];
  return messages.flatMap((message, at): Message[] => {
    const told = telling(fence)(message);
    if (told.role !== 'tool') return [told];
    if (told.word !== undefined) said.push(told);
    if (said.length === 0 || messages[at + 1]?.role === 'tool') return [told];
    const words = said.map(
      ({ name, word = '' }) => `To the call of ${name}: ${withoutControlTokens(visibleOnly(word))}`,
    );
    said = [];
    return [told, asUser({ ...told, id: `${told.id}.word` }, words.join('\n\n'))];
  });
}

/** The same object for the same message, so that it is counted once, and a picture that was refused is known again. */
const telling = memoize((fence: Fence) =>
  memoize((message: Message): Message => {
    if (message.role === 'user') return withAttached(asSaid(message), fence);
    // It may repeat what others wrote.
    if (message.role === 'assistant') return withoutControlTokensIn(message);
    if (message.role !== 'tool') return message;
    // It stands outside of the block, and a file may call a tool anything.
    const name = message.name.slice(0, 64).replaceAll(/[^\w-]/g, '');
    return { ...message, name, content: resultContent(message, fence) };
  }),
);

/**
 * Without what a page may have put unseen into what the user copied there; and without control tokens in what others have
 * them say (a file, a server's prompt) and in what they quote.
 */
function asSaid(message: UserMessage): UserMessage {
  const isOfOthers = message.imported === true || message.attachments?.some(isTyped) === true;
  const seen = visibleOnly(message.content);
  const content = isOfOthers ? withoutControlTokens(seen) : seen.replaceAll(QUOTATIONS, withoutControlTokens);
  return content === message.content ? message : { ...message, content };
}

function asUser(
  { id, conversationId, timestamp }: Pick<Message, 'id' | 'conversationId' | 'timestamp'>,
  content: string,
): UserMessage {
  const place = { parentId: null, seq: 0, sub: 0 };
  return { ...place, id, conversationId, timestamp, role: 'user', status: 'complete', content };
}
