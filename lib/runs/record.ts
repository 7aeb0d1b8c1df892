import { placeAfter, toolMessage } from '../agent/history.ts';
import { decided, ledgerRows } from '../agent/ledger.ts';
import type { Entry } from '../storage/journal.ts';
import type {
  AssistantMessage,
  Conversation,
  Message,
  OfferedTool,
  Run,
  RunEvent,
  ToolCall,
} from '../types.ts';

/** A run in memory: a cache of its rows, and the answer that streams in. */
export type RunState = {
  run: Run;
  conversation: Conversation;
  /** The last user or assistant message that is final. */
  leaf: Message | undefined;
  /** The answer so far; at most a flush ahead of the disk. */
  streaming: AssistantMessage | undefined;
  /** What an earlier attempt left of this answer. It stays until the new one has something to say. */
  broken: AssistantMessage | undefined;
  /** The current step's calls that have no result yet. */
  open: Map<string, ToolCall>;
  tools: OfferedTool[];
};

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/**
 * Takes an event over into the state and says what to write down for it; undefined when there is nothing to write.
 * The entry must be durable before the event is shown and before the loop goes on.
 */
export function record(state: RunState, event: RunEvent, timestamp: string): Entry | undefined {
  switch (event.type) {
    case 'iteration_start':
      state.run = { ...state.run, iteration: event.iteration };
      state.streaming = newAnswer(state, event.messageId, timestamp);
      return undefined;
    case 'text_delta':
      if (state.streaming) state.streaming.content += event.text;
      return undefined;
    case 'reasoning_delta':
      if (state.streaming) state.streaming.reasoning = (state.streaming.reasoning ?? '') + event.text;
      return undefined;
    case 'message_end':
      return messageEnded(state, event, timestamp);
    case 'approval_required':
      return callChanged(state, event.callId, (call) => ({
        ...call,
        status: event.wait === 'unknown' ? 'unknown' : call.status,
        wait: event.wait,
      }));
    case 'call_delta':
      callStreamed(state, event);
      return undefined;
    case 'approval_resolved':
      return resolved(state, event, timestamp);
    case 'call_start':
      return callChanged(state, event.callId, (call) => ({
        ...call,
        status: 'running',
        startedAt: timestamp,
      }));
    case 'call_end':
      return callEnded(state, event, timestamp);
    case 'run_end':
      return runEnded(state, event, timestamp);
    case 'run_start':
    case 'call_progress':
    case 'iteration_end':
      return undefined;
  }
}

function newAnswer(state: RunState, id: string, timestamp: string): AssistantMessage {
  const { conversation, run, leaf } = state;
  return {
    ...placeAfter(leaf),
    id,
    conversationId: conversation.id,
    runId: run.id,
    timestamp,
    role: 'assistant',
    status: 'streaming',
    content: '',
  };
}

/** Calls as far as they have streamed in: for a panel that opens meanwhile, never to be executed. */
function callStreamed({ streaming }: RunState, event: EventOf<'call_delta'>): void {
  if (!streaming) return;
  const calls = (streaming.tool_calls ??= []);
  const before = calls[event.position]?.arguments ?? '';
  calls[event.position] = { id: '', name: event.name, arguments: before + event.arguments };
}

function messageEnded(state: RunState, { message }: EventOf<'message_end'>, timestamp: string): Entry {
  const calls = message.status === 'complete' ? ledgerRows(message, state.tools) : [];
  state.streaming = undefined;
  state.broken = undefined;
  state.leaf = message;
  state.open = new Map(calls.map((call) => [call.callId, call]));
  state.run = { ...progressed(state.run, timestamp), leafId: message.id };
  state.conversation = { ...state.conversation, leafId: message.id, updatedAt: timestamp };
  return { conversation: state.conversation, message, run: state.run, calls };
}

/** The decision was written before it was handed to the loop; again here, since the wait may have been since. */
function resolved(state: RunState, event: EventOf<'approval_resolved'>, timestamp: string): Entry {
  const entry = callChanged(state, event.callId, (call) => decided(call, event.decision));
  state.run = progressed(state.run, timestamp);
  return { ...entry, run: state.run };
}

function callChanged(state: RunState, callId: string, change: (call: ToolCall) => ToolCall): Entry {
  const call = change(openCall(state, callId));
  state.open.set(callId, call);
  state.run = withStatus(state);
  return { run: state.run, calls: [call] };
}

function callEnded(state: RunState, event: EventOf<'call_end'>, timestamp: string): Entry {
  const { status, result, durationMs } = event;
  const call: ToolCall = { ...withoutWait(openCall(state, event.callId)), status, result, durationMs };
  state.open.delete(event.callId);
  state.run = progressed(withStatus(state), timestamp);
  return {
    message: toolMessage(call, event.result, state.leaf?.seq ?? 0, timestamp),
    run: state.run,
    calls: [call],
  };
}

function runEnded(state: RunState, event: EventOf<'run_end'>, timestamp: string): Entry {
  const kept = shownAnswer(state);
  const message = kept && settled(kept);
  const leafId = message?.id ?? state.run.leafId;
  state.streaming = undefined;
  state.broken = undefined;
  state.run = {
    ...state.run,
    leafId,
    status: 'ended',
    reason: event.reason,
    ...(event.error && { error: event.error }),
  };
  state.conversation = { ...state.conversation, leafId, updatedAt: timestamp };
  // What still waited for the person waits no more; Continue asks again.
  const calls = [...state.open.values()].filter(({ wait }) => wait !== undefined).map(withoutWait);
  return { conversation: state.conversation, run: state.run, calls, ...(message && { message }) };
}

/** The answer as a person sees it now: the new one once it says something, until then what was left of it before. */
export function shownAnswer({ streaming, broken }: RunState): AssistantMessage | undefined {
  return streaming && saysSomething(streaming) ? streaming : (broken ?? undefined);
}

function saysSomething({ content, reasoning, tool_calls: calls }: AssistantMessage): boolean {
  return content !== '' || reasoning !== undefined || calls !== undefined;
}

/** An answer that is still open when its run ends: what was said is kept, half-streamed calls are not. */
function settled(answer: AssistantMessage): AssistantMessage | undefined {
  const message: AssistantMessage = { ...answer, status: 'partial' };
  delete message.tool_calls;
  return saysSomething(message) ? message : undefined;
}

function withoutWait(call: ToolCall): ToolCall {
  const rest = { ...call };
  delete rest.wait;
  return rest;
}

function openCall(state: RunState, callId: string): ToolCall {
  const call = state.open.get(callId);
  if (!call) throw new Error(`The call ${callId} is not one of the run’s open calls.`);
  return call;
}

function progressed(run: Run, timestamp: string): Run {
  return { ...run, resumes: 0, progressAt: timestamp };
}

/** A run waits when nothing goes on in it but calls that wait for the person. */
function withStatus({ run, open }: RunState): Run {
  const calls = [...open.values()];
  const waiting = calls.length > 0 && calls.every(({ wait }) => wait !== undefined);
  return { ...run, status: waiting ? 'waiting' : 'working' };
}
