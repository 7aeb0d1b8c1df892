import type { PanelPort } from '../../../lib/messaging.ts';
import { NEW_CHAT, OWN_CALLS } from '../../../lib/protocol/chats.ts';
import {
  type Announcement,
  type ChatListEvent,
  CHATS_TOPIC,
  type PanelEvent,
  type PanelRequest,
  type Place,
  type Revision,
  type Subscribe,
} from '../../../lib/protocol/panel.ts';
import type { Update } from '../../../lib/runs/feed.ts';
import type { Runs } from '../../../lib/runs/runs.ts';
import { createPanels, type Subscription } from './panels.ts';
import type { createSetupFeed } from './setup-feed.ts';
import type { createShownChats } from '../chat/shown-chats.ts';

/** While a run works, its subscribers get a revision at least this often. */
const BEAT_MS = 2000;

export type SubscriptionsDeps = {
  epoch: string;
  panels: ReturnType<typeof createPanels>;
  runs: Pick<
    Runs,
    'snapshot' | 'missedSince' | 'revisionOf' | 'isWorking' | 'cancelRequests' | 'waiting' | 'firstShown'
  >;
  shown: ReturnType<typeof createShownChats>;
  setup: ReturnType<typeof createSetupFeed>;
  /** To all pages, also those whose port is down. */
  announce: (announcement: Announcement) => void;
  /** A page was seen, which revives the servers. */
  seen: () => void;
  /** The user looks at this chat. */
  looked: (conversationId: string) => void;
};

/** What connected pages show, and how they are kept up to date (docs/architecture.md, "One truth"). */
export function createSubscriptions(deps: SubscriptionsDeps) {
  const { epoch, panels, runs, shown, setup, announce, seen, looked } = deps;
  /** The window whose next panel shows what belongs there, whatever else waits. */
  let turnedTo: number | undefined;
  let chats: Revision = { epoch, number: 0 };
  let beating: ReturnType<typeof setInterval> | undefined;

  /** In effect at once: events from now on go to the page's last subscription. */
  function request(port: PanelPort, asked: PanelRequest): void {
    if (asked.type === 'visibility') return setHidden(port, asked.isHidden);
    if (asked.type !== 'subscribe') return; // of apps' tools (apps/app-tools.ts)
    const subscription: Subscription = { ...asked, isAnswered: false };
    panels.put(port, subscription);
    // Also of a page that has closed since: the next one at its place shows what was chosen there.
    if (asked.isChoice && asked.conversationId !== null) choose(asked.place, asked.conversationId);
    setup.subscribe(port, asked.setup);
    if (!isSame(asked.chats, chats)) port.send({ type: 'chats', revision: chats });
    seen();
    answer(port, subscription, asked).catch((error: unknown) => port.refuse(error));
  }

  async function answer(port: PanelPort, mine: Subscription, asked: Subscribe): Promise<void> {
    const { place = {}, have, isHidden, isChoice, conversationId } = asked;
    const id = conversationId ?? (await firstShown(place));
    if (!panels.isLatest(port, mine)) return;
    mine.conversationId = id;
    const isChat = id !== OWN_CALLS;
    if (isChat && !isHidden) looked(id);
    if (conversationId === null && id !== NEW_CHAT) choose(place, id);
    const missed = have?.epoch === epoch ? runs.missedSince(id, have.number) : undefined;
    if (missed) send(port, mine, missed);
    else await sendSnapshot(port, mine, id);
    if (isChat && (await shown.isFollowed())) await follow(port, mine, isChoice === true);
  }

  function sendSnapshot(port: PanelPort, mine: Subscription, id: string): Promise<void> {
    return runs.snapshot(id, ({ number, snapshot, since }) => {
      if (!panels.isLatest(port, mine)) return;
      const { subscription } = mine;
      port.send({
        type: 'snapshot',
        subscription,
        conversationId: id,
        revision: { epoch, number },
        snapshot,
      });
      send(port, mine, since);
    });
  }

  /** Resyncs up to this moment; from now on every change is sent. */
  function send(port: PanelPort, mine: Subscription, missed: Exclude<Update, { type: 'reset' }>[]): void {
    const { subscription } = mine;
    for (const update of missed) port.send({ subscription, ...update });
    port.send({ type: 'revision', subscription, revision: revisionOf(mine) });
    mine.isAnswered = true;
    beat();
  }

  const revisionOf = ({ conversationId }: Subscription): Revision => ({
    epoch,
    number: runs.revisionOf(conversationId ?? NEW_CHAT),
  });

  /** Something happened in a conversation. @returns whether a page has subscribed to it */
  function publish(id: string, update: Update): boolean {
    const subscribed = panels.of(id);
    for (const [port, mine] of subscribed) {
      if (update.type === 'reset') {
        mine.isAnswered = false;
        sendSnapshot(port, mine, id).catch((error: unknown) => port.refuse(error));
      } else if (mine.isAnswered) port.send({ subscription: mine.subscription, ...update });
    }
    if (update.type !== 'append') announce({ topic: id, revision: { epoch, number: runs.revisionOf(id) } });
    beat();
    return subscribed.length > 0;
  }

  /** A page without an event for longer than this takes the port for dead. */
  function beat(): void {
    beating ??= setInterval(() => {
      const working = panels
        .all()
        .filter(([, mine]) => mine.isAnswered && runs.isWorking(mine.conversationId ?? NEW_CHAT));
      for (const [port, mine] of working)
        port.send({ type: 'revision', subscription: mine.subscription, revision: revisionOf(mine) });
      if (working.length > 0) return;
      clearInterval(beating);
      beating = undefined;
    }, BEAT_MS);
  }

  /** To every page: the list of chats is another. */
  function sendToAll(event: ChatListEvent): void {
    chats = { epoch, number: chats.number + 1 };
    panels.sendToAll({ ...event, revision: chats });
    announce({ topic: CHATS_TOPIC, revision: chats });
  }

  /** The next panel at this place shows this chat. */
  function choose(place: Place = {}, id: string): void {
    shown
      .put(place, id)
      .catch((error: unknown) => console.warn('Which chat is shown here could not be kept.', error));
  }

  /** What waits for the user and is in no panel goes before what was shown last. */
  async function firstShown(place: Place): Promise<string> {
    const isTurned = turnedTo !== undefined && turnedTo === place.windowId;
    if (isTurned) turnedTo = undefined;
    const waiting = isTurned ? undefined : runs.waiting();
    if (waiting !== undefined && panels.of(waiting).length === 0) return waiting;
    return (await shown.at(place)) ?? (await runs.firstShown());
  }

  function setHidden(port: PanelPort, isHidden: boolean): void {
    const id = panels.setHidden(port, isHidden);
    if (id !== null && !isHidden) looked(id);
  }

  /** The panel at this place shows a chat: the one that is open, or else the next one. */
  async function turnTo(place: Place, id: string): Promise<void> {
    await shown.put(place, id);
    const { windowId } = place;
    if (windowId === undefined || panels.sendToWindow(windowId, { type: 'follow', conversationId: id }))
      return;
    turnedTo = windowId;
  }

  /** All panels show the chat that was chosen last; one that comes back has missed it. */
  async function follow(port: PanelPort, mine: Subscription, isChoice: boolean): Promise<void> {
    const id = mine.conversationId ?? NEW_CHAT;
    const event = (conversationId: string): PanelEvent => ({ type: 'follow', conversationId });
    // A later choice of the same page holds; one that has closed since has made none.
    if (isChoice) return panels.isSuperseded(port, mine) ? undefined : panels.sendToOthers(port, event(id));
    const chosen = await shown.at({});
    if (chosen !== null && chosen !== id && panels.isLatest(port, mine)) port.send(event(chosen));
  }

  function gone(port: PanelPort): void {
    panels.gone(port);
    if (panels.of(OWN_CALLS).length === 0) runs.cancelRequests(OWN_CALLS);
  }

  return { request, publish, sendToAll, choose, gone, turnTo, revision: (): Revision => chats };
}

const isSame = (a: Revision | undefined, b: Revision): boolean =>
  a?.epoch === b.epoch && a.number === b.number;
