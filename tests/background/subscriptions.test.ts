import { afterEach, describe, expect, it, vi } from 'vitest';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import { epoch, inWindow, page, start } from './subscribing.ts';

const rows = {};

afterEach(() => void vi.useRealTimers());

describe('a subscription', () => {
  it('is answered by a snapshot and its revision, and then by every change', async () => {
    const { subscribed, feed } = start();
    const panel = page();
    feed.changed('c1', rows);
    await subscribed(panel, inWindow(1));
    feed.changed('c1', rows);
    feed.changed('c2', rows);
    expect(panel.told()).toEqual(['1 snapshot 1', '1 revision 1', '1 1-2']);
  });

  it('of a page that has the newest revision is answered by the revision alone', async () => {
    const { subscribed, feed } = start();
    const panel = page();
    await subscribed(panel, { conversationId: 'c1' });
    feed.changed('c1', rows);
    await subscribed(panel, { conversationId: 'c1', have: { epoch, number: 1 } });
    expect(panel.told().slice(-1)).toEqual(['2 revision 1']);
  });

  it('of a page that is a little behind is answered by the changes that it lacks', async () => {
    const { subscribed, feed } = start();
    const [panel, other] = [page(), page()];
    await subscribed(other, { conversationId: 'c1' });
    feed.changed('c1', rows);
    feed.changed('c1', rows);
    await subscribed(panel, { conversationId: 'c1', have: { epoch, number: 1 } });
    expect(panel.told()).toEqual(['2 1-2', '2 revision 2']);
  });

  it.each([
    ['of another life of the worker', { epoch: 'e0', number: 1 }],
    ['that no change is known since', { epoch, number: 0 }],
    ['that never was', { epoch, number: 9 }],
  ])('of a page with a revision %s is answered by a snapshot', async (_what, have) => {
    const { subscribed, feed } = start();
    const panel = page();
    feed.changed('c1', rows); // nothing has subscribed yet, so that it is not kept
    await subscribed(panel, { conversationId: 'c1', have });
    expect(panel.told()).toEqual(['1 snapshot 1', '1 revision 1']);
  });

  it('to a chat that does not exist yet is in effect at once, without a snapshot', async () => {
    const { subscribe, feed } = start();
    const panel = page();
    subscribe(panel.port, { conversationId: 'new one', have: { epoch, number: 0 }, isChoice: true });
    feed.changed('new one', rows);
    await vi.waitUntil(() => panel.told().length > 1);
    expect(panel.told()).toEqual(['1 revision 0', '1 0-1']);
  });

  it('is in effect at once whatever an earlier one still waits for, and the last one holds', async () => {
    const database = Promise.withResolvers<void>();
    const { subscribe, subscribed, feed } = start({
      reading: (id) => (id === 'c1' ? database.promise : Promise.resolve()),
    });
    const panel = page();
    subscribe(panel.port, { conversationId: 'c1' });
    await subscribed(panel, { conversationId: 'c2' });
    feed.changed('c2', rows);
    database.resolve();
    feed.changed('c1', rows);
    await new Promise((resolve) => setImmediate(resolve));
    expect(panel.told()).toEqual(['2 snapshot 0', '2 revision 0', '2 0-1']);
  });

  it('leaves it to the last one which chat is shown there, whatever an earlier one finds', async () => {
    const { subscribe, subscribed, places, looked } = start();
    const panel = page();
    subscribe(panel.port, inWindow(1));
    await subscribed(panel, { conversationId: 'c2', place: { windowId: 1 }, isChoice: true });
    expect([places.get(1), looked]).toEqual(['c2', ['c2']]);
  });

  it('gets what was committed while its snapshot was read, without a gap and in order', async () => {
    const database = Promise.withResolvers<void>();
    const { subscribe, feed } = start({ reading: () => database.promise });
    const panel = page();
    subscribe(panel.port, { conversationId: 'c1' });
    await Promise.resolve();
    feed.changed('c1', rows);
    feed.changed('c1', rows);
    expect(panel.told()).toEqual([]);
    database.resolve();
    await vi.waitUntil(() => panel.told().length > 0);
    feed.changed('c1', rows);
    expect(panel.told()).toEqual(['1 snapshot 0', '1 0-1', '1 1-2', '1 revision 2', '1 2-3']);
  });

  it('gets a snapshot when the conversation turned to another branch', async () => {
    const { subscribed, feed } = start();
    const [panel, other] = [page(), page()];
    await subscribed(panel, { conversationId: 'c1' });
    await subscribed(other, { conversationId: 'c2' });
    feed.reset('c1');
    await vi.waitUntil(() => panel.told().length > 2);
    expect(panel.told().slice(2)).toEqual(['1 snapshot 1', '1 revision 1']);
    expect(other.told()).toHaveLength(2);
  });

  it('gets what was committed while that snapshot was read after it, and not before', async () => {
    let database = Promise.resolve();
    const { subscribed, feed } = start({ reading: () => database });
    const panel = page();
    await subscribed(panel, { conversationId: 'c1' });
    const reading = Promise.withResolvers<void>();
    database = reading.promise;
    feed.reset('c1');
    feed.changed('c1', rows);
    expect(panel.told()).toHaveLength(2);
    reading.resolve();
    await vi.waitUntil(() => panel.told().length > 2);
    expect(panel.told().slice(2)).toEqual(['1 snapshot 1', '1 1-2', '1 revision 2']);
  });

  it('is refused with the reason when the database can’t be read', async () => {
    const { subscribe } = start({ reading: () => Promise.reject(new Error('The disk is full.')) });
    const panel = page();
    subscribe(panel.port, { conversationId: 'c1' });
    await vi.waitUntil(() => panel.got.some(({ type }) => type === 'refused'));
    expect(panel.got.at(-1)).toMatchObject({ error: { message: 'Error: The disk is full.' } });
  });

  it('gets the revision every two seconds while a run works, and not when none does', async () => {
    const working = { is: true };
    const { subscribed } = start({ isWorking: () => working.is });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const panel = page();
    await subscribed(panel, { conversationId: 'c1' });
    vi.advanceTimersByTime(4000);
    expect(panel.told().slice(2)).toEqual(['1 revision 0', '1 revision 0']);
    working.is = false;
    vi.advanceTimersByTime(10_000);
    expect(panel.told()).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gets no revision before its snapshot', async () => {
    const database = Promise.withResolvers<void>();
    const { subscribe, subscribed } = start({
      isWorking: () => true,
      reading: (id) => (id === 'c1' ? database.promise : Promise.resolve()),
    });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [panel, other] = [page(), page()];
    subscribe(panel.port, { conversationId: 'c1' });
    await subscribed(other, { conversationId: 'c2' });
    vi.advanceTimersByTime(2000);
    expect([panel.told(), other.told()]).toEqual([[], ['2 snapshot 0', '2 revision 0', '2 revision 0']]);
    database.resolve();
    await vi.waitUntil(() => panel.told().length > 0);
    expect(panel.told()).toEqual(['1 snapshot 0', '1 revision 0']);
  });
});

describe('every change', () => {
  it('is announced to all pages, with its revision', () => {
    const { feed, announced, sendToAll } = start();
    feed.changed('c1', rows);
    feed.reset('c1');
    sendToAll({ type: 'conversations_gone', ids: ['c1'] });
    expect(announced).toEqual([
      { topic: 'c1', revision: { epoch, number: 1 } },
      { topic: 'c1', revision: { epoch, number: 2 } },
      { topic: 'chats', revision: { epoch, number: 1 } },
    ]);
  });
});

describe('a page whose list of chats is behind', () => {
  it('is told so when it subscribes, and not when it has the newest', async () => {
    const { subscribed, sendToAll, revision } = start();
    const panel = page();
    sendToAll({ type: 'conversations_gone', ids: [] });
    await subscribed(panel, { conversationId: 'c1', chats: { epoch, number: 0 } });
    await subscribed(panel, { conversationId: 'c1', chats: revision() });
    expect(panel.got.filter(({ type }) => type === 'chats')).toEqual([
      { type: 'chats', revision: { epoch, number: 1 } },
    ]);
  });
});

describe('whether the user looks at a chat', () => {
  it('is told by the panel that shows it, at first and whenever it changes', async () => {
    const { panels, looked, subscribed, request, gone } = start();
    const panel = page();
    await subscribed(panel, { ...inWindow(1), isHidden: true });
    expect([panels.isShown('c1'), panels.isSeen('c1'), looked]).toEqual([true, false, []]);
    request(panel.port, { type: 'visibility', isHidden: false });
    expect([panels.isSeen('c1'), looked]).toEqual([true, ['c1']]);
    request(panel.port, { type: 'visibility', isHidden: true });
    expect(panels.isSeen('c1')).toBe(false);
    request(panel.port, { type: 'visibility', isHidden: false });
    gone(panel.port);
    expect(panels.isSeen('c1')).toBe(false);
  });
});

describe('what servers ask in calls outside any chat', () => {
  it('is cancelled once the last page is closed on which it could be answered', async () => {
    const { subscribed, gone, cancelled } = start();
    const [panel, first, second] = [page(), page(), page()];
    await subscribed(panel, inWindow(1));
    for (const each of [first, second]) await subscribed(each, { conversationId: OWN_CALLS });
    gone(first.port);
    expect(cancelled).toEqual([]);
    gone(second.port);
    expect(cancelled).toEqual([OWN_CALLS]);
  });
});
