import type { WireError } from '../types/error.ts';
import type { RunContext } from './deps.ts';
import { t } from '../../locales/texts/errors.ts';

const TRIES = 5;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 16_000;
const LONGEST_ASKED_MS = 60_000;

/**
 * Makes a request to the model, again as long as it fails in a way that may pass. Announces each wait; a stop ends it.
 * The first request of a resumed run waits first for what an earlier worker left of its wait, and counts on from there.
 * @param messageId of the message that the request is to become
 * @returns how the last try ended
 * @throws the signal's reason when the run is stopped in that first wait
 */
export async function withRetries<T extends { error?: WireError }>(
  { deps, signal, emit, takeRetry }: RunContext,
  messageId: string,
  request: () => Promise<T>,
): Promise<T> {
  const wait = async (attempt: number, delayMs: number, error: WireError) => {
    await emit({ type: 'retry_scheduled', messageId, attempt, of: TRIES, delayMs, error });
    await deps.wait(delayMs, signal);
  };
  const left = takeRetry();
  if (left) {
    await wait(left.attempt, Math.max(0, left.waitMs), left.error);
    signal.throwIfAborted();
  }
  for (let attempt = (left?.attempt ?? 1) + 1; ; attempt += 1) {
    const end = await request();
    const { error } = end;
    if (!error?.retryable || signal.aborted) return end;
    if (attempt > TRIES) return { ...end, error: afterTries(error) };
    await wait(attempt, delayBefore(attempt, error, deps.random), error);
    if (signal.aborted) return end;
  }
}

/** The last try's error, which says that it was not the only one. */
const afterTries = (error: WireError): WireError => ({
  ...error,
  message: `${error.message} ${t(($) => $.errors.chat.tried, { count: TRIES })}`,
});

/**
 * Milliseconds to wait before a try. Doubles with every one, half of it left to chance, and is never shorter than the
 * other side asked.
 * @param attempt 2 for the first repetition
 * @param random from 0 up to 1
 */
export function delayBefore(
  attempt: number,
  { retryAfterMs = 0 }: Pick<WireError, 'retryAfterMs'>,
  random: () => number,
): number {
  const longest = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 2), LONGEST_DELAY_MS);
  const delay = Math.round(longest * (0.5 + random() / 2));
  return Math.max(delay, Math.min(retryAfterMs, LONGEST_ASKED_MS));
}
