import type { CallTool, Message, OfferedTool, StreamModel, ToolCall, WaitKind } from '../types.ts';

export type RunInput = {
  runId: string;
  conversationId: string;
  /** The conversation up to here, oldest first, without a broken message that this run replaces. */
  history: Message[];
  /** The rows of the last assistant message's calls, as they were found. */
  ledger: ToolCall[];
  /** Iterations this run has begun so far. */
  iteration: number;
  /** The id of the broken message that the first turn replaces. */
  replaces?: string;
};

/** The model, and the tools that are offered to it for the whole run. */
export type Prepared = { model: StreamModel; tools: OfferedTool[]; system?: string };

/** `allow` and `block` need nobody; otherwise the person's decision comes when it comes. */
export type Approval = 'allow' | 'block' | { decision: Promise<'allow' | 'deny'> };

export type AgentDeps = {
  /** Called once, before the first request to the model. A throw ends the run with that error. */
  prepare: () => Promise<Prepared>;
  callTool: CallTool;
  approve: (call: ToolCall, wait: WaitKind) => Promise<Approval>;
  /** Milliseconds since the epoch. */
  now: () => number;
  newId: () => string;
  maxIterations: number;
};
