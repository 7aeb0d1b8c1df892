import type { Message } from '../../types/message.ts';
import { withAttached } from './attached.ts';
import type { Sent } from './for-model.ts';
import { byteLength, shorten } from './shorten.ts';

/** One message takes no more than this, lest a single long result crowd out the rest. */
const LONGEST_PART_BYTES = 8 * 1024;
const LEFT_OUT = '\n[…]\n';

/**
 * Messages as one text, for a model that is to summarise them: the earlier summary, then as much of the newest as fits.
 * @param limit bytes of UTF-8, about
 */
export function transcript({ summary, messages }: Sent, limit: number): string {
  const longest = Math.min(LONGEST_PART_BYTES, Math.floor(limit / 2));
  const short = (text: string) => shorten(text, longest, () => LEFT_OUT);
  const earlier = summary ? [short(`Summary of what came before: ${summary.content}`)] : [];
  const parts: string[] = [];
  let room = limit - byteLength(earlier.join(''));
  for (const message of messages.toReversed()) {
    const part = short(told(message));
    room -= byteLength(part);
    if (room < 0 && parts.length > 0) break;
    parts.push(part);
  }
  const gap = parts.length < messages.length ? [LEFT_OUT.trim()] : [];
  return [...earlier, ...gap, ...parts.toReversed()].join('\n\n');
}

function told(message: Message): string {
  if (message.role === 'tool') return `Result of ${message.name}: ${message.content}`;
  if (message.role === 'user') return `User: ${withAttached(message).content}`;
  if (message.role === 'summary') return `User: ${message.content}`;
  const calls = (message.tool_calls ?? []).map((call) => `\n(calls ${call.name} with ${call.arguments})`);
  return `Assistant: ${message.content}${calls.join('')}`;
}
