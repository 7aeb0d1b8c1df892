import { describe, expect, it } from 'vitest';
import { emptyChat, type Chat } from '../../lib/state/chat/chat.ts';
import { queuedRuns, runStatusLine, type Writes } from '../../lib/state/chat/run-status.ts';
import { messagesAfter, turnsOf, type Turn } from '../../lib/state/chat/turns.ts';
import type { SummaryMessage, ToolMessage } from '../../lib/types/message.ts';
import { type CallStatus, newCall, type ToolCall } from '../../lib/types/tools/tool-call.ts';
import { assistant, queued, run, user } from './fake-worker.ts';

const toolMessage: ToolMessage = {
  ...user(2),
  id: 't1',
  sub: 1,
  role: 'tool',
  tool_call_id: 'x',
  name: 'mcp__1__echo',
};

const call = (status: CallStatus, more: Partial<ToolCall> = {}): ToolCall => ({
  ...newCall(assistant(2), 0, { name: 'echo', arguments: '' }),
  status,
  ...more,
});
const live = (...calls: ToolCall[]): Chat => ({
  ...emptyChat,
  runs: [run()],
  calls: Object.fromEntries(calls.map((row, position) => [`a2.${position}`, row])),
});

const shape = (turn: Turn): string | string[] =>
  turn.type === 'assistant' ? turn.messages.map(({ id }) => id) : turn.type;

describe('turns', () => {
  it('gather all that the assistant did about one message, and show no bookkeeping', () => {
    const turns = turnsOf([user(1), assistant(2), toolMessage, assistant(3), user(4), assistant(5)]);
    expect(turns.map(shape)).toEqual(['you', ['a2', 'a3'], 'you', ['a5']]);
  });

  const summary = (keepsFrom: string | null): SummaryMessage => {
    return { ...user(5), id: 's5', role: 'summary', runId: 'r1', keepsFrom };
  };

  it('hold a summary where all that stands above it is told by it', () => {
    const before = [user(1), assistant(2), user(3), assistant(4)];
    const shapes = (keepsFrom: string | null) =>
      turnsOf([...before, summary(keepsFrom), assistant(6)]).map(shape);
    expect(shapes('u3')).toEqual(['you', ['a2'], 'summary', 'you', ['a4', 'a6']]);
    expect(shapes('a4')).toEqual(['you', ['a2'], 'you', 'summary', ['a4', 'a6']]);
    expect(shapes(null)).toEqual(['you', ['a2'], 'you', ['a4'], 'summary', ['a6']]);
  });

  it('keep their identity, alone and together, until a message of theirs is another', () => {
    const messages = [user(1), assistant(2), user(3), assistant(4, { status: 'streaming' })];
    const before = turnsOf(messages);
    expect(turnsOf([...messages], before)).toBe(before);
    const ended = turnsOf([...messages.slice(0, 3), assistant(4)], before);
    expect(ended.map((turn, at) => turn === before[at])).toEqual([true, true, true, false]);
  });

  it('begin with a summary that tells only of messages that are not loaded', () => {
    expect(turnsOf([user(3), assistant(4), summary('u1')]).map(shape)).toEqual(['summary', 'you', ['a4']]);
  });

  it('break in mid-answer where the model goes on from a summary', () => {
    const messages = [user(1), assistant(2), assistant(3), summary('a3'), assistant(6)];
    expect(turnsOf(messages).map(shape)).toEqual(['you', ['a2'], 'summary', ['a3', 'a6']]);
  });

  it('that stand after a call’s own leave the chat when the call is made again', () => {
    const messages = [user(1), assistant(2), assistant(3), user(4), assistant(5), assistant(6), user(7)];
    expect(['a2', 'a3', 'a5', 'a6'].map((id) => messagesAfter(messages, id))).toEqual([3, 3, 1, 1]);
    expect(messagesAfter(messages.slice(0, 3), 'a2')).toBe(0);
    expect(messagesAfter(messages, 'not loaded')).toBe(0);
  });
});

describe('the queue', () => {
  it('goes by its own order, not by the order of events', () => {
    const runs = [run(), queued('second', { id: 'r2', order: 2 }), queued('first', { id: 'r3', order: 1 })];
    expect(queuedRuns({ ...emptyChat, runs }).map(({ id }) => id)).toEqual(['r3', 'r2']);
  });

  it('begins with steering messages: they leave before all that waits for the end', () => {
    const runs = [
      queued('later', { id: 'r2', order: 1 }),
      queued('now', { id: 'r3', order: 2, steer: true }),
    ];
    expect(queuedRuns({ ...emptyChat, runs }).map(({ id }) => id)).toEqual(['r3', 'r2']);
  });
});

describe('the run’s status', () => {
  const retry = {
    attempt: 2,
    of: 5,
    at: '2026-11-21T10:00:13.000Z',
    error: { code: 'model_rate_limited', message: 'Slow down', retryable: true },
  };
  it.each([
    ['thinks before the first word', live(), null, { type: 'thinking' }],
    ['writes once there is text', live(), 'text', { type: 'writing' }],
    ['says when it is a call that is written', live(), 'call', { type: 'calling' }],
    [
      'counts the tools that run',
      live(call('running'), call('running'), call('success')),
      null,
      { type: 'tools', count: 2 },
    ],
    [
      'counts those whose server is still to be reached, of the last message',
      { ...live(call('approved'), call('pending')), messages: [assistant(2)] },
      null,
      { type: 'tools', count: 2 },
    ],
    [
      'does not count what an earlier message never came to',
      { ...live(call('pending')), messages: [assistant(2), assistant(3)] },
      null,
      { type: 'thinking' },
    ],
    [
      'puts an approval before running tools',
      live(call('running'), call('pending', { wait: 'permission' })),
      null,
      { type: 'approval' },
    ],
    ['waits for its next try', { ...emptyChat, runs: [run({ retry })] }, 'text', { type: 'retry' }],
    ['summarises', { ...live(), summarising: true }, null, { type: 'summary' }],
    ['waits for a choice', live(call('unknown', { wait: 'unknown' })), null, { type: 'choice' }],
  ] satisfies [string, Chat, Writes | null, object][])('%s', (_name, chat, writes, line) => {
    expect(runStatusLine(chat, false, writes)).toEqual(line);
  });

  it('says how the last run ended, but not once the next was asked for', () => {
    const chat = { ...emptyChat, runs: [run({ status: 'ended' as const, reason: 'done' as const })] };
    expect(runStatusLine(chat, false, null)).toEqual({ type: 'idle', reason: 'done' });
    expect(runStatusLine(chat, true, null)).toEqual({ type: 'thinking' });
    const shortened = { ...chat, runs: chat.runs.map((each) => ({ ...each, compacts: true as const })) };
    expect(runStatusLine(shortened, false, null)).toEqual({ type: 'idle', reason: 'compacted' });
  });
});
