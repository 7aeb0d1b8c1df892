import type { Chat } from '../../lib/state/chat/chat.ts';
import type { WireError } from '../../lib/types/error.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import type { Retry, Run, RunEndReason } from '../../lib/types/run.ts';
import type { WaitKind } from '../../lib/types/tools/approval.ts';
import type { CallProgress } from '../../lib/types/tools/call-tool.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';

/** A call as `--json` prints it: with its arguments parsed; as text where they are no JSON. */
export type CallLine = {
  callId: string;
  toolName: string;
  namespacedName: string;
  serverId: number | null;
  arguments: unknown;
};

/** What happens in a run, as `--json` prints it: one a line (docs/command-line.md). */
export type RunLine =
  | { type: 'run_start'; runId: string }
  | { type: 'summary_start' }
  | { type: 'summary_end'; messageId: string }
  | { type: 'iteration_start'; iteration: number; messageId: string }
  | { type: 'text_delta' | 'reasoning_delta'; messageId: string; text: string }
  | ({ type: 'retry_scheduled' } & Retry)
  | { type: 'message_end'; message: AssistantMessage }
  | ({ type: 'approval_required'; wait: WaitKind } & CallLine)
  | { type: 'approval_resolved'; callId: string; decision: 'allow' | 'deny' }
  | ({ type: 'call_start' } & CallLine)
  | ({ type: 'call_progress'; callId: string } & CallProgress)
  | {
      type: 'call_end';
      callId: string;
      status: ToolCall['status'];
      isError: boolean;
      result: string;
      durationMs: number;
    }
  | { type: 'iteration_end'; iteration: number }
  | { type: 'run_end'; runId: string; reason: RunEndReason; error?: WireError };

/** What happened to a run between two states of its chat, in the order in which it does. */
export function linesBetween(before: Chat, after: Chat, runId: string): RunLine[] {
  const [run, was] = [runIn(after, runId), runIn(before, runId)];
  if (!run) return [];
  const isOver = run.status === 'ended' && was?.status !== 'ended';
  const { retry } = run;
  const answers = answersIn(after, run);
  return [
    ...(was ? [] : [{ type: 'run_start', runId } as const]),
    ...summaries(before, after, runId),
    ...answers.flatMap((message, at) => [
      ...answerLines(before, message, run.iteration - (answers.length - 1 - at)),
      ...callsOf(after, message).flatMap((call) => callLines(before.calls[call.callId], call)),
    ]),
    ...(retry && retry.at !== was?.retry?.at ? [{ type: 'retry_scheduled', ...retry } as const] : []),
    ...progressLines(before, after),
    ...(isOver ? endLines(run) : []),
  ];
}

const callsOf = ({ calls }: Chat, { id }: AssistantMessage): ToolCall[] =>
  Object.values(calls).filter(({ messageId }) => messageId === id);

const runIn = ({ runs }: Chat, runId: string): Run | undefined => runs.find(({ id }) => id === runId);

const answersIn = ({ messages }: Chat, { id }: Run): AssistantMessage[] =>
  messages.filter((message) => message.role === 'assistant').filter(({ runId }) => runId === id);

function summaries(before: Chat, after: Chat, runId: string): RunLine[] {
  const known = new Set(before.messages.map(({ id }) => id));
  const written = after.messages.filter(
    (message) => message.role === 'summary' && message.runId === runId && !known.has(message.id),
  );
  return [
    ...(after.summarising && !before.summarising ? [{ type: 'summary_start' } as const] : []),
    ...written.map(({ id }) => ({ type: 'summary_end', messageId: id }) as const),
  ];
}

function answerLines(before: Chat, message: AssistantMessage, iteration: number): RunLine[] {
  const { id: messageId, status } = message;
  const known = before.messages.find(({ id }) => id === messageId);
  const was = known?.role === 'assistant' ? known : undefined;
  const isBegun = status === 'streaming' && was?.status !== 'streaming';
  const isEnded = status !== 'streaming' && was?.status !== status;
  const text = (type: 'text_delta' | 'reasoning_delta', now: string, then = ''): RunLine[] => {
    const fresh = now.startsWith(then) ? now.slice(then.length) : now;
    return fresh === '' ? [] : [{ type, messageId, text: fresh }];
  };
  const isFirstSeen = was === undefined && iteration > 1;
  return [
    ...(isFirstSeen ? [{ type: 'iteration_end', iteration: iteration - 1 } as const] : []),
    ...(isBegun || (isEnded && !was) ? [{ type: 'iteration_start', iteration, messageId } as const] : []),
    ...text('reasoning_delta', message.reasoning ?? '', was?.reasoning),
    ...text('text_delta', message.content, was?.content),
    ...(isEnded ? [{ type: 'message_end', message } as const] : []),
  ];
}

const DENIED = new Set<ToolCall['status']>(['denied', 'unknown']);
const UNDECIDED = new Set<ToolCall['status']>(['pending', 'cancelled']);

function callLines(was: ToolCall | undefined, call: ToolCall): RunLine[] {
  const { callId, wait, status, result, durationMs = 0 } = call;
  const decision = DENIED.has(status) ? 'deny' : 'allow';
  // One whose run was stopped waits no more, and was not decided.
  const isResolved = was?.wait !== undefined && wait === undefined && !UNDECIDED.has(status);
  return [
    ...(wait && wait !== was?.wait ? [{ type: 'approval_required', wait, ...lineOf(call) } as const] : []),
    ...(isResolved ? [{ type: 'approval_resolved', callId, decision } as const] : []),
    ...(call.startedAt !== undefined && call.startedAt !== was?.startedAt
      ? [{ type: 'call_start', ...lineOf(call) } as const]
      : []),
    ...(result && !was?.result
      ? [
          {
            type: 'call_end',
            callId,
            status,
            isError: result.isError,
            result: result.text,
            durationMs,
          } as const,
        ]
      : []),
  ];
}

function lineOf({
  callId,
  toolName,
  namespacedName,
  serverId,
  edited,
  arguments: asked,
}: ToolCall): CallLine {
  return { callId, toolName, namespacedName, serverId, arguments: parsed(edited ?? asked) };
}

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : (JSON.parse(text) as unknown);
  } catch {
    return text; // what the model wrote is no JSON, and the call was refused
  }
}

function progressLines(before: Chat, after: Chat): RunLine[] {
  return Object.entries(after.progress)
    .filter(([callId, progress]) => JSON.stringify(before.progress[callId]) !== JSON.stringify(progress))
    .map(([callId, progress]) => ({ type: 'call_progress', callId, ...progress }));
}

function endLines({ id: runId, iteration, reason = 'interrupted', error }: Run): RunLine[] {
  return [
    ...(iteration > 0 ? [{ type: 'iteration_end', iteration } as const] : []),
    { type: 'run_end', runId, reason, ...(error && { error }) },
  ];
}
