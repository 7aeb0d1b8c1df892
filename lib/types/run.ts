import type { Attachment } from './attachment.ts';
import type { WireError } from './error.ts';
import type { AssistantMessage, Sources, SummaryMessage, UsageLimit, UserMessage } from './message.ts';
import type { WaitKind } from './tools/approval.ts';
import type { CallProgress } from './tools/call-tool.ts';
import type { Decision, EndStatus, ToolCall } from './tools/tool-call.ts';
import type { ToolResult } from './tools/tool-result.ts';
import type { ToolSource } from './tools/tool-source.ts';
import type { ToolAnnotations } from './tools/tool.ts';
import type { ChatChoice } from './conversation.ts';

export type RunEndReason = 'done' | 'cancelled' | 'limit' | 'error' | 'interrupted';

/** `queued` waits for the conversation's live run; `waiting` for the user; both keep no worker alive. */
export type RunStatus = 'queued' | 'working' | 'waiting' | 'ended';

/** A message that waits behind the live run. */
export type QueuedMessage = {
  id: string;
  text: string;
  attachments?: Attachment[];
  /** The queue goes by this, lowest first. */
  order: number;
  /** It goes to the model at the live run's next tool boundary; if there is none, it is sent when the run ends. */
  steer: boolean;
};

/** A request to the model that failed and is made again. */
export type Retry = {
  /** Which try comes next, 2 for the first repetition. */
  attempt: number;
  /** Tries in all. */
  of: number;
  /** ISO 8601: when it is made. */
  at: string;
  /** Why the last one failed. */
  error: WireError;
};

export type Run = {
  id: string;
  conversationId: string;
  status: RunStatus;
  /** The last message of the branch, other than a tool's, that is durable and final; what comes next follows from it. */
  leafId: string | null;
  /** Iterations begun so far. */
  iteration: number;
  /** Times a starting worker picked this run up since the last progress. */
  resumes: number;
  /** ISO 8601, of the last finished step (a whole message or a result). */
  progressAt: string;
  startedAt: string;
  /** What to send when a queued run begins; stays on a run that was removed from the queue. */
  queued?: QueuedMessage;
  /** It summarises the older part and does nothing else. */
  compacts?: true;
  /** The model that it asks instead of its conversation's. */
  by?: Pick<ChatChoice, 'providerId' | 'model'>;
  /** It ends once its chat, which it began, has used that much. */
  limit?: UsageLimit;
  /** Set while the run waits to ask the model again. */
  retry?: Retry;
  /** Names of enabled servers that were not connected when the run started: it goes on without them. */
  missing?: string[];
  /** Tools that no model takes, by their servers' names of them: they were left out. */
  unfit?: string[];
  reason?: RunEndReason;
  error?: WireError;
  /** It was queued, and its message went back into the draft when the run before it was stopped or failed. */
  unsent?: true;
};

/** What a live run is at that no row says: it ends with the worker. */
export type Activity = {
  /** The allowance of the iteration that goes on; null: none was begun. */
  maxIterations: number | null;
  /** The model is writing a summary of the older part. */
  summarising: boolean;
  /** Of calls that have not ended, by their id. */
  progress: Record<string, CallProgress>;
};

/** A piece of a call that the model is still writing. */
export type CallDeltaPart = { position: number; name: string };

export const idle: Activity = { maxIterations: null, summarising: false, progress: {} };

/** The events of one run, in order (architecture.md, "The run"). */
export type RunEvent =
  | { type: 'run_start'; runId: string }
  /** Comes again, with the same ids, when a request is repeated: what streamed before it is then replaced. */
  | ({ type: 'iteration_start'; iteration: number; maxIterations: number; messageId: string } & Sources)
  | { type: 'text_delta'; messageId: string; text: string }
  | { type: 'reasoning_delta'; messageId: string; text: string }
  | { type: 'call_delta'; messageId: string; position: number; name: string; arguments: string }
  /** The request failed and is made again in `delayMs`; an iteration_start follows, or the run ends. */
  | {
      type: 'retry_scheduled';
      messageId: string;
      attempt: number;
      of: number;
      delayMs: number;
      error: WireError;
    }
  /** `calls`: the ledger rows of its calls, in call order. */
  | { type: 'message_end'; message: AssistantMessage; calls: ToolCall[] }
  | ({ type: 'approval_required'; wait: WaitKind; annotations?: ToolAnnotations } & CallIdentity)
  | ({ type: 'approval_resolved'; callId: string } & Decision)
  | ({ type: 'call_start' } & CallIdentity)
  /** The server works on it as a task; comes again when a later worker goes on with that. */
  | { type: 'call_task'; callId: string; taskId: string }
  | ({ type: 'call_progress'; callId: string } & CallProgress)
  | {
      type: 'call_end';
      callId: string;
      result: ToolResult;
      isError: boolean;
      status: EndStatus;
      durationMs: number;
    }
  | { type: 'iteration_end'; iteration: number }
  /** A steering message, between two steps. */
  | { type: 'steered'; message: UserMessage }
  /** The older part of the branch is being summarised, because the context is nearly full. */
  | { type: 'summary_start' }
  | { type: 'summary_end'; message: SummaryMessage }
  | { type: 'run_end'; runId: string; reason: RunEndReason; error?: WireError };

export type CallIdentity = {
  callId: string;
  toolName: string;
  namespacedName: string;
  serverId: ToolSource;
  /** JSON text of what runs. */
  arguments: string;
};
