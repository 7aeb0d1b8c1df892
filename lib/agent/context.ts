import type { RunEvent } from '../types/run.ts';
import type { AgentDeps, Prepared, RunInput } from './deps.ts';
import type { Emit } from './stream.ts';

/** What every step of a run is handed. */
export type RunContext = { input: RunInput; deps: AgentDeps; signal: AbortSignal; emit: Emit<RunEvent> };

/** A run that has its model and its tools. */
export type ReadyContext = RunContext & { prepared: Prepared };
