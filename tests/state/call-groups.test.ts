import { describe, expect, it } from 'vitest';
import { groupCalls, tallyOf } from '../../lib/state/chat/call-groups.ts';
import { reasonOf } from '../../lib/state/chat/call-names.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import type { CallStatus, ToolCall } from '../../lib/types/tools/tool-call.ts';
import { phrases } from '../../locales/phrases.ts';

const step = (id: string, more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  id,
  conversationId: 'c',
  parentId: null,
  seq: 1,
  sub: 0,
  timestamp: '2026-11-22T09:00:00.000Z',
  status: 'complete',
  role: 'assistant',
  runId: 'r',
  content: '',
  tool_calls: [{ id: 't', name: 'echo', arguments: '{}' }],
  ...more,
});
const says = (id: string, content: string) => step(id, { content });
const answer = step('end', { content: 'Done.', tool_calls: [] });
const keys = (messages: AssistantMessage[], held?: string[]) =>
  Object.fromEntries(
    Object.entries(groupCalls(messages, new Set(held))).map(([id, { messageIds }]) => [id, messageIds]),
  );

describe('the call groups of an answer', () => {
  it('begin to fold when the next step begins', () => {
    expect(keys([step('a')])).toEqual({});
    expect(keys([step('a'), step('b', { status: 'streaming' })])).toEqual({ a: 'a' });
  });

  it('join steps with nothing to read between them', () => {
    expect(keys([says('a', 'I look.'), step('b'), says('c', 'And again.'), step('d'), answer])).toEqual({
      a: 'a b',
      b: 'a b',
      c: 'c d',
      d: 'c d',
    });
  });

  it('end at what is said about a step, and at one that made no calls', () => {
    expect(keys([step('a', { finish: 'length' }), step('b'), answer])).toEqual({ a: 'a', b: 'b' });
    expect(keys([step('a'), step('b', { status: 'partial' }), step('c'), answer])).toEqual({
      a: 'a',
      c: 'c',
    });
    expect(keys([step('a'), step('b', { notes: ['Without tools.'] }), answer])).toEqual({ a: 'a', b: 'b' });
  });

  it('leave out a card that the reader holds', () => {
    expect(keys([step('a'), step('b'), step('c'), answer], ['b'])).toEqual({ a: 'a', c: 'c' });
  });
});

describe('the line of a call group', () => {
  const row = (callId: string, status: CallStatus, at?: number, durationMs?: number): [string, ToolCall] => [
    callId,
    {
      callId,
      conversationId: 'c',
      runId: 'r',
      messageId: callId.slice(0, 1),
      position: 0,
      toolCallId: 't',
      namespacedName: 'echo',
      toolName: 'echo',
      serverId: 1,
      serverName: 'Test',
      arguments: '{}',
      annotations: {},
      status,
      createdAt: '2026-11-22T09:00:00.000Z',
      ...(at !== undefined && { startedAt: new Date(at).toISOString() }),
      ...(durationMs !== undefined && { durationMs }),
    },
  ];

  it('tells how the calls ended and how long calls ran, those beside each other once', () => {
    const calls = Object.fromEntries([
      row('a.0', 'error', 1000, 100),
      row('a.1', 'timeout', 1000, 30_000),
      row('b.0', 'success', 60_000, 1200),
      row('b.1', 'success', 60_000, 21_000),
      row('b.2', 'success', 61_000, 21_000),
    ]);
    const tally = tallyOf(calls, [
      { id: 'a', count: 2 },
      { id: 'b', count: 3 },
    ]);
    expect(phrases.steps(tally)).toBe('5 steps: echo ×5 · 52 s · 1 error, 1 timeout');
  });

  it('says no time where nothing ran, and takes a call that the run never came to as cancelled', () => {
    const tally = tallyOf(Object.fromEntries([row('a.0', 'denied')]), [{ id: 'a', count: 2 }]);
    expect(phrases.steps(tally)).toBe('2 steps: echo · 1 cancelled, 1 denied');
  });

  it('does not say of a call that was denied that its tool was used', () => {
    const tally = tallyOf(Object.fromEntries([row('a.0', 'denied')]), [{ id: 'a', count: 1 }]);
    expect(phrases.steps(tally)).toBe('echo · 1 denied');
  });
});

describe('the reason of a failed call', () => {
  it.each([
    [
      'echo was not run: Notes could not be reached. Check that the server is running at http://127.0.0.1:3901/mcp and that Portside has access to that address, then reconnect.',
      'echo was not run: Notes could not be reached.',
    ],
    ['Error. The file is not there.', 'Error. The file is not there.'],
    ['\nENOENT: no such file\n    at open (fs.js:1)', 'ENOENT: no such file'],
    ['ファイルがありません。'.repeat(20), 'ファイルがありません。'.repeat(14)],
    ['many words '.repeat(100), `${'many words '.repeat(14)}many…`],
  ])('of %j ends with a sentence, or says that it goes on', (text, reason) =>
    expect(reasonOf(text)).toBe(reason),
  );
});
