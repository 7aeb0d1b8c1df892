import { describe, expect, it } from 'vitest';
import {
  chatFrom,
  emptyChat,
  withOlder,
  withoutEarlier,
  withRows,
  type Chat,
} from '../../lib/state/chat/chat.ts';
import type { ChatRows, Snapshot } from '../../lib/protocol/panel.ts';
import type { Message, SummaryMessage } from '../../lib/types/message.ts';
import { idle } from '../../lib/types/run.ts';
import { newCall, type ToolCall } from '../../lib/types/tools/tool-call.ts';
import { assistant, conversation, queued, run, snapshot, user } from './fake-worker.ts';

const chatOf = (more: Partial<Snapshot>): Chat => chatFrom(snapshot(more).snapshot);
const after = (chat: Chat, ...changes: ChatRows[]): Chat => changes.reduce(withRows, chat);
const idsIn = (chat: Chat): string[] => chat.messages.map(({ id }) => id);

const called: ToolCall = {
  ...newCall(assistant(2), 0, { id: 't1', name: 'mcp__1__echo', arguments: '{"a":1}' }),
  wait: 'permission',
};

describe('messages', () => {
  it('stand in the order of their turns, whatever order they come in', () => {
    const changes = [assistant(2), user(3), user(1)].map((message) => ({ messages: [message] }));
    expect(idsIn(after(emptyChat, ...changes))).toEqual(['u1', 'a2', 'u3']);
    expect(idsIn(chatOf({ messages: [assistant(2), user(3), user(1)] }))).toEqual(['u1', 'a2', 'u3']);
  });

  it('of tools stand behind the step whose calls they answer', () => {
    const answered: Message = {
      ...user(2),
      id: 'a2.0.result',
      parentId: 'a2',
      sub: 1,
      role: 'tool',
      tool_call_id: 'x',
      name: 'mcp__1__echo',
    };
    const chat = after(chatOf({ messages: [user(1)] }), { messages: [assistant(3), answered, assistant(2)] });
    expect(idsIn(chat)).toEqual(['u1', 'a2', 'a2.0.result', 'a3']);
  });

  it('take the place of the one that has their id', () => {
    const partial = assistant(2, { status: 'partial', content: 'Half', reasoning: 'Hm' });
    const chat = chatOf({ messages: [user(1), partial, user(3)] });
    const begun = assistant(2, { status: 'streaming', content: 'W' });
    const whole = assistant(2, { content: 'Whole' });
    expect(after(chat, { messages: [begun] }).messages).toEqual([user(1), begun, user(3)]);
    expect(after(chat, { messages: [begun] }, { messages: [whole] }).messages[1]).toBe(whole);
  });

  it('that are removed are not shown any more', () => {
    const chat = chatOf({ messages: [user(1), assistant(2)] });
    expect(idsIn(after(chat, { removed: ['a2'] }))).toEqual(['u1']);
    expect(idsIn(after(chat, { removed: ['a2'], messages: [assistant(4)] }))).toEqual(['u1', 'a4']);
  });

  it('that did not change keep their identity', () => {
    const before = chatOf({ messages: [user(1), assistant(2)] });
    const chat = after(before, { messages: [assistant(3)] });
    expect(chat.messages[0]).toBe(before.messages[0]);
    expect(chat.messages[1]).toBe(before.messages[1]);
  });

  it('of before come in front, each once', () => {
    const chat = chatOf({ messages: [user(3)], hasOlder: true });
    const older = withOlder(chat, {
      messages: [user(1), assistant(2), user(3)],
      toolCalls: [],
      hasOlder: false,
      versions: {},
    });
    expect(idsIn(older)).toEqual(['u1', 'a2', 'u3']);
  });

  it('far above the end are let go of by whole turns, and can be loaded again', () => {
    const turns = [...Array(26).keys()].map((turn) => [user(2 * turn), assistant(2 * turn + 1)]);
    const done = {
      ...newCall(assistant(1), 0, { name: 'echo', arguments: '' }),
      status: 'success' as const,
    };
    const runs = [run({ id: 'r0', status: 'ended', leafId: 'a1' }), run({ leafId: 'u50' })];
    const toolCalls = [done, { ...done, callId: 'a51.0', messageId: 'a51' }];
    const rest = withoutEarlier(chatOf({ messages: turns.flat(), toolCalls, runs }));
    expect(rest.messages).toEqual(turns.slice(11).flat());
    expect(rest).toMatchObject({ hasOlder: true, runs: [{ id: 'r1' }] });
    expect(Object.keys(rest.calls)).toEqual(['a51.0']);
    const older = { messages: turns.slice(9, 11).flat(), toolCalls: [], versions: {}, hasOlder: true };
    expect(withOlder(rest, older).messages[0]?.id).toBe('u18');
  });

  it('of few turns stay, and so does a turn of very many', () => {
    const few = chatOf({ messages: [...Array(50).keys()].map((seq) => user(seq)) });
    expect(withoutEarlier(few)).toBe(few);
    const steps = [...Array(90).keys()].map((step) => assistant(step + 1));
    const one = chatOf({ messages: [user(0), ...steps] });
    expect(withoutEarlier(one)).toBe(one);
  });
});

describe('a snapshot', () => {
  it('replaces everything that was known', () => {
    const activity = { maxIterations: 10, summarising: true, progress: { 'a2.0': { progress: 1 } } };
    const before = after(chatOf({ messages: [user(1)], runs: [run()], activity }), { toolCalls: [called] });
    expect(before).toMatchObject({ ...activity, calls: { 'a2.0': called } });
    const next = { messages: [user(5)], runs: [run({ status: 'ended', reason: 'done' })] };
    expect(chatOf(next)).toEqual({ ...emptyChat, conversation, ...next });
  });
});

describe('a change', () => {
  it('leaves alone what it has no rows of', () => {
    const before = chatOf({
      messages: [user(1), assistant(2)],
      toolCalls: [called],
      runs: [run()],
      versions: { a2: ['a2', 'b2'] },
    });
    const chat = after(before, { activity: { ...idle, summarising: true } });
    expect(chat).toEqual({ ...before, summarising: true });
    const parts = ['conversation', 'messages', 'calls', 'runs', 'versions'] as const;
    expect(parts.filter((part) => chat[part] !== before[part])).toEqual([]);
  });

  it('puts a call in the place of its row, with nothing left of what it no longer says', () => {
    const other = { ...called, callId: 'a2.1', position: 1 };
    const before = chatOf({ toolCalls: [called, other] });
    const { wait: _wait, ...rest } = called;
    const allowed: ToolCall = { ...rest, status: 'approved' };
    const chat = after(before, { toolCalls: [allowed] });
    expect(chat.calls['a2.0']).toBe(allowed);
    expect(chat.calls['a2.0']).not.toHaveProperty('wait');
    expect(chat.calls['a2.1']).toBe(other);
  });

  it('brings the conversation, its other versions, and all of the attachments and requests', () => {
    const versions = { a2: ['a2', 'b2'] };
    const renamed = { ...conversation, title: 'Renamed' };
    const before = chatOf({ versions: { u1: ['u1', 'v1'] } });
    const chat = after(before, { conversation: renamed, versions, attachments: [], requests: [] });
    expect(chat.conversation).toBe(renamed);
    expect(chat.versions).toEqual({ ...before.versions, ...versions });
  });

  it('shows a summary once it is written, and leaves the originals', () => {
    const summary: SummaryMessage = {
      ...user(5, 'They spoke of tides.'),
      id: 's5',
      role: 'summary',
      runId: 'r1',
      keepsFrom: 'u3',
    };
    const activity = { ...idle, summarising: true };
    const writing = chatOf({ messages: [user(1), assistant(2), user(3)], runs: [run()], activity });
    const chat = after(writing, { messages: [summary], activity: idle });
    expect(chat.summarising).toBe(false);
    expect(idsIn(chat)).toEqual(['u1', 'a2', 'u3', 's5']);
  });
});

describe('runs', () => {
  it('take the place of the one that has their id, in the order in which they came', () => {
    const error = { code: 'model_unauthorized', message: 'No', retryable: false };
    const ended = run({ status: 'ended', reason: 'error', error });
    const chat = after(emptyChat, { runs: [run()] }, { runs: [queued('Next')] }, { runs: [ended] });
    expect(chat.runs).toEqual([ended, queued('Next')]);
  });

  it('that were queued stand, as they begin, behind what ended and before what is queued still', () => {
    const ended = run({ status: 'ended', reason: 'done' });
    const { queued: _sent, ...began } = queued('Next', { id: 'r2' });
    const waits = queued('Then', { id: 'r3', order: 1 });
    const before = { runs: [run(), queued('Next', { id: 'r2' }), waits] };
    const after2 = after(emptyChat, before, { runs: [ended] }, { runs: [{ ...began, status: 'working' }] });
    expect(after2.runs.map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
    const late = after(emptyChat, { runs: [waits] }, { runs: [run({ id: 'r4' })] });
    expect(late.runs.map(({ id }) => id)).toEqual(['r4', 'r3']);
  });

  it('that were queued and removed leave no trace', () => {
    const waits = queued('Next');
    const removed = { ...waits, status: 'ended', reason: 'cancelled' } as const;
    const chat = after(emptyChat, { runs: [run()] }, { runs: [waits] }, { runs: [removed] });
    expect(chat.runs.map(({ id }) => id)).toEqual(['r1']);
  });
});
