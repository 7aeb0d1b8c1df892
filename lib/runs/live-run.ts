import type { AssistantMessage, Message } from '../types/message.ts';
import type { Activity, Run } from '../types/run.ts';
import type { Conversation } from '../types/conversation.ts';
import type { Decision, ToolCall } from '../types/tools/tool-call.ts';

/** A run in memory: a cache of its rows, and the answer that streams in. */
export type RunState = {
  run: Run;
  conversation: Conversation;
  /** The last message that is final, other than a tool's. */
  leaf: Message | undefined;
  /** The iteration that goes on; it counts, in the run's row, once its answer is whole. */
  iteration: number;
  /** The answer so far; at most a flush ahead of the disk. */
  streaming: AssistantMessage | undefined;
  /** What an earlier attempt left of this answer. It stays until the new one has something to say. */
  broken: AssistantMessage | undefined;
  /** Stands where other versions of an answer are and this one never began, so that they can be got back to. */
  standIn?: AssistantMessage;
  /** The current step's calls that have no result yet. */
  open: Map<string, ToolCall>;
  activity: Activity;
  /** What subscribers were last told of the answer that is not final. */
  told?: Pick<AssistantMessage, 'id' | 'status'>;
  /** Queued runs whose messages were handed to the loop and are not written down yet, by message id. */
  steers: Map<string, Run>;
};

/** A run that this worker drives. */
export type LiveRun = {
  state: RunState;
  abort: AbortController;
  /** Hands a waiting call the user's decision; also when the call has not begun to wait yet. */
  decide: (callId: string, decision: Decision) => void;
  /** Ends the wait for the next retry. */
  retryNow: () => void;
  /** What becomes of the queue at its end, if that is settled: nothing in it is sent by itself after a Stop. */
  queue?: 'goes_on' | 'is_taken_back';
  done: Promise<void>;
};
