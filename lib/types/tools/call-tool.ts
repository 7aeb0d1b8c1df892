import type { EndStatus, ToolCall } from './tool-call.ts';
import type { ToolResult } from './tool-result.ts';

export type CallOptions = {
  signal: AbortSignal;
  /** Awaited right before the call is dispatched (after any queueing), so that it can be written down first. */
  started: () => Promise<void>;
  /**
   * Awaited once the server works on the call as a task (MCP Tasks), so that it can be written down before anything else
   * happens; and once by each later worker that goes on with it, when the server still knows it.
   */
  accepted: (taskId: string) => Promise<void>;
  progress: (progress: CallProgress) => void;
};

/** How far a call is; `message`: what its server says of it. */
export type CallProgress = { progress?: number; total?: number; message?: string };

/** How a call that was made can end. `unknown`: its server or the network died, and it may have been carried out. */
export type CalledStatus = Extract<EndStatus, 'success' | 'error' | 'timeout' | 'cancelled' | 'unknown'>;

/** Makes one call. Never throws: a tool's failure is a result. */
export type CallTool = (
  call: Pick<
    ToolCall,
    'callId' | 'serverId' | 'toolName' | 'conversationId' | 'reads' | 'tab' | 'ofApp' | 'task'
  >,
  args: Record<string, unknown>,
  options: CallOptions,
) => Promise<{
  result: ToolResult;
  status: CalledStatus;
}>;
