import type { Message, ToolMessage } from '../../types/message.ts';
import { shortenedResult } from './result-text.ts';
import { byteLength } from './shorten.ts';
import { bytesOfTokens } from '../../types/tokens.ts';

/** The results of one step take no more than this share of the context window. */
const SHARE = 0.25;

/**
 * The branch as it is sent to a model that reads `window` tokens: where the results of a step (all those of one
 * message's calls) are too long for it together, each of the longer ones keeps less of its head and tail. The stored
 * messages stay as they are, since another model may read more.
 * @param halves how many times what the newest step may take is halved; a server found the request too long
 */
export function fitResults(history: Message[], window: number, halves = 0): Message[] {
  const room = bytesOfTokens(SHARE * window);
  const results = history.filter((message) => message.role === 'tool');
  const newest = results.at(-1)?.parentId;
  const steps = new Map<string | null, ToolMessage[]>();
  for (const result of results) {
    const step = steps.get(result.parentId);
    if (step) step.push(result);
    else steps.set(result.parentId, [result]);
  }
  const limits = new Map(
    [...steps].map(([step, messages]) => [step, limitOf(messages, room, step === newest ? halves : 0)]),
  );
  return history.map((message) =>
    message.role === 'tool' ? shortenedResult(message, limits.get(message.parentId) ?? Infinity) : message,
  );
}

/** Bytes that each may take at most so that all of them fit; what short ones leave is the long ones'. */
function limitOf(messages: ToolMessage[], room: number, halves: number): number {
  // Most steps need no counting: a UTF-16 unit takes at most three bytes.
  if (halves === 0 && messages.reduce((sum, { content }) => sum + content.length * 3, 0) <= room)
    return Infinity;
  const sizes = messages.map(({ content }) => byteLength(content)).toSorted((a, b) => a - b);
  const taken = sizes.reduce((sum, size) => sum + size, 0);
  let left = Math.min(room, taken) / 2 ** halves;
  for (const [at, size] of sizes.entries()) {
    const share = left / (sizes.length - at);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return Infinity;
}
