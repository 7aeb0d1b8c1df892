import type { AssistantMessage, Message, UsageLimit } from '../types/message.ts';
import type { Fence } from './context/fence.ts';
import type { Price, StreamModel } from '../types/model.ts';
import type { QueuedMessage, Retry, RunEvent } from '../types/run.ts';
import type { WaitKind } from '../types/tools/approval.ts';
import type { CallTool } from '../types/tools/call-tool.ts';
import type { Decision, ToolCall } from '../types/tools/tool-call.ts';
import type { OfferedTool } from '../types/tools/tool.ts';
import type { Emit } from './stream.ts';

export type RunInput = {
  runId: string;
  conversationId: string;
  /** The branch up to here, oldest first, without a broken message that this run replaces. */
  history: Message[];
  /** The rows of the last assistant message's calls, as they were found. */
  ledger: ToolCall[];
  /** The older part is summarised, and that is all. */
  compacts?: true;
  /** Iterations this run has begun so far. */
  iteration: number;
  /** The id of the broken message that the first turn replaces. */
  replaces?: string;
  /** What is left of the wait before the first request's next try, when a worker died in the middle of it. */
  retry?: RetryLeft;
};

/** `attempt`: which try comes next, 2 for the first repetition. `error`: why the last one failed. */
export type RetryLeft = Pick<Retry, 'attempt' | 'error'> & { waitMs: number };

/** The model, and what is offered to it for the whole run. */
export type Prepared = {
  model: StreamModel;
  modelName: string;
  /** Everything that the run may call, in a stable order; `searchTool` is not among them. */
  tools: OfferedTool[];
  /** Tools that come and go during the run, as they are now: those of pages and of apps. They follow the others. Never rejects. */
  live?: (history: Message[]) => Promise<OfferedTool[]>;
  /** Which skill a call of `use_skill` with these arguments goes to. */
  skillOf?: ((args: Record<string, unknown>) => OfferedTool | undefined) | undefined;
  /** Why tools that exist are not offered, by their offered names, in a sentence each. */
  withheld?: ReadonlyMap<string, string> | undefined;
  /** Finds tools when they are too many to send. Its results are JSON, `{tools: [{name, description}]}`. */
  searchTool: OfferedTool;
  /** More tools than `count`, or definitions over `share` (0 to 1) of the context window, are found by search. */
  toolLimit: { count: number; share: number };
  /** False: the model gets no tools and answers in one pass. */
  callsTools: boolean;
  /** Tokens of request and answer together. */
  contextWindow: number;
  /** For what others wrote, in every request of the run; `system` has its rule. */
  fence: Fence;
  system?: string;
  /** Whose instructions are in `system`. */
  instructedBy?: AssistantMessage['instructedBy'];
  /** Whose text may be behind notes in `system`, and the files in it. */
  notesFrom?: string[];
  price?: Price;
};

/**
 * `allow` and `block` need no approval, `allow` of a call whose outcome is unknown has it made again; otherwise the user's
 * decision comes when it comes.
 */
export type Approval = 'allow' | 'block' | { decision: Promise<Decision> };

export type AgentDeps = {
  /** Called once, before it is first needed. A throw ends the run with that error. */
  prepare: () => Promise<Prepared>;
  callTool: CallTool;
  approve: (call: ToolCall, wait: WaitKind) => Promise<Approval>;
  /** What a tool's JSON schema says against a value, in one readable sentence; undefined when it fits. */
  checkArguments: (
    schema: Record<string, unknown>,
    args: Record<string, unknown>,
    isOwn: boolean,
  ) => string | undefined;
  /** The offered names that are most like one that does not exist, best first. */
  nearNames: (name: string, tools: OfferedTool[]) => string[];
  /** The steering messages since the last time, oldest first; each is given out once. */
  takeSteers: () => Promise<Pick<QueuedMessage, 'id' | 'text' | 'attachments'>[]>;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  random: () => number;
  /** Milliseconds since the epoch. */
  now: () => number;
  newId: () => string;
  maxIterations: number;
  /** The model is asked no more once the run has used that much. */
  limit?: { most: UsageLimit; used: () => Required<UsageLimit> };
};

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
