import type { WireError } from '../types/error.ts';
import type { RunContext } from './context.ts';

const TRIES = 5;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 16_000;
const LONGEST_ASKED_MS = 60_000;

/**
 * Makes a request to the model, again as long as it fails in a way that may pass. Announces each wait; a stop ends it.
 * @param messageId of the message that the request is to become
 * @returns how the last try ended
 */
export async function retried<T extends { error?: WireError }>(
  { deps, signal, emit }: RunContext,
  messageId: string,
  request: () => Promise<T>,
): Promise<T> {
  for (let attempt = 2; ; attempt += 1) {
    const end = await request();
    const { error } = end;
    if (!error?.retryable || attempt > TRIES || signal.aborted) return end;
    const delayMs = delayBefore(attempt, error, deps.random);
    await emit({ type: 'retry_scheduled', messageId, attempt, of: TRIES, delayMs, error });
    await deps.wait(delayMs, signal);
    if (signal.aborted) return end;
  }
}

/** Doubles with every try, half of it left to chance, and is never shorter than the other side asked. */
function delayBefore(attempt: number, { retryAfterMs = 0 }: WireError, random: () => number): number {
  const longest = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 2), LONGEST_DELAY_MS);
  const delay = Math.round(longest * (0.5 + random() / 2));
  return Math.max(delay, Math.min(retryAfterMs, LONGEST_ASKED_MS));
}
