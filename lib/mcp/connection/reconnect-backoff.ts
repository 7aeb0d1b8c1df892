import { wait } from '../../async.ts';
import { AppError } from '../../errors.ts';
import { SERVER_ENDED } from '../transport/native-transport.ts';
import type { ConnectionConfig } from '../settings.ts';

/** Milliseconds before each retry of a lost server, whose status does not change yet: most are back from a restart by then. */
const PAUSES = [300, 1000, 2000, 4000];
/** The same of a program that ended by itself. */
const RESTART_PAUSES = PAUSES.slice(0, 2);
export const MOST_RESTARTS = RESTART_PAUSES.length + 1;
/** Milliseconds after which its status says that it is lost. */
const GRACE = 8000;

/** Retries a job for as long as its error is retryable. @throws what it threw last; `signal.reason` */
export async function withBackoff<T>(
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
      const ms = Math.max(pause, error.retryAfterMs ?? 0);
      if (performance.now() - start + ms > GRACE) throw error;
      await wait(ms, signal);
      signal.throwIfAborted();
    }
  }
  return job();
}
