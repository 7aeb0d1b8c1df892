import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../lib/protocol/panel.ts';
import { chatFrom, emptyChat, withRows, type Chat } from '../../lib/state/chat/chat.ts';
import type { SummaryMessage } from '../../lib/types/message.ts';
import { idle } from '../../lib/types/run.ts';
import { newCall, type ToolCall } from '../../lib/types/tools/tool-call.ts';
import { createChatCopy } from '../../scripts/start/chat-copy.ts';
import { linesBetween, type RunLine } from '../../scripts/start/run-lines.ts';
import { append, assistant, at, queued, rows, run, snapshot, user, type Said } from '../state/fake-worker.ts';

const chat = (more: Partial<Snapshot> = {}): Chat =>
  chatFrom(snapshot({ messages: [user(1)], runs: [run()], ...more }).snapshot);
const lines = (before: Chat, after: Chat): RunLine[] => linesBetween(before, after, 'r1');
const types = (before: Chat, after: Chat): string[] => lines(before, after).map(({ type }) => type);

const request = { id: 't1', name: 'mcp__1__echo', arguments: '{"text":"hi"}' };
const call = (more: Partial<ToolCall> = {}, position = 0, message = assistant(2)): ToolCall => ({
  ...newCall(message, position, request),
  serverId: 1,
  toolName: 'echo',
  ...more,
});
const startedAt = '2026-11-21T10:00:01.000Z';
const result = { text: 'hi', isError: false };
const success = { status: 'success', startedAt, result, durationMs: 7 } as const;
const line = {
  callId: 'a2.0',
  toolName: 'echo',
  namespacedName: 'mcp__1__echo',
  serverId: 1,
  arguments: { text: 'hi' },
};
const streaming = (content = '') => assistant(2, { status: 'streaming', content });
const ended = run({ status: 'ended', reason: 'done', iteration: 2 });

describe('a run', () => {
  it('starts with the first state that has it', () => {
    expect(lines(emptyChat, chat())).toEqual([{ type: 'run_start', runId: 'r1' }]);
    expect(lines(chat(), chat())).toEqual([]);
  });

  it('ends once, with its reason and its error, after its last iteration', () => {
    const error = { code: 'model_unauthorized', message: 'No', retryable: false };
    const failed = chat({ runs: [{ ...ended, reason: 'error', error }] });
    expect(lines(chat({ runs: [run({ iteration: 2 })] }), failed)).toEqual([
      { type: 'iteration_end', iteration: 2 },
      { type: 'run_end', runId: 'r1', reason: 'error', error },
    ]);
    expect(lines(failed, chat({ runs: [{ ...ended, reason: 'error', error }] }))).toEqual([]);
  });

  it('that ended before any iteration ends none', () => {
    const cancelled = chat({ runs: [run({ status: 'ended', reason: 'cancelled', iteration: 0 })] });
    expect(lines(chat({ runs: [run({ iteration: 0 })] }), cancelled)).toEqual([
      { type: 'run_end', runId: 'r1', reason: 'cancelled' },
    ]);
  });

  it('is told of alone, whatever other runs and their calls do', () => {
    const other = { runId: 'r9' };
    const after = chat({
      messages: [user(1), assistant(2, other), assistant(3, { ...other, status: 'streaming' })],
      runs: [run(), queued('Next'), run({ id: 'r9', status: 'ended', reason: 'done' })],
      toolCalls: [call({ ...success, ...other })],
    });
    expect(lines(chat(), after)).toEqual([]);
  });
});

describe('an iteration', () => {
  it('starts with its answer, and the one before ends then', () => {
    const before = chat({ messages: [user(1), assistant(2)] });
    const after = chat({
      messages: [user(1), assistant(2), assistant(3, { status: 'streaming', content: '' })],
      runs: [run({ iteration: 2 })],
    });
    expect(lines(before, after)).toEqual([
      { type: 'iteration_end', iteration: 1 },
      { type: 'iteration_start', iteration: 2, messageId: 'a3' },
    ]);
  });

  it('starts again when its request is repeated', () => {
    const cutOff = chat({ messages: [user(1), assistant(2, { status: 'partial', content: 'Half' })] });
    expect(lines(cutOff, chat({ messages: [user(1), streaming('W')] }))).toEqual([
      { type: 'iteration_start', iteration: 1, messageId: 'a2' },
      { type: 'text_delta', messageId: 'a2', text: 'W' },
    ]);
  });
});

describe('an answer', () => {
  it('brings its text and its reasoning as they come, and itself at its end', () => {
    const copy = createChatCopy();
    copy.subscribed(1);
    const told: RunLine[] = [];
    const take = (said: Said): void => {
      const before = copy.chat();
      copy.take({ subscription: 1, revision: at(0), from: 0, to: 1, ...said } as never);
      told.push(...lines(before, copy.chat()));
    };
    const whole = assistant(2, { content: 'Hello', reasoning: 'Hm' });
    take(snapshot({ messages: [user(1)], runs: [run()] }));
    take(rows({ messages: [streaming()] }));
    take(append('Hm', 0, 'reasoning'));
    take(append('{', 0, { position: 0, name: 'echo' }));
    take(append('Hel'));
    take(append('lo', 3));
    take(append('of a later place', 9));
    take({ ...append('late', 5), subscription: 0 });
    take(rows({ messages: [whole] }));
    expect(told).toEqual([
      { type: 'run_start', runId: 'r1' },
      { type: 'iteration_start', iteration: 1, messageId: 'a2' },
      { type: 'reasoning_delta', messageId: 'a2', text: 'Hm' },
      { type: 'text_delta', messageId: 'a2', text: 'Hel' },
      { type: 'text_delta', messageId: 'a2', text: 'lo' },
      { type: 'message_end', message: whole },
    ]);
  });

  it('brings the rest of its text with its end', () => {
    const whole = assistant(2, { content: 'Hello.' });
    expect(
      lines(chat({ messages: [user(1), streaming('Hel')] }), chat({ messages: [user(1), whole] })),
    ).toEqual([
      { type: 'text_delta', messageId: 'a2', text: 'lo.' },
      { type: 'message_end', message: whole },
    ]);
  });

  it('brings all of a text that is another than the one before it', () => {
    const before = chat({ messages: [user(1), streaming('Hel')] });
    expect(lines(before, chat({ messages: [user(1), streaming('Who')] }))).toEqual([
      { type: 'text_delta', messageId: 'a2', text: 'Who' },
    ]);
  });

  it('that is cut off ends too', () => {
    const partial = assistant(2, { status: 'partial', content: 'Hel' });
    expect(
      lines(chat({ messages: [user(1), streaming('Hel')] }), chat({ messages: [user(1), partial] })),
    ).toEqual([{ type: 'message_end', message: partial }]);
  });
});

describe('a request that failed', () => {
  const error = { code: 'model_rate_limited', message: 'Slow down', retryable: true };
  const retry = { attempt: 2, of: 5, at: '2026-11-21T10:00:13.000Z', error };
  const waiting = chat({ runs: [run({ retry })] });

  it('says when it is made again, once for each try', () => {
    expect(lines(chat(), waiting)).toEqual([{ type: 'retry_scheduled', ...retry }]);
    expect(lines(waiting, chat({ runs: [run({ retry: { ...retry } })] }))).toEqual([]);
    expect(lines(waiting, chat())).toEqual([]);
    const next = { ...retry, attempt: 3, at: '2026-11-21T10:00:40.000Z' };
    expect(lines(waiting, chat({ runs: [run({ retry: next })] }))).toEqual([
      { type: 'retry_scheduled', ...next },
    ]);
  });
});

describe('a summary', () => {
  const summary: SummaryMessage = {
    ...user(5, 'They spoke of tides.'),
    id: 's5',
    role: 'summary',
    runId: 'r1',
    keepsFrom: 'u3',
  };
  const writing = chat({ activity: { ...idle, summarising: true } });

  it('starts when it is being written and ends with its message', () => {
    expect(lines(chat(), writing)).toEqual([{ type: 'summary_start' }]);
    expect(lines(writing, chat({ messages: [user(1), summary] }))).toEqual([
      { type: 'summary_end', messageId: 's5' },
    ]);
  });

  it('that failed does not end', () => {
    expect(lines(writing, chat())).toEqual([]);
  });
});

describe('a call', () => {
  const calls = (...toolCalls: ToolCall[]): Chat => chat({ messages: [user(1), assistant(2)], toolCalls });
  const running = call({ status: 'running', startedAt });
  const asking = call({ wait: 'permission' });

  it('starts with its arguments parsed and ends with the text of its result', () => {
    expect(lines(calls(call()), calls(running))).toEqual([{ type: 'call_start', ...line }]);
    expect(lines(calls(running), calls(call(success)))).toEqual([
      { type: 'call_end', callId: 'a2.0', status: 'success', isError: false, result: 'hi', durationMs: 7 },
    ]);
  });

  it.each([
    ['as they were edited', { edited: '{"text":"ho"}' }, { text: 'ho' }],
    ['as an empty object where the model wrote none', { arguments: ' ' }, {}],
    ['as text where the model wrote no JSON', { arguments: '{"text"' }, '{"text"'],
  ])('has its arguments %s', (_how, more, parsed) => {
    expect(lines(calls(call()), calls({ ...running, ...more }))).toMatchObject([{ arguments: parsed }]);
  });

  it('that was refused before it ran ends without a start', () => {
    const refused = call({ status: 'error', result: { text: 'No such tool.', isError: true } });
    expect(lines(calls(), calls(refused))).toEqual([
      {
        type: 'call_end',
        callId: 'a2.0',
        status: 'error',
        isError: true,
        result: 'No such tool.',
        durationMs: 0,
      },
    ]);
  });

  it.each(['permission', 'unknown'] as const)('says once that it waits: %s', (wait) => {
    const waiting = call({ wait });
    expect(lines(calls(call()), calls(waiting))).toEqual([{ type: 'approval_required', wait, ...line }]);
    expect(lines(calls(waiting), calls({ ...waiting }))).toEqual([]);
  });

  const unknown = call({ status: 'unknown', wait: 'unknown' });
  const skipped = { text: 'Skipped.', isError: true };
  it.each([
    ['allowed', asking, call({ status: 'approved' }), 'allow'],
    ['allowed, and running by now', asking, running, 'allow'],
    ['allowed though its outcome is unknown', unknown, call({ status: 'approved' }), 'allow'],
    ['denied', asking, call({ status: 'denied', result: skipped }), 'deny'],
    ['skipped as its outcome is unknown', unknown, call({ status: 'unknown', result: skipped }), 'deny'],
  ] as const)('says what was decided of it: %s', (_how, before, after, decision) => {
    expect(lines(calls(before), calls(after))[0]).toEqual({
      type: 'approval_resolved',
      callId: 'a2.0',
      decision,
    });
  });

  it('that waited when its run was stopped is not said to be allowed', () => {
    const stopped = chat({ toolCalls: [call()], runs: [run({ status: 'ended', reason: 'cancelled' })] });
    expect(lines(calls(asking), stopped)).not.toContainEqual(expect.objectContaining({ decision: 'allow' }));
  });

  it('says how far it is, each time that this changes, and no other call’s with it', () => {
    const activity = (progress: Chat['progress']) => ({ ...idle, progress });
    const before = chat({ activity: activity({ 'a2.0': { progress: 1, total: 3 } }) });
    // As it comes over a port: nothing of it is the same object.
    const next = { 'a2.0': { progress: 1, total: 3 }, 'a2.1': { progress: 5, message: 'Half' } };
    expect(lines(before, withRows(before, { activity: activity(next) }))).toEqual([
      { type: 'call_progress', callId: 'a2.1', progress: 5, message: 'Half' },
    ]);
  });
});

describe('a jump over many states', () => {
  const second = assistant(3, { content: 'And now:' });
  const last = assistant(4, { content: 'Done.' });
  const after = chat({
    messages: [user(1), assistant(2), second, last],
    toolCalls: [
      call(success),
      call({ ...success, status: 'error', result: { text: 'no', isError: true } }, 1),
      call(success, 0, second),
    ],
    runs: [{ ...ended, iteration: 3 }],
  });

  it('from before the run brings every call’s start and end, and the run’s end, in order', () => {
    const told = lines(chatFrom(snapshot({ messages: [user(1)] }).snapshot), after);
    expect(told[0]).toEqual({ type: 'run_start', runId: 'r1' });
    expect(told.at(-1)).toEqual({ type: 'run_end', runId: 'r1', reason: 'done' });
    expect(told.flatMap((each) => (each.type === 'message_end' ? [each.message.id] : []))).toEqual([
      'a2',
      'a3',
      'a4',
    ]);
    expect(
      told.flatMap((each) =>
        each.type === 'call_start' || each.type === 'call_end' ? [`${each.type} ${each.callId}`] : [],
      ),
    ).toEqual([
      'call_start a2.0',
      'call_end a2.0',
      'call_start a2.1',
      'call_end a2.1',
      'call_start a3.0',
      'call_end a3.0',
    ]);
  });

  it('from its middle brings what was not told yet, and nothing twice', () => {
    const middle = chat({
      messages: [user(1), assistant(2)],
      toolCalls: [call(success), call({ status: 'running', startedAt }, 1)],
    });
    expect(types(middle, after)).toEqual([
      'call_end',
      'iteration_end',
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
});
