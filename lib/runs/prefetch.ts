import type { Message } from '../types/message.ts';
import type { RunDeps } from './deps.ts';

/** What a new run begins with, read while the run is being written down: nothing is left to wait for then. */
export type Prefetched = {
  prepared: ReturnType<RunDeps['prepare']>;
  maxIterations: Promise<number>;
  history: Message[];
};

/** A prefetch: its failure reaches the caller that awaits it later. */
export function prefetch<T>(asked: Promise<T>): Promise<T> {
  asked.catch(() => undefined);
  return asked;
}
