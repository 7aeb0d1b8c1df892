import { describe, expect, it } from 'vitest';
import { emptyChat, reduceChat, withOlder, withoutEarlier, type Chat } from '../../lib/state/chat.ts';
import { pendingCall } from '../../lib/state/calls.ts';
import type { PanelEvent } from '../../lib/protocol/panel.ts';
import type { Message, SummaryMessage } from '../../lib/types/message.ts';
import type { ToolCall } from '../../lib/types/tool.ts';
import { assistant, conversation, queued, run, runEvent, snapshot, user } from './fake-worker.ts';

const NOW = '2026-11-21T10:00:01.000Z';
const after = (events: PanelEvent[], chat: Chat = emptyChat): Chat =>
  events.reduce((state, event) => reduceChat(state, event, NOW), chat);

const begin = (messageId: string, iteration = 1): PanelEvent =>
  runEvent({ type: 'iteration_start', iteration, maxIterations: 10, messageId });

const echo = {
  callId: 'a2.0',
  toolName: 'echo',
  namespacedName: 'mcp__1__echo',
  serverId: 1,
  arguments: '{}',
};
const result = { text: 'hello', isError: false };

describe('messages', () => {
  it('stand in the order of their turns, whatever order they come in', () => {
    const chat = after([
      { type: 'message', message: assistant(2) },
      { type: 'message', message: user(3) },
      { type: 'message', message: user(1) },
    ]);
    expect(chat.messages.map((message) => message.id)).toEqual(['u1', 'a2', 'u3']);
  });

  it('begin empty and streaming after the last one', () => {
    const chat = after([snapshot({ messages: [user(1)] }), begin('m')]);
    expect(chat.messages.at(-1)).toMatchObject({
      id: 'm',
      status: 'streaming',
      content: '',
      seq: 2,
      parentId: 'u1',
    });
  });

  it('begin where the worker puts them: after the assistant’s turn, not after its tool results', () => {
    const answered: Message = {
      ...user(2),
      id: 'a2.0.result',
      parentId: 'a2',
      sub: 1,
      role: 'tool',
      tool_call_id: 'x',
      name: 'mcp__1__echo',
    };
    const chat = after([snapshot({ messages: [user(1), assistant(2), answered] }), begin('m')]);
    expect(chat.messages.at(-1)).toMatchObject({ id: 'm', parentId: 'a2', seq: 3, sub: 0 });
    expect(after([begin('m')]).messages).toMatchObject([{ parentId: null, seq: 0 }]);
  });

  const partial = assistant(2, { status: 'partial', content: 'Half an ans', reasoning: 'Hm' });
  const word = runEvent({ type: 'text_delta', messageId: 'a2', text: 'x' });

  it('that are begun again stay as they are until the new one says something', () => {
    const chat = after([snapshot({ messages: [user(1), partial, user(3)] }), begin('a2')]);
    expect(chat.messages[1]).toBe(partial);
    expect(chat.runs).toMatchObject([{ status: 'working', iteration: 1 }]);
    const failed = after([runEvent({ type: 'run_end', runId: 'r1', reason: 'error' })], chat);
    expect(failed.messages[1]).toBe(partial);
  });

  it('that are begun again give their place to the new one with its first word', () => {
    const chat = after([snapshot({ messages: [user(1), partial, user(3)] }), begin('a2'), word]);
    expect(chat.messages.map((message) => message.id)).toEqual(['u1', 'a2', 'u3']);
    expect(chat.messages[1]).toMatchObject({ status: 'streaming', content: '', seq: 2 });
    expect(chat.messages[1]).not.toHaveProperty('reasoning');
    expect(after([word], chat)).toBe(chat);
  });

  it('that a snapshot shows as partial were begun again when a word comes', () => {
    const chat = after([snapshot({ messages: [user(1), partial], runs: [run()] }), word]);
    expect(chat.messages[1]).toMatchObject({ status: 'streaming', content: '' });
  });

  it('that were picked up are so still when they are begun again', () => {
    const pickedUpAt = '2026-11-22T10:00:00.000Z';
    const chat = after([snapshot({ messages: [user(1), { ...partial, pickedUpAt }], runs: [run()] }), word]);
    expect(chat.messages[1]).toMatchObject({ status: 'streaming', pickedUpAt });
  });

  it('are replaced by the whole at their end', () => {
    const whole = assistant(2, { content: 'The whole answer' });
    const chat = after([
      snapshot({ messages: [user(1)] }),
      begin('a2'),
      runEvent({ type: 'message_end', message: whole, calls: [] }),
    ]);
    expect(chat.messages[1]).toBe(whole);
  });

  it('that did not change keep their identity', () => {
    const before = after([snapshot({ messages: [user(1), assistant(2)] })]);
    const chat = after([begin('a3')], before);
    expect(chat.messages[0]).toBe(before.messages[0]);
    expect(chat.messages[1]).toBe(before.messages[1]);
  });

  it('of before come in front, each once', () => {
    const chat = after([snapshot({ messages: [user(3)], hasOlder: true })]);
    const older = withOlder(chat, {
      messages: [user(1), assistant(2), user(3)],
      toolCalls: [],
      hasOlder: false,
      versions: {},
    });
    expect(older.messages.map((message) => message.id)).toEqual(['u1', 'a2', 'u3']);
  });

  it('far above the end are let go of by whole turns, and can be loaded again', () => {
    const turns = [...Array(26).keys()].map((turn) => [user(2 * turn), assistant(2 * turn + 1)]);
    const called = {
      ...pendingCall(assistant(1), 0, { name: 'echo', arguments: '' }),
      status: 'success' as const,
    };
    const runs = [run({ id: 'r0', status: 'ended', leafId: 'a1' }), run({ leafId: 'u50' })];
    const toolCalls = [called, { ...called, callId: 'a51.0', messageId: 'a51' }];
    const chat = after([snapshot({ messages: turns.flat(), toolCalls, runs })]);
    const rest = withoutEarlier(chat);
    expect(rest.messages).toEqual(turns.slice(11).flat());
    expect(rest).toMatchObject({ hasOlder: true, runs: [{ id: 'r1' }] });
    expect(Object.keys(rest.calls)).toEqual(['a51.0']);
    const older = { messages: turns.slice(9, 11).flat(), toolCalls: [], versions: {}, hasOlder: true };
    expect(withOlder(rest, older).messages[0]?.id).toBe('u18');
  });

  it('of few turns stay, and so does a turn of very many', () => {
    const few = after([snapshot({ messages: [...Array(50).keys()].map((seq) => user(seq)) })]);
    expect(withoutEarlier(few)).toBe(few);
    const steps = [...Array(90).keys()].map((step) => assistant(step + 1));
    const one = after([snapshot({ messages: [user(0), ...steps] })]);
    expect(withoutEarlier(one)).toBe(one);
  });

  it('leave the chat alone when a delta comes', () => {
    const chat = after([snapshot({ messages: [user(1)], runs: [run()] }), begin('a2')]);
    expect(after([runEvent({ type: 'text_delta', messageId: 'a2', text: 'x' })], chat)).toBe(chat);
  });
});

describe('a snapshot', () => {
  it('replaces everything that was known', () => {
    const before = after([
      snapshot({ messages: [user(1)], runs: [run()] }),
      runEvent({ type: 'call_start', ...echo }),
    ]);
    const chat = after(
      [snapshot({ messages: [user(5)], runs: [run({ status: 'ended', reason: 'done' })] })],
      before,
    );
    expect(chat.messages.map((message) => message.id)).toEqual(['u5']);
    expect(chat.calls).toEqual({});
    expect(chat.runs).toMatchObject([{ status: 'ended' }]);
    expect(chat.conversation).toBe(conversation);
  });
});

describe('calls', () => {
  it('run from their start to their result', () => {
    const running = after([runEvent({ type: 'call_start', ...echo })]);
    expect(running.calls['a2.0']).toMatchObject({
      status: 'running',
      toolName: 'echo',
      serverId: 1,
      messageId: 'a2',
      position: 0,
      startedAt: NOW,
    });
    const end = {
      type: 'call_end',
      callId: 'a2.0',
      result,
      isError: false,
      status: 'success',
      durationMs: 7,
    } as const;
    expect(after([runEvent(end)], running).calls['a2.0']).toMatchObject({
      status: 'success',
      durationMs: 7,
      result,
    });
  });

  const request = { id: 't1', name: 'invented', arguments: '{"a":1}' };
  const whole = assistant(2, { content: '', tool_calls: [request] });
  const failure = { text: 'There is no tool named invented.', isError: true };
  const bornFailed: ToolCall = { ...pendingCall(whole, 0, request), status: 'error', result: failure };

  it('are known from the end of their message on', () => {
    const chat = after([begin('a2'), runEvent({ type: 'message_end', message: whole, calls: [bornFailed] })]);
    expect(chat.calls).toEqual({ 'a2.0': bornFailed });
  });

  it('that wait say how much of their arguments this page did not get', () => {
    const call = { callId: 'a2.0', toolName: 'invented', namespacedName: 'invented', serverId: null };
    const chat = after([
      snapshot({ messages: [whole], toolCalls: [pendingCall(whole, 0, request)], runs: [run()] }),
      runEvent({
        type: 'approval_required',
        wait: 'permission',
        ...call,
        arguments: '{',
        omittedArguments: 7,
      }),
    ]);
    expect(chat.calls['a2.0']).toMatchObject({ wait: 'permission', omittedArguments: 7 });
  });

  it('that were edited keep what the model wrote beside what runs', () => {
    const edit = '{"a":2}';
    const asked = { ...pendingCall(whole, 0, request), wait: 'permission' as const };
    const chat = after([
      snapshot({ messages: [whole], toolCalls: [asked], runs: [run()] }),
      runEvent({ type: 'approval_resolved', callId: 'a2.0', decision: 'allow', arguments: edit }),
      runEvent({ type: 'call_start', ...echo, arguments: edit }),
    ]);
    expect(chat.calls['a2.0']).toMatchObject({ status: 'running', arguments: '{"a":1}', edited: edit });
  });

  it('that end before anything else was heard of them are known from their message', () => {
    const end = { type: 'call_end', callId: 'a2.0', result: failure, isError: true } as const;
    const chat = after([
      runEvent({ type: 'message_end', message: whole, calls: [] }),
      runEvent({ ...end, status: 'error', durationMs: 0 }),
    ]);
    expect(chat.calls['a2.0']).toMatchObject({
      status: 'error',
      result: failure,
      toolName: 'invented',
      arguments: '{"a":1}',
      toolCallId: 't1',
    });
  });

  it('wait for permission and go on when it is given', () => {
    const waiting = after([runEvent({ type: 'approval_required', wait: 'permission', ...echo })]);
    expect(waiting.calls['a2.0']).toMatchObject({ status: 'pending', wait: 'permission' });
    const allowed = after(
      [runEvent({ type: 'approval_resolved', callId: 'a2.0', decision: 'allow' })],
      waiting,
    );
    expect(allowed.calls['a2.0']).toMatchObject({ status: 'approved' });
    expect(allowed.calls['a2.0']).not.toHaveProperty('wait');
  });

  it('are denied when it is not', () => {
    const chat = after([
      runEvent({ type: 'approval_required', wait: 'permission', ...echo }),
      runEvent({ type: 'approval_resolved', callId: 'a2.0', decision: 'deny' }),
    ]);
    expect(chat.calls['a2.0']).toMatchObject({ status: 'denied' });
  });

  it('of unknown outcome stay unknown when they are skipped', () => {
    const asked = after([runEvent({ type: 'approval_required', wait: 'unknown', ...echo })]);
    expect(asked.calls['a2.0']).toMatchObject({ status: 'unknown', wait: 'unknown' });
    const skipped = after([runEvent({ type: 'approval_resolved', callId: 'a2.0', decision: 'deny' })], asked);
    expect(skipped.calls['a2.0']).toMatchObject({ status: 'unknown' });
    expect(skipped.calls['a2.0']).not.toHaveProperty('wait');
  });
});

describe('a call that waits', () => {
  it('is drawn with the hints that its tool has now', () => {
    const annotations = { destructiveHint: true };
    const chat = after([runEvent({ type: 'approval_required', wait: 'permission', annotations, ...echo })]);
    expect(chat.calls[echo.callId]).toMatchObject({ wait: 'permission', annotations });
  });
});

describe('a request that failed', () => {
  const error = { code: 'model_rate_limited', message: 'Slow down', retryable: true };
  const scheduled = runEvent({
    type: 'retry_scheduled',
    messageId: 'a2',
    attempt: 2,
    of: 5,
    delayMs: 12_000,
    error,
  });
  const waiting = after([snapshot({ messages: [user(1)], runs: [run()] }), begin('a2'), scheduled]);

  it('is shown with the time of its next try', () => {
    expect(waiting.runs[0]?.retry).toEqual({ attempt: 2, of: 5, at: '2026-11-21T10:00:13.000Z', error });
  });

  it.each([
    ['made again', begin('a2')],
    ['given up', runEvent({ type: 'run_end', runId: 'r1', reason: 'cancelled' })],
  ])('waits no more once it is %s', (_how, event) => {
    expect(after([event], waiting).runs[0]).not.toHaveProperty('retry');
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
  const writing = after([
    snapshot({ messages: [user(1), assistant(2), user(3)], runs: [run()] }),
    runEvent({ type: 'summary_start' }),
  ]);

  it('is being written until it is there, and leaves the originals', () => {
    expect(writing.summarising).toBe(true);
    const chat = after([runEvent({ type: 'summary_end', message: summary })], writing);
    expect(chat.summarising).toBe(false);
    expect(chat.messages.map(({ id }) => id)).toEqual(['u1', 'a2', 'u3', 's5']);
  });

  it('that failed is not being written any more', () => {
    expect(after([begin('a4')], writing).summarising).toBe(false);
    const ended = runEvent({ type: 'run_end', runId: 'r1', reason: 'error' });
    expect(after([ended], writing).summarising).toBe(false);
  });
});

describe('a message that was slipped in', () => {
  it('stands where it happened, between two steps', () => {
    const chat = after([
      snapshot({ messages: [user(1), assistant(2)], runs: [run()] }),
      runEvent({ type: 'steered', message: user(3) }),
      begin('a4'),
    ]);
    expect(chat.messages.map(({ id, seq }) => [id, seq])).toEqual([
      ['u1', 1],
      ['a2', 2],
      ['u3', 3],
      ['a4', 4],
    ]);
  });
});

describe('runs', () => {
  it('end with their reason and error', () => {
    const error = { code: 'model_unauthorized', message: 'No', retryable: false };
    const chat = after([
      runEvent({ type: 'run_start', runId: 'r1' }),
      runEvent({ type: 'run_end', runId: 'r1', reason: 'error', error }),
    ]);
    expect(chat.runs).toMatchObject([{ id: 'r1', status: 'ended', reason: 'error', error }]);
  });

  it('that were queued and removed leave no trace', () => {
    const waits = queued('Next');
    const chat = after([
      { type: 'run_changed', run: run() },
      { type: 'run_changed', run: waits },
      { type: 'run_changed', run: { ...waits, status: 'ended', reason: 'cancelled' } },
    ]);
    expect(chat.runs.map((other) => other.id)).toEqual(['r1']);
  });
});
