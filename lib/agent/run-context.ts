import type { RunEvent } from '../types/run.ts';
import type { AgentDeps, Prepared, RetryLeft, RunInput } from './deps.ts';
import type { Emit } from './stream.ts';

/** What every step of a run is handed. */
export type RunContext = {
  input: RunInput;
  deps: AgentDeps;
  signal: AbortSignal;
  emit: Emit<RunEvent>;
  /** Gives the run's `input.retry` to the first model request, and nothing from then on. */
  takeRetry: () => RetryLeft | undefined;
};

/** A run that has its model and its tools. */
export type ReadyContext = RunContext & { prepared: Prepared };
