import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPanels } from '../../entrypoints/background/panels.ts';
import { createSubscriptions, type SubscriptionsDeps } from '../../entrypoints/background/subscriptions.ts';
import type { PanelPort } from '../../lib/messaging.ts';
import { NEW_CHAT, OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { Announcement, PanelEvent, Place, Snapshot, Subscribe } from '../../lib/protocol/panel.ts';
import { createFeed } from '../../lib/runs/feed.ts';
import type { Answer } from '../../lib/runs/snapshot.ts';

const epoch = 'e1';

function page() {
  const got: PanelEvent[] = [];
  const port: PanelPort = {
    open: true,
    send: (event) => void got.push(event),
    refuse: (error) =>
      void got.push({ type: 'refused', error: { code: 'no', message: String(error), retryable: false } }),
  };
  const followed = () => got.flatMap((event) => (event.type === 'follow' ? [event.conversationId] : []));
  const shown = () => got.flatMap((event) => (event.type === 'snapshot' ? [event.conversationId] : []));
  /** What its subscriptions brought, in short. */
  const told = () =>
    got.flatMap((event) => {
      if (!('subscription' in event)) return [];
      const { subscription, type } = event;
      if (event.type === 'change') return [`${subscription} ${event.from}-${event.to}`];
      return [`${subscription} ${type}${event.type === 'append' ? '' : ` ${event.revision.number}`}`];
    });
  return { got, port, followed, shown, told };
}

type Given = {
  waiting: string;
  isFollowed: () => Promise<boolean>;
  /** What the database is asked before a snapshot is there. */
  reading: (id: string) => Promise<void>;
  isWorking: () => boolean;
};

/** Windows have the chat that was put there; `waiting` waits for the user. */
function start({
  waiting,
  isFollowed = async () => false,
  reading,
  isWorking = () => false,
}: Partial<Given> = {}) {
  const panels = createPanels(() => {});
  const places = new Map<number | undefined, string>([[1, 'c1']]);
  const looked: string[] = [];
  const cancelled: string[] = [];
  const announced: Announcement[] = [];
  const feed = createFeed((id, update) => subscriptions.publish(id, update));
  const snapshot = async (id: string, then: (answer: Answer) => void): Promise<void> => {
    const number = feed.number(id);
    await reading?.(id);
    const since = feed.since(id, number);
    if (since) then({ number, snapshot: { conversation: { id } } as unknown as Snapshot, since });
    else await snapshot(id, then);
  };
  const deps: SubscriptionsDeps = {
    epoch,
    panels,
    runs: () => ({
      waiting: () => waiting,
      cancelRequests: (id) => void cancelled.push(id),
      firstShown: async () => NEW_CHAT,
      revisionOf: feed.number,
      missedSince: feed.since,
      isWorking,
      snapshot,
    }),
    shown: {
      at: async ({ windowId }: Place) => places.get(windowId) ?? null,
      put: async ({ windowId }: Place, id: string) => void places.set(windowId, id),
      isFollowed,
    },
    setup: { subscribe: () => {}, changed: async () => {}, statusChanged: () => {} },
    announce: (announcement) => announced.push(announcement),
    seen: () => {},
    looked: (id) => looked.push(id),
  };
  const subscriptions = createSubscriptions(deps);
  let subscription = 0;
  const subscribe = (port: PanelPort, asked: Omit<Subscribe, 'type' | 'subscription'>) =>
    subscriptions.request(port, { type: 'subscribe', subscription: (subscription += 1), ...asked });
  /** The same, answered. */
  const subscribed = async (
    ...[{ port, got }, asked]: [ReturnType<typeof page>, Parameters<typeof subscribe>[1]]
  ) => {
    const before = got.length;
    subscribe(port, asked);
    await vi.waitUntil(() => got.slice(before).some(({ type }) => type === 'revision'));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...subscriptions, panels, places, looked, cancelled, announced, feed, subscribe, subscribed };
}

const inWindow = (windowId: number) => ({ conversationId: null, place: { windowId } });
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

  it('is refused with the reason when the database can’t be read', async () => {
    const { subscribe } = start({ reading: () => Promise.reject(new Error('The disk is full.')) });
    const panel = page();
    subscribe(panel.port, { conversationId: 'c1' });
    await vi.waitUntil(() => panel.got.some(({ type }) => type === 'refused'));
    expect(panel.got.at(-1)).toMatchObject({ error: { message: 'Error: The disk is full.' } });
  });

  it('is told the revision every two seconds while a run works, and not when none does', async () => {
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
});
