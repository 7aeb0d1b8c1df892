import { expect, it } from 'vitest';
import { type Chat, emptyChat, withRows } from '../../lib/state/chat.ts';
import { pendingCall } from '../../lib/state/calls.ts';
import type { ChatRows } from '../../lib/protocol/panel.ts';
import { idle } from '../../lib/types/run.ts';
import { linesBetween } from '../../scripts/start/run-lines.ts';
import { assistant, run, user } from '../state/fake-worker.ts';

const request = { id: 't1', name: 'mcp__1__echo', arguments: '{"a":1}' };
const asking = assistant(2, { content: 'Look', tool_calls: [request] });
const call = { ...pendingCall(asking, 0, request), toolName: 'echo', serverId: 1 };
const startedAt = '2026-11-21T10:00:00.000Z';
const running = { ...call, status: 'running' as const, startedAt };
const result = { text: 'hello', isError: false };
const ended = { ...running, status: 'success' as const, result, durationMs: 7 };

/** The lines of each step, and those of all steps at once. */
function linesOf(...steps: ChatRows[]) {
  const states = steps.reduce<Chat[]>(
    (all, rows) => [...all, withRows(all.at(-1) ?? emptyChat, rows)],
    [emptyChat],
  );
  const between = (from: Chat | undefined, to: Chat | undefined) =>
    from && to ? linesBetween(from, to, 'r1') : [];
  return {
    each: states.slice(1).map((state, at) => between(states[at], state)),
    all: between(states[0], states.at(-1)),
  };
}

const streaming = assistant(2, { status: 'streaming', content: '' });
const steps: ChatRows[] = [
  { messages: [user(1)], runs: [run({ iteration: 0 })] },
  { messages: [streaming], runs: [run()] },
  { messages: [{ ...streaming, reasoning: 'Hm', content: 'Lo' }] },
  { messages: [asking], toolCalls: [call] },
  { toolCalls: [{ ...call, wait: 'permission' }] },
  { toolCalls: [{ ...call, status: 'approved' }] },
  { toolCalls: [running] },
  { activity: { ...idle, progress: { [call.callId]: { progress: 1, total: 2 } } } },
  { toolCalls: [ended], activity: idle },
  { messages: [assistant(3, { status: 'streaming', content: '' })], runs: [run({ iteration: 2 })] },
  { messages: [assistant(3)], runs: [run({ iteration: 2, status: 'ended', reason: 'done' })] },
];

it('tells what happened between two states of a run, in its order', () => {
  expect(linesOf(...steps).each.map((lines) => lines.map(({ type }) => type))).toEqual([
    ['run_start'],
    ['iteration_start'],
    ['reasoning_delta', 'text_delta'],
    ['text_delta', 'message_end'],
    ['approval_required'],
    ['approval_resolved'],
    ['call_start'],
    ['call_progress'],
    ['call_end'],
    ['iteration_end', 'iteration_start'],
    ['text_delta', 'message_end', 'iteration_end', 'run_end'],
  ]);
});

it('tells the same of many states at once, after a worker died: every start before its end, the run’s end last', () => {
  expect(linesOf(...steps).all.map(({ type }) => type)).toEqual([
    'run_start',
    'iteration_start',
    'text_delta',
    'message_end',
    'call_start',
    'call_end',
    'iteration_end',
    'iteration_start',
    'text_delta',
    'message_end',
    'iteration_end',
    'run_end',
  ]);
});

it('gives a call’s arguments parsed and its result as text', () => {
  const lines = linesOf(...steps).each.flat();
  expect(lines.find(({ type }) => type === 'call_start')).toEqual({
    type: 'call_start',
    callId: call.callId,
    toolName: 'echo',
    namespacedName: 'mcp__1__echo',
    serverId: 1,
    arguments: { a: 1 },
  });
  expect(lines.find(({ type }) => type === 'call_end')).toEqual({
    type: 'call_end',
    callId: call.callId,
    status: 'success',
    isError: false,
    result: 'hello',
    durationMs: 7,
  });
});

it.each([
  ['', {}],
  ['{"a":', '{"a":'],
])('gives arguments %j as %j', (text, expected) => {
  const { each } = linesOf({
    runs: [run()],
    messages: [asking],
    toolCalls: [{ ...running, arguments: text }],
  });
  expect(each[0]?.find(({ type }) => type === 'call_start')).toMatchObject({ arguments: expected });
});

it('tells a retry with its reason, and a request that begins again', () => {
  const error = { code: 'model_busy', message: 'Slow down', retryable: true };
  const retry = { attempt: 2, of: 5, at: startedAt, error };
  const { each } = linesOf(
    { runs: [run()], messages: [{ ...streaming, content: 'Half' }] },
    { runs: [run({ retry })], messages: [{ ...streaming, content: 'Half', status: 'partial' }] },
    { runs: [run()], messages: [{ ...streaming, content: 'Whole' }] },
  );
  expect(each[1]).toContainEqual({ type: 'retry_scheduled', ...retry });
  expect(each[2]).toEqual([
    { type: 'iteration_start', iteration: 1, messageId: 'a2' },
    { type: 'text_delta', messageId: 'a2', text: 'Whole' },
  ]);
});
