import { expect, it } from 'vitest';
import type { Message } from '../../lib/types/message.ts';
import type { Run } from '../../lib/types/run.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { wrongIn } from './oracle.ts';

const asked = { id: 'u1', role: 'user', content: 'Note it', conversationId: 'c1' } as Message;
const result = { id: 'a1.0.result', role: 'tool', parentId: 'a1', sub: 1, conversationId: 'c1' } as Message;
const call = { callId: 'a1.0', runId: 'r1', messageId: 'a1', position: 0, conversationId: 'c1' } as ToolCall;
const made: ToolCall = { ...call, status: 'success', result: { text: 'noted', isError: false } };
const done = { id: 'r1', conversationId: 'c1', status: 'ended', reason: 'done' } as Run;
const error = { code: 'unexpected', message: 'The disk is full.', retryable: false } as const;

const kinds = (
  messages: Message[],
  toolCalls: ToolCall[],
  run: Run,
  effects = 1,
  drafts: string[] = [],
): string[] =>
  wrongIn({ conversations: [], drafts, messages, toolCalls, runs: [run] }, [
    { text: 'Note it', effects },
  ]).map(({ kind }) => kind);

it('a question is stored once, and its side effect comes once', () => {
  expect(kinds([asked], [], done)).toEqual([]);
  expect(kinds([], [], done)).toEqual(['lost']);
  expect(kinds([asked, { ...asked, id: 'u2' }], [], done)).toEqual(['doubled']);
  expect(kinds([asked], [], done, 2)).toEqual(['side effect']);
  expect(kinds([asked], [], done, 1, ['Another', 'Note it'])).toEqual(['draft']);
});

it('a call has exactly one result', () => {
  expect(kinds([asked, result], [made], done)).toEqual([]);
  expect(kinds([asked, result, { ...result, id: 'again' }], [made], done)).toEqual(['results']);
  expect(kinds([asked, result], [{ ...call, status: 'running' }], done)).toEqual(['results']);
});

it('a call is without a result only where the run says which fault ended it', () => {
  const open: ToolCall = { ...call, status: 'unknown' };
  expect(kinds([asked], [open], { ...done, reason: 'interrupted' })).toEqual([]);
  expect(kinds([asked], [open], { ...done, reason: 'error', error })).toEqual([]);
  for (const run of [
    done,
    { ...done, reason: 'error' },
    { ...done, reason: 'cancelled' },
    { ...done, reason: 'limit' },
  ] as Run[])
    expect(kinds([asked], [open], run)).toEqual(['results']);
  expect(kinds([asked], [made], { ...done, reason: 'interrupted' })).toEqual(['results']);
});
