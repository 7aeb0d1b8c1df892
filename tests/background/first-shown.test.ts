import { describe, expect, it, vi } from 'vitest';
import { NEW_CHAT } from '../../lib/protocol/chats.ts';
import { epoch, inWindow, page, start } from './subscribing.ts';

describe('the chat that a panel opens with', () => {
  it('is the one that was chosen last at its place, from the moment it was chosen', async () => {
    const { subscribe, subscribed } = start();
    const [first, next] = [page(), page()];
    subscribe(first.port, {
      conversationId: 'c7',
      have: { epoch, number: 0 },
      isChoice: true,
      place: { windowId: 3 },
    });
    await subscribed(next, inWindow(3));
    expect(next.shown()).toEqual(['c7']);
  });

  it('is kept for the next panel at its place, unless it is a new one', async () => {
    const { subscribed, places } = start({ waiting: 'c5' });
    await subscribed(page(), inWindow(2));
    places.delete(1);
    const another = page();
    await subscribed(another, inWindow(1));
    expect([another.shown(), [...places]]).toEqual([[NEW_CHAT], [[2, 'c5']]]);
  });

  it('is neither kept nor looked at when the panel turned to another one before it was known', async () => {
    const { subscribe, subscribed, places, looked } = start({ waiting: 'c5' });
    const panel = page();
    subscribe(panel.port, inWindow(2));
    await subscribed(panel, { conversationId: 'c2', isChoice: true, place: { windowId: 2 } });
    expect([places.get(2), looked, panel.shown()]).toEqual(['c2', ['c2'], ['c2']]);
  });

  it('is shown by the panel that is open in its window, and by no other one', async () => {
    const { subscribed, turnTo } = start();
    const [here, elsewhere] = [page(), page()];
    await subscribed(here, inWindow(1));
    await subscribed(elsewhere, inWindow(2));
    await turnTo({ windowId: 1 }, 'c9');
    expect([here.followed(), elsewhere.followed()]).toEqual([['c9'], []]);
  });

  it('is shown by the next panel that opens there, whatever else waits; and only by that one', async () => {
    const { subscribed, turnTo } = start({ waiting: 'c5' });
    await turnTo({ windowId: 1 }, 'c9');
    const [elsewhere, first, second] = [page(), page(), page()];
    await subscribed(elsewhere, inWindow(2));
    expect(elsewhere.shown()).toEqual(['c5']);
    await subscribed(first, inWindow(1));
    expect(first.shown()).toEqual(['c9']);
    await subscribed(elsewhere, { conversationId: 'c2' });
    await subscribed(second, inWindow(1));
    expect(second.shown()).toEqual(['c5']);
  });
});

describe('panels that all show the same chat', () => {
  it('follow a choice, and one that comes back follows what was chosen meanwhile', async () => {
    const { subscribed, places } = start({ isFollowed: async () => true });
    const [one, other] = [page(), page()];
    await subscribed(one, inWindow(1));
    await subscribed(other, { conversationId: 'c2', isChoice: true, place: {} });
    expect([one.followed(), other.followed()]).toEqual([['c2'], []]);
    places.set(undefined, 'c3');
    await subscribed(one, { conversationId: 'c2' });
    expect(one.followed()).toEqual(['c2', 'c3']);
  });

  it('follow nothing because of a subscription that is not the last one any more', async () => {
    const isFollowed = Promise.withResolvers<boolean>();
    const { subscribe, places } = start({ isFollowed: () => isFollowed.promise });
    places.set(undefined, 'c3');
    const panel = page();
    subscribe(panel.port, { conversationId: 'c2' });
    await vi.waitUntil(() => panel.told().length > 1);
    subscribe(panel.port, { conversationId: 'c3' });
    isFollowed.resolve(true);
    await vi.waitUntil(() => panel.told().length > 3);
    await new Promise((resolve) => setImmediate(resolve));
    expect(panel.followed()).toEqual([]);
  });

  it('follow the last choice, also when the snapshot of an earlier one comes later', async () => {
    const database = Promise.withResolvers<void>();
    const { subscribe, subscribed } = start({
      isFollowed: async () => true,
      reading: (id) => (id === 'c2' ? database.promise : Promise.resolve()),
    });
    const [one, other] = [page(), page()];
    await subscribed(one, inWindow(1));
    subscribe(other.port, { conversationId: 'c2', isChoice: true, place: {} });
    await subscribed(other, { conversationId: 'c3', isChoice: true, place: {} });
    database.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.followed()).toEqual(['c3']);
  });
});
