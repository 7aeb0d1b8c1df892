import { describe, expect, it } from 'vitest';
import {
  chatFrom,
  emptyChat,
  unsentBy,
  unsentSince,
  withOlder,
  withoutEarlier,
  withRows,
  type Chat,
} from '../../lib/state/chat.ts';
import { pendingCall } from '../../lib/state/calls.ts';
import { idle } from '../../lib/types/run.ts';
import { assistant, conversation, queued, run, snapshot, user, type Said } from './fake-worker.ts';

const shown = (said: Said): Chat => (said.type === 'snapshot' ? chatFrom(said.snapshot) : emptyChat);
const call = pendingCall(assistant(2), 0, { name: 'echo', arguments: '{}' });

describe('messages', () => {
  it('stand in the order of their turns, whatever order they come in', () => {
    const chat = withRows(emptyChat, { messages: [assistant(2), user(3), user(1)] });
    expect(chat.messages.map((message) => message.id)).toEqual(['u1', 'a2', 'u3']);
  });

  it('take the place of those that have their ids, and others keep their identity', () => {
    const before = shown(snapshot({ messages: [user(1), assistant(2, { status: 'streaming' })] }));
    const whole = assistant(2, { content: 'The whole answer' });
    const chat = withRows(before, { messages: [whole] });
    expect(chat.messages).toEqual([user(1), whole]);
    expect(chat.messages[0]).toBe(before.messages[0]);
  });

  it('that are removed are gone', () => {
    const before = shown(snapshot({ messages: [user(1), assistant(2, { status: 'streaming' })] }));
    expect(withRows(before, { removed: ['a2'] }).messages).toEqual([user(1)]);
  });

  it('of before come in front, each once', () => {
    const chat = shown(snapshot({ messages: [user(3)], hasOlder: true }));
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
    const chat = shown(snapshot({ messages: turns.flat(), toolCalls, runs }));
    const rest = withoutEarlier(chat);
    expect(rest.messages).toEqual(turns.slice(11).flat());
    expect(rest).toMatchObject({ hasOlder: true, runs: [{ id: 'r1' }] });
    expect(Object.keys(rest.calls)).toEqual(['a51.0']);
    const older = { messages: turns.slice(9, 11).flat(), toolCalls: [], versions: {}, hasOlder: true };
    expect(withOlder(rest, older).messages[0]?.id).toBe('u18');
  });

  it('of few turns stay, and so does a turn of very many', () => {
    const few = shown(snapshot({ messages: [...Array(50).keys()].map((seq) => user(seq)) }));
    expect(withoutEarlier(few)).toBe(few);
    const steps = [...Array(90).keys()].map((step) => assistant(step + 1));
    const one = shown(snapshot({ messages: [user(0), ...steps] }));
    expect(withoutEarlier(one)).toBe(one);
  });
});

describe('a snapshot', () => {
  it('replaces everything that was known', () => {
    const chat = shown(
      snapshot({ messages: [user(5)], runs: [run({ status: 'ended', reason: 'done' })], toolCalls: [call] }),
    );
    expect(chat.messages.map((message) => message.id)).toEqual(['u5']);
    expect(chat.calls).toEqual({ 'a2.0': call });
    expect(chat.runs).toMatchObject([{ status: 'ended' }]);
    expect(chat.conversation).toBe(conversation);
  });
});

describe('rows', () => {
  it('of calls, versions, what is attached and what servers ask replace what was there', () => {
    const before = shown(
      snapshot({ messages: [assistant(2)], toolCalls: [call], versions: { a2: ['a2', 'b2'] } }),
    );
    const chat = withRows(before, {
      toolCalls: [{ ...call, status: 'running' }],
      versions: { u1: ['u0', 'u1'] },
      attachments: [],
      requests: [],
    });
    expect(chat.calls['a2.0']).toMatchObject({ status: 'running' });
    expect(chat.versions).toEqual({ a2: ['a2', 'b2'], u1: ['u0', 'u1'] });
    expect(chat.messages).toBe(before.messages);
  });

  it('say what the run is at, all of it', () => {
    const progress = { 'a2.0': { progress: 1 } };
    const chat = withRows(emptyChat, { activity: { maxIterations: 10, summarising: true, progress } });
    expect(chat).toMatchObject({ maxIterations: 10, summarising: true, progress });
    expect(withRows(chat, { activity: idle })).toMatchObject(idle);
  });
});

describe('runs', () => {
  it('that were queued and never began leave no trace', () => {
    const waits = queued('Next');
    const before = withRows(emptyChat, { runs: [run(), waits] });
    const chat = withRows(before, { runs: [{ ...waits, status: 'ended', reason: 'cancelled' }] });
    expect(chat.runs.map((other) => other.id)).toEqual(['r1']);
  });

  it('that were queued and went back into the draft bring their texts back, once', () => {
    const waits = queued('Next');
    const before = withRows(emptyChat, { runs: [run(), waits] });
    const rows = { runs: [{ ...waits, status: 'ended' as const, unsent: true as const }] };
    expect(unsentBy(before, rows)).toEqual(['Next']);
    expect(unsentBy(withRows(before, rows), rows)).toEqual([]);
    expect(unsentBy(before, { runs: [{ ...waits, status: 'ended' }] })).toEqual([]);
  });

  it('that were queued here and are neither queued nor sent in a snapshot went back into the draft', () => {
    const before = withRows(emptyChat, { runs: [run(), queued('Next'), queued('Sent', { id: 'r3' })] });
    const said = snapshot({ messages: [{ ...user(3), id: 'm-r3' }] });
    expect(said.type === 'snapshot' && unsentSince(before, said.snapshot)).toEqual(['Next']);
  });
});
