import type { AssistantMessage, Message } from '../../types/message.ts';
import type { Fence } from './fence.ts';
import { type Sent, fencedMessages } from './for-model.ts';
import { byteLength, shorten } from './shorten.ts';

/** One message takes no more than this, lest a single long result crowd out the rest. */
const LONGEST_PART_BYTES = 8 * 1024;
/** Of the words and the tags around an earlier summary or an answer. */
const AROUND_BYTES = 80;
const LEFT_OUT = '\n[…]\n';

/**
 * Messages as one text, for a model that is to summarise them: the earlier summary, then as much of the newest as fits.
 * An answer is in a block, too: it may repeat what others wrote, and none of its lines may pass for the user's.
 * @param limit bytes of UTF-8, about
 */
export function transcript({ summary, messages }: Sent, limit: number, fence: Fence): string {
  const longest = Math.min(LONGEST_PART_BYTES, Math.floor(limit / 2));
  const earlier = summary
    ? [`Summary of what came before:\n${fence.wrap(cut(summary.content, longest - AROUND_BYTES))}`]
    : [];
  const told = fencedMessages(
    messages.map((message) => shortenMessage(message, longest, fence)),
    fence,
  );
  const parts: string[] = [];
  let room = limit - byteLength(earlier.join(''));
  for (const message of told.toReversed()) {
    const part = lineOf(message);
    room -= byteLength(part);
    if (room < 0 && parts.length > 0) break;
    parts.push(part);
  }
  const gap = parts.length < told.length ? [LEFT_OUT.trim()] : [];
  return [...earlier, ...gap, ...parts.toReversed()].join('\n\n');
}

const cut = (text: string, most: number): string => shorten(text, most, () => LEFT_OUT);

/** The same of the user's words: what is left of a line that quotes others quotes them still. */
const cutWords = (text: string, most: number): string =>
  shorten(text, most, ({ to }) => LEFT_OUT + (text[text.lastIndexOf('\n', to - 1) + 1] === '>' ? '> ' : ''));

/** Cut before it is fenced: what is cut later may lose the end of a block. */
function shortenMessage(message: Message, longest: number, fence: Fence): Message {
  if (message.role === 'assistant') {
    const content = fence.wrap(cut(calling(message), longest - AROUND_BYTES));
    return { ...message, content, tool_calls: [] };
  }
  const { attachments = [] } = message.role === 'user' ? message : {};
  const each = longest / (attachments.length + 1);
  const attached = attachments.map((attachment) => ({ ...attachment, text: cut(attachment.text, each) }));
  return {
    ...message,
    content: cutWords(message.content, each),
    ...(attached.length > 0 && { attachments: attached }),
  };
}

function calling({ content, tool_calls: calls = [] }: AssistantMessage): string {
  return content + calls.map((call) => `\n(calls ${call.name} with ${call.arguments})`).join('');
}

function lineOf(message: Message): string {
  if (message.role === 'tool') return `Result of ${message.name}: ${message.content}`;
  return `${message.role === 'assistant' ? 'Assistant' : 'User'}: ${message.content}`;
}
