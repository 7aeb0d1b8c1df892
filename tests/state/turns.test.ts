import { describe, expect, it } from 'vitest';
import { emptyChat, type Chat } from '../../lib/state/chat.ts';
import { pendingCall } from '../../lib/state/calls.ts';
import { queuedRuns, runStatusLine } from '../../lib/state/run-status.ts';
import { turnsOf, type Turn } from '../../lib/state/turns.ts';
import type { SummaryMessage, ToolMessage } from '../../lib/types/message.ts';
import type { CallStatus, ToolCall } from '../../lib/types/tool.ts';
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
  ...pendingCall(assistant(2), 0, { name: 'echo', arguments: '' }),
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

  it('break where the model begins to read a summary', () => {
    const summary: SummaryMessage = { ...user(3), id: 's3', role: 'summary', runId: 'r1', keepsFrom: 'a2' };
    const turns = turnsOf([user(1), assistant(2), summary, assistant(4)]);
    expect(turns.map(shape)).toEqual(['you', ['a2'], 'summary', ['a4']]);
  });
});

describe('the queue', () => {
  it('goes by its own order, not by when it was heard of', () => {
    const runs = [run(), queued('second', { id: 'r2', order: 2 }), queued('first', { id: 'r3', order: 1 })];
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
    ['thinks before the first word', live(), false, { type: 'thinking' }],
    ['writes once there is text', live(), true, { type: 'writing' }],
    [
      'counts the tools that run',
      live(call('running'), call('running'), call('success')),
      false,
      { type: 'tools', count: 2 },
    ],
    [
      'puts an approval before running tools',
      live(call('running'), call('pending', { wait: 'permission' })),
      false,
      { type: 'approval' },
    ],
    ['waits for its next try', { ...emptyChat, runs: [run({ retry })] }, true, { type: 'retry' }],
    ['summarises', { ...live(), summarising: true }, false, { type: 'summary' }],
    ['waits for a choice', live(call('unknown', { wait: 'unknown' })), false, { type: 'choice' }],
  ])('%s', (_name, chat, hasText, line) => {
    expect(runStatusLine(chat, false, hasText)).toEqual(line);
  });

  it('says how the last run ended, but not once the next was asked for', () => {
    const chat = { ...emptyChat, runs: [run({ status: 'ended' as const, reason: 'done' as const })] };
    expect(runStatusLine(chat, false, false)).toEqual({ type: 'idle', reason: 'done' });
    expect(runStatusLine(chat, true, false)).toEqual({ type: 'thinking' });
  });
});
