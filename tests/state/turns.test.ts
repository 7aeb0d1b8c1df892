import { describe, expect, it } from 'vitest';
import { emptyChat, type Chat } from '../../lib/state/chat.ts';
import { pendingCall } from '../../lib/state/calls.ts';
import { runStatusLine } from '../../lib/state/run-status.ts';
import { turnsOf } from '../../lib/state/turns.ts';
import type { CallStatus, ToolCall, ToolMessage } from '../../lib/types.ts';
import { assistant, run, user } from './fake-worker.ts';

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

describe('turns', () => {
  it('gather all that the assistant did about one message, and show no bookkeeping', () => {
    const turns = turnsOf([user(1), assistant(2), toolMessage, assistant(3), user(4), assistant(5)]);
    expect(turns.map((turn) => (turn.type === 'you' ? 'you' : turn.messages.map(({ id }) => id)))).toEqual([
      'you',
      ['a2', 'a3'],
      'you',
      ['a5'],
    ]);
  });
});

describe('the run’s status', () => {
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
