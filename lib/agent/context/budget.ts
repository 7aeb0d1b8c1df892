import type { Message } from '../../types/message.ts';
import type { Prepared } from '../deps.ts';
import type { Fence } from './fence.ts';
import { forModel, fencedMessages } from './for-model.ts';
import { offer } from '../offer.ts';
import { tokensOfMessages, tokensOfTools } from './tokens.ts';
import { FULL_CONTEXT, tokensOf } from '../../types/tokens.ts';

export function isNearlyFull(tokens: number, { contextWindow }: Prepared): boolean {
  return tokens > FULL_CONTEXT * contextWindow;
}

/**
 * About how many tokens the next request takes: what the model itself counted last on this branch, and an estimate of
 * what followed; else all of it estimated.
 */
export function requestTokens(prepared: Prepared, history: Message[]): number {
  const summarised = history.findLastIndex(({ role }) => role === 'summary');
  const at = history.findLastIndex((message) => countedTokens(message, prepared.modelName) > 0);
  const last = history[at];
  if (last && at > summarised) {
    const since = forModel(history.slice(at + 1), prepared.fence);
    return countedTokens(last, prepared.modelName) + tokensOfMessages(since);
  }
  const definitions = tokensOfTools(offer(prepared, history));
  return tokensOf(prepared.system ?? '') + definitions + tokensOfMessages(forModel(history, prepared.fence));
}

/** Tokens of a request and its answer, as this model counted them; 0 when it did not. */
function countedTokens(message: Message, modelName: string): number {
  if (message.role !== 'assistant' || message.model !== modelName || !message.usage) return 0;
  const { inputTokens, outputTokens } = message.usage;
  return inputTokens > 0 ? inputTokens + outputTokens : 0;
}

/**
 * Where the newest part begins that fits in `room` tokens: at a user's message, or at an assistant's with all its
 * results. It always holds at least the newest of these, however long that is.
 * @returns an index into `messages`
 */
export function keptFrom(messages: Message[], room: number, fence: Fence): number {
  let from = messages.length;
  let tokens = 0;
  for (const [at, message] of [...messages.entries()].toReversed()) {
    tokens += tokensOfMessages(fencedMessages([message], fence));
    if (tokens > room && from < messages.length) break;
    if (message.role !== 'tool') from = at;
  }
  return from;
}
