import { describe, expect, it, vi } from 'vitest';
import { createPanels } from '../../entrypoints/background/panels.ts';
import { createWatching, type WatchingDeps } from '../../entrypoints/background/watching.ts';
import type { PanelPort } from '../../lib/messaging.ts';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { PanelEvent, Place, Snapshot } from '../../lib/protocol/panel.ts';
import type { Setup } from '../../lib/protocol/setup.ts';

function page() {
  const got: PanelEvent[] = [];
  const port: PanelPort = { open: true, send: (event) => void got.push(event) };
  const followed = () => got.flatMap((event) => (event.type === 'follow' ? [event.conversationId] : []));
  const shown = () =>
    got.flatMap((event) => (event.type === 'snapshot' ? [event.snapshot.conversation?.id] : []));
  return { got, port, followed, shown };
}

type Given = { waiting: string; isFollowed: () => Promise<boolean> };

/** Windows have the chat that was put there; `waiting` waits for the person. */
function start({ waiting, isFollowed = async () => false }: Partial<Given> = {}) {
  const panels = createPanels(() => {});
  const places = new Map<number | undefined, string>([[1, 'c1']]);
  const looked: string[] = [];
  const cancelled: string[] = [];
  const deps: WatchingDeps = {
    panels,
    runs: {
      waiting: () => waiting,
      cancelRequests: (id) => void cancelled.push(id),
      snapshot: async (id, then) => then({ conversation: { id } } as unknown as Snapshot),
    },
    shown: {
      at: async ({ windowId }: Place) => places.get(windowId) ?? null,
      put: async ({ windowId }: Place, id: string) => void places.set(windowId, id),
      isFollowed,
    },
    setup: async () => ({}) as Setup,
    seen: () => {},
    looked: (id) => looked.push(id),
  };
  return { panels, looked, cancelled, ...createWatching(deps) };
}

const inWindow = (windowId: number) =>
  ({ type: 'watch', conversationId: null, place: { windowId } }) as const;

describe('a page that watches another chat', () => {
  it('is not told again what is set up, of which it hears every change', async () => {
    const { watch } = start();
    const { got, port, shown } = page();
    await watch(port, inWindow(1));
    await watch(port, { type: 'watch', conversationId: 'c2' });
    expect(shown()).toEqual(['c1', 'c2']);
    expect(got.filter(({ type }) => type === 'setup')).toHaveLength(1);
  });
});

describe('a page in which a chat is about to begin', () => {
  it('hears the chat at once, without a snapshot', async () => {
    const { panels, watch } = start();
    const { got, port, shown } = page();
    await watch(port, inWindow(1));
    await watch(port, { type: 'watch', conversationId: 'new', isNew: true });
    panels.send('new', { type: 'unsent', conversationId: 'new', texts: [] });
    expect(shown()).toEqual(['c1']);
    expect(got.at(-1)).toMatchObject({ type: 'unsent', conversationId: 'new' });
  });
});

describe('a page in which a chat begins before an earlier request is through', () => {
  it('hears the chat from its first event', async () => {
    const { panels, watch } = start();
    const { got, port, shown } = page();
    await watch(port, inWindow(1));
    const earlier = watch(port, inWindow(1));
    const later = watch(port, { type: 'watch', conversationId: 'new', isNew: true });
    panels.send('new', { type: 'unsent', conversationId: 'new', texts: ['first'] });
    expect(got.at(-1)).toMatchObject({ texts: ['first'] });
    await Promise.all([earlier, later]);
    panels.send('new', { type: 'unsent', conversationId: 'new', texts: ['last'] });
    expect(got.at(-1)).toMatchObject({ texts: ['last'] });
    expect(shown()).toEqual(['c1', 'c1']);
  });

  it('hears it whatever the earlier one still waits for, and is turned to no other chat', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let isFollowed = async () => false;
    const { panels, watch } = start({ isFollowed: () => isFollowed() });
    const { got, port, shown, followed } = page();
    await watch(port, inWindow(1));
    isFollowed = () => promise;
    const earlier = watch(port, { type: 'watch', conversationId: 'c2', place: {}, isChoice: true });
    const another = watch(port, inWindow(1));
    const later = watch(port, { type: 'watch', conversationId: 'new', isNew: true });
    await vi.waitUntil(() => shown().includes('c2'));
    panels.send('new', { type: 'unsent', conversationId: 'new', texts: ['first'] });
    expect(got.at(-1)).toMatchObject({ texts: ['first'] });
    resolve(true);
    await Promise.all([earlier, another, later]);
    panels.send('new', { type: 'unsent', conversationId: 'new', texts: ['last'] });
    expect(got.at(-1)).toMatchObject({ texts: ['last'] });
    expect(followed()).toEqual([]);
  });

  it('watches what it asks for after that', async () => {
    const { panels, watch } = start();
    const { port } = page();
    await watch(port, inWindow(1));
    const all = ['new', 'newer'].map((conversationId) =>
      watch(port, { type: 'watch', conversationId, isNew: true }),
    );
    await Promise.all([...all, watch(port, inWindow(1))]);
    expect(['new', 'newer', 'c1'].map(panels.isWatched)).toEqual([false, false, true]);
  });
});

describe('whether somebody looks at a chat', () => {
  it('is told by the panel that shows it, at first and whenever it changes', async () => {
    const { panels, looked, watch, gone } = start();
    const { port } = page();
    await watch(port, { ...inWindow(1), isHidden: true });
    expect(panels.isWatched('c1')).toBe(true);
    expect(panels.isSeen('c1')).toBe(false);
    expect(looked).toEqual([]);
    await watch(port, { type: 'visibility', isHidden: false });
    expect(panels.isSeen('c1')).toBe(true);
    expect(looked).toEqual(['c1']);
    await watch(port, { type: 'visibility', isHidden: true });
    expect(panels.isSeen('c1')).toBe(false);
    await watch(port, { type: 'visibility', isHidden: false });
    gone(port);
    expect(panels.isSeen('c1')).toBe(false);
  });
});

describe('what servers ask in calls outside any chat', () => {
  it('is cancelled once the last page is closed on which it could be answered', async () => {
    const { watch, gone, cancelled } = start();
    const [panel, first, second] = [page(), page(), page()];
    await watch(panel.port, inWindow(1));
    for (const { port } of [first, second]) await watch(port, { type: 'watch_setup' });
    gone(first.port);
    expect(cancelled).toEqual([]);
    gone(second.port);
    expect(cancelled).toEqual([OWN_CALLS]);
  });
});

describe('a chat that is to be shown in a window', () => {
  it('is shown by the panel that is open there, and by no other one', async () => {
    const { watch, turnTo } = start();
    const [here, elsewhere] = [page(), page()];
    await watch(here.port, inWindow(1));
    await watch(elsewhere.port, inWindow(2));
    await turnTo({ windowId: 1 }, 'c9');
    expect(here.followed()).toEqual(['c9']);
    expect(elsewhere.followed()).toEqual([]);
  });

  it('is shown by the next panel that opens there, whatever else waits; and only by that one', async () => {
    const { watch, turnTo } = start({ waiting: 'c5' });
    await turnTo({ windowId: 1 }, 'c9');
    const [elsewhere, first, second] = [page(), page(), page()];
    await watch(elsewhere.port, inWindow(2));
    expect(elsewhere.shown()).toEqual(['c5']);
    elsewhere.port.send({ type: 'conversations_gone', ids: [] });
    await watch(first.port, inWindow(1));
    expect(first.shown()).toEqual(['c9']);
    await watch(elsewhere.port, { type: 'watch', conversationId: 'c2' });
    await watch(second.port, inWindow(1));
    expect(second.shown()).toEqual(['c5']);
  });
});
