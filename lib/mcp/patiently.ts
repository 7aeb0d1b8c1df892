import { AppError } from '../errors.ts';
import { sleep } from './clock.ts';
import { SERVER_ENDED } from './native-transport.ts';
import type { ConnectionConfig } from './settings.ts';

/** A lost server is tried again in silence, after these pauses in milliseconds: most come back from a restart in them. */
const PAUSES = [300, 1000, 2000, 4000];
/** The same of a program that ends by itself. One that ends soon is started so often in a row. */
const RESTART_PAUSES = PAUSES.slice(0, 2);
export const MOST_RESTARTS = RESTART_PAUSES.length + 1;
/** After so long it is said to be lost. */
const SILENCE = 8000;

/** Runs it again, for a while, for as long as it fails in a way that may pass. @throws what it threw last; `signal.reason` */
export async function patiently<T>(
  job: () => Promise<T>,
  { transport }: ConnectionConfig,
  signal: AbortSignal,
): Promise<T> {
  const start = performance.now();
  for (const pause of transport === 'stdio' ? RESTART_PAUSES : PAUSES) {
    try {
      return await job();
    } catch (error) {
      if (!(error instanceof AppError) || !(error.retryable || error.code === SERVER_ENDED)) throw error;
      const wait = Math.max(pause, error.retryAfterMs ?? 0);
      if (performance.now() - start + wait > SILENCE) throw error;
      await sleep(wait, signal);
    }
  }
  return job();
}
