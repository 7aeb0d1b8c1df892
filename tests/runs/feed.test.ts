import { describe, expect, it } from 'vitest';
import { createFeed, type Update } from '../../lib/runs/feed.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';

const rows = { removed: [] };
const append = { type: 'append', messageId: 'a1', at: 0, text: 'So far', part: 'text' } as const;

function start() {
  const told: [conversationId: string, update: Update][] = [];
  const subscribers = { are: true };
  const feed = createFeed((id, update) => {
    told.push([id, update]);
    return subscribers.are;
  });
  /** What was missed, in short. */
  const since = (number: number, id = 'c1') => feed.since(id, number)?.map(({ from, to }) => `${from}-${to}`);
  const change = (count: number): void => {
    for (let left = count; left > 0; left -= 1) feed.changed('c1', rows);
  };
  return { feed, told, subscribers, since, change };
}

describe('a conversation’s revision', () => {
  it('grows by one with each change, whatever happens in other conversations', () => {
    const { feed, told } = start();
    for (const id of ['c1', 'c2', 'c1']) feed.changed(id, rows);
    expect(['c1', 'c2', 'c3'].map(feed.number)).toEqual([2, 1, 0]);
    expect(told).toEqual([
      ['c1', { type: 'change', from: 0, to: 1, rows }],
      ['c2', { type: 'change', from: 0, to: 1, rows }],
      ['c1', { type: 'change', from: 1, to: 2, rows }],
    ]);
  });

  it('is the new one already when subscribers get the event', () => {
    const numbers: number[] = [];
    const feed = createFeed((id) => numbers.push(feed.number(id)) > 0);
    feed.changed('c1', rows);
    feed.reset('c1');
    expect(numbers).toEqual([1, 2]);
  });

  it('stays with text that streams in, which is told and not kept', () => {
    const { feed, told, since, change } = start();
    change(1);
    feed.append('c1', append);
    expect(told.at(-1)).toEqual(['c1', append]);
    expect([feed.number('c1'), since(0)]).toEqual([1, ['0-1']]);
  });
});

describe('what was missed since a revision', () => {
  it('is every later change, in order, and nothing since the newest', () => {
    const { since, change } = start();
    change(3);
    expect([since(0), since(1), since(3)]).toEqual([['0-1', '1-2', '2-3'], ['1-2', '2-3'], []]);
  });

  it('is nothing for a chat that has not begun, and not known for a revision that never was', () => {
    const { since, change } = start();
    expect([since(0, 'new'), since(1, 'new')]).toEqual([[], undefined]);
    change(3);
    expect([since(4), since(-1)]).toEqual([undefined, undefined]);
  });

  it('is known of the last fifty changes only', () => {
    const { since, change } = start();
    change(60);
    expect([since(9), since(10)?.length, since(10)?.[0]]).toEqual([undefined, 50, '10-11']);
  });

  it('is not known across a change that brought media: they are not kept for who missed them', () => {
    const { feed, since } = start();
    feed.changed('c1', rows);
    feed.changed('c1', { toolCalls: [{ result: { text: '', blocks: [] } } as unknown as ToolCall] });
    feed.changed('c1', rows);
    expect([since(1), since(2)]).toEqual([undefined, ['2-3']]);
  });

  it('is not known across a reset, and known from there on', () => {
    const { feed, told, since, change } = start();
    change(2);
    feed.reset('c1');
    expect(told.at(-1)).toEqual(['c1', { type: 'reset' }]);
    expect([feed.number('c1'), since(1), since(2), since(3)]).toEqual([3, undefined, undefined, []]);
    change(1);
    expect([since(2), since(3)]).toEqual([undefined, ['3-4']]);
  });

  it('is not known of the time in which nothing had subscribed', () => {
    const { subscribers, since, change } = start();
    change(1);
    subscribers.are = false;
    change(1);
    expect([since(0), since(1), since(2)]).toEqual([undefined, undefined, []]);
    subscribers.are = true;
    change(1);
    expect([since(1), since(2)]).toEqual([undefined, ['2-3']]);
  });
});
