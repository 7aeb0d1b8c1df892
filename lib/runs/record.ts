import type { RunState } from './live-run.ts';
import { newAnswer, toolMessage } from '../agent/context/history.ts';
import { withDecision } from '../agent/ledger.ts';
import type { JournalEntry } from '../storage/chats/journal.ts';
import { type AssistantMessage, type Message, type SummaryMessage, withUsage } from '../types/message.ts';
import type { Run, RunEvent } from '../types/run.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';
import { withoutAttached } from './attachments.ts';
import { asCutOff, type Delta, saysSomething, asPartial } from './answer.ts';

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/**
 * Takes an event other than a delta over into the state and says what to write down for it; undefined when there is nothing to write.
 * The entry must be durable before the event is shown and before the loop goes on.
 */
export function record(
  state: RunState,
  event: Exclude<RunEvent, Delta>,
  timestamp: string,
): JournalEntry | undefined {
  switch (event.type) {
    case 'iteration_start': {
      const { type: _type, iteration, maxIterations: _most, messageId, ...sources } = event;
      state.iteration = iteration;
      state.streaming = {
        ...newAnswer({ ...state.run, runId: state.run.id }, state.leaf, messageId, timestamp),
        ...sources,
        ...pickedUpAs(state.broken),
      };
      return requested(state);
    }
    case 'summary_start':
      return requested(state);
    case 'retry_scheduled':
      return retryScheduled(state, event, timestamp);
    case 'message_end':
      return messageEnded(state, event, timestamp);
    case 'approval_required':
      return callChanged(state, event.callId, (call) => ({
        ...call,
        status: event.wait === 'unknown' ? 'unknown' : call.status,
        wait: event.wait,
      }));
    case 'approval_resolved':
      return resolved(state, event, timestamp);
    case 'call_start':
      return callChanged(state, event.callId, (call) => ({
        ...call,
        status: 'running',
        startedAt: timestamp,
        ...allowedAs(call),
      }));
    case 'call_task': {
      const entry = callChanged(state, event.callId, (call) => ({
        ...call,
        status: 'running',
        task: event.taskId,
      }));
      state.run = progressed(state.run, timestamp);
      return { ...entry, run: state.run };
    }
    case 'call_end':
      return callEnded(state, event, timestamp);
    case 'steered':
      return steered(state, event, timestamp);
    case 'summary_end':
      return { ...newLeaf(state, event.message, timestamp), message: event.message };
    case 'run_end':
      return runEnded(state, event, timestamp);
    case 'run_start':
    case 'call_progress':
    case 'iteration_end':
      return undefined;
  }
}

/** The model is being asked: nothing is waited for any more. */
function requested(state: RunState): JournalEntry | undefined {
  if (!state.run.retry) return undefined;
  state.run = withoutRetry(state.run);
  return { run: state.run };
}

/** What streamed so far is written together with the wait, so that both are there when the worker dies meanwhile. */
function retryScheduled(state: RunState, event: EventOf<'retry_scheduled'>, timestamp: string): JournalEntry {
  const { attempt, of, delayMs, error } = event;
  const at = new Date(Date.parse(timestamp) + delayMs).toISOString();
  state.run = { ...state.run, retry: { attempt, of, at, error } };
  const kept = shownAnswer(state);
  state.broken = kept;
  state.streaming = undefined;
  return { run: state.run, ...(kept && { message: kept }) };
}

function messageEnded(state: RunState, event: EventOf<'message_end'>, timestamp: string): JournalEntry {
  const { calls } = event;
  const message = { ...event.message, ...pickedUpAs(state.streaming) };
  state.streaming = undefined;
  state.broken = undefined;
  state.open = new Map(calls.map((call) => [call.callId, call]));
  state.run = { ...state.run, iteration: state.iteration };
  return { ...newLeaf(state, message, timestamp), message, calls };
}

/** What stays of an answer in the one that takes its place. */
const pickedUpAs = ({ pickedUpAt }: Partial<AssistantMessage> = {}): Pick<AssistantMessage, 'pickedUpAt'> =>
  pickedUpAt === undefined ? {} : { pickedUpAt };

/** The message is the last one of the branch from now on. */
function newLeaf(state: RunState, message: Message, timestamp: string): JournalEntry {
  state.leaf = message;
  state.run = { ...progressed(state.run, timestamp), leafId: message.id };
  state.conversation = { ...state.conversation, leafId: message.id, updatedAt: timestamp };
  const usage = isWritten(message) && withUsage(state.conversation.usage, message);
  if (usage) state.conversation.usage = usage;
  return { conversation: state.conversation, run: state.run };
}

const isWritten = (message: Message): message is AssistantMessage | SummaryMessage =>
  message.role === 'assistant' || message.role === 'summary';

/** The message and the end of the run that it waited in are one entry: it is sent once, whatever happens. */
function steered(state: RunState, { message }: EventOf<'steered'>, timestamp: string): JournalEntry {
  const queued = state.steers.get(message.id);
  state.steers.delete(message.id);
  return {
    ...newLeaf(state, message, timestamp),
    message,
    ...(queued && { runs: [{ ...withoutAttached(queued), status: 'ended', reason: 'done' }] }),
  };
}

/** The decision was written before it was handed to the loop; again here, since the wait may have been since. */
function resolved(state: RunState, event: EventOf<'approval_resolved'>, timestamp: string): JournalEntry {
  const { type: _type, callId, ...decision } = event;
  const entry = callChanged(state, callId, (call) => withDecision(call, decision));
  state.run = progressed(state.run, timestamp);
  return { ...entry, run: state.run };
}

function callChanged(state: RunState, callId: string, change: (call: ToolCall) => ToolCall): JournalEntry {
  const call = change(openCall(state, callId));
  state.open.set(callId, call);
  state.run = withStatus(state);
  return { run: state.run, calls: [call] };
}

/** Portside's own tools need no approval. */
const allowedAs = ({ serverId, allowed = 'before' }: ToolCall): Pick<ToolCall, 'allowed'> =>
  serverId === null ? {} : { allowed };

function callEnded(state: RunState, event: EventOf<'call_end'>, timestamp: string): JournalEntry {
  const { status, result, durationMs } = event;
  const { task: _over, ...open } = withoutWait(openCall(state, event.callId));
  const call: ToolCall = { ...open, status, result, durationMs };
  state.open.delete(event.callId);
  state.run = progressed(withStatus(state), timestamp);
  return {
    message: toolMessage(call, event.result, state.leaf?.seq ?? 0, timestamp),
    run: state.run,
    calls: [call],
  };
}

function runEnded(state: RunState, event: EventOf<'run_end'>, timestamp: string): JournalEntry {
  const kept = shownAnswer(state);
  const message = (kept && asPartial(kept)) ?? state.standIn;
  const leafId = message?.id ?? state.run.leafId;
  // What still waited for the user waits no more; Continue asks again.
  const calls = [...state.open.values()].filter(({ wait }) => wait !== undefined).map(withoutWait);
  // A user who stops the wait for the next try still sees why there was one.
  const error = event.error ?? (event.reason === 'cancelled' ? state.run.retry?.error : undefined);
  state.streaming = undefined;
  state.broken = undefined;
  state.open = new Map();
  state.run = {
    ...withoutRetry(state.run),
    leafId,
    status: 'ended',
    reason: event.reason,
    ...(error && { error }),
  };
  state.conversation = {
    ...state.conversation,
    leafId,
    updatedAt: timestamp,
    ...(event.reason === 'error' && { failed: true }),
  };
  return { conversation: state.conversation, run: state.run, calls, ...(message && { message }) };
}

/** The answer as a user sees it now: the new one once it says something, until then what was left of it before. */
export function shownAnswer({ streaming, broken }: RunState): AssistantMessage | undefined {
  return streaming && saysSomething(streaming) ? streaming : broken;
}

/** The answer that is not final, as it stands: an earlier attempt's remains are `partial` until the new one speaks. */
export function liveAnswer(state: RunState): AssistantMessage | undefined {
  const shown = shownAnswer(state) ?? state.streaming;
  return shown && shown !== state.streaming ? asCutOff(shown) : shown;
}

function withoutWait(call: ToolCall): ToolCall {
  const rest = { ...call };
  delete rest.wait;
  return rest;
}

export function withoutRetry(run: Run): Run {
  const rest = { ...run };
  delete rest.retry;
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

/** A run waits when nothing goes on in it but calls that wait for the user. */
function withStatus({ run, open }: RunState): Run {
  const calls = [...open.values()];
  const waiting = calls.length > 0 && calls.every(({ wait }) => wait !== undefined);
  return { ...run, status: waiting ? 'waiting' : 'working' };
}
