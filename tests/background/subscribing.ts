import { vi } from 'vitest';
import { createPanels } from '../../entrypoints/background/subscribe/panels.ts';
import {
  createSubscriptions,
  type SubscriptionsDeps,
} from '../../entrypoints/background/subscribe/subscriptions.ts';
import type { PanelPort } from '../../lib/messaging.ts';
import { NEW_CHAT } from '../../lib/protocol/chats.ts';
import type { Announcement, PanelEvent, Place, Snapshot, Subscribe } from '../../lib/protocol/panel.ts';
import { createFeed } from '../../lib/runs/feed.ts';
import type { Answer } from '../../lib/runs/snapshot.ts';

export const epoch = 'e1';

/** A page whose port is open, and what it was told. */
export function page() {
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
export function start({
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
    runs: {
      waiting: () => waiting,
      cancelRequests: (id) => void cancelled.push(id),
      firstShown: async () => NEW_CHAT,
      revisionOf: feed.number,
      missedSince: feed.since,
      isWorking,
      snapshot,
    },
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

export const inWindow = (windowId: number) => ({ conversationId: null, place: { windowId } });
