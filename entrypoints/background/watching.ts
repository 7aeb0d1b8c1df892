import type { PanelPort } from '../../lib/messaging.ts';
import { NEW_CHAT, OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { PanelRequest, Place } from '../../lib/protocol/panel.ts';
import type { Setup } from '../../lib/protocol/setup.ts';
import type { createRuns } from '../../lib/runs/runs.ts';
import type { createPanels } from './panels.ts';
import type { createShownChats } from './shown-chats.ts';

export type WatchingDeps = {
  panels: ReturnType<typeof createPanels>;
  runs: Pick<ReturnType<typeof createRuns>, 'snapshot' | 'cancelRequests' | 'waiting'>;
  shown: ReturnType<typeof createShownChats>;
  setup: () => Promise<Setup>;
  /** A page was seen, which revives the servers. */
  seen: () => void;
  /** Somebody looks at this chat. */
  looked: (conversationId: string) => void;
};

/** What connected pages ask to be shown. */
export function createWatching({ panels, runs, shown, setup, seen, looked }: WatchingDeps) {
  /** The window whose next panel shows what belongs there, whatever else waits. */
  let turnedTo: number | undefined;
  const watching = new WeakMap<PanelPort, Promise<void>>();
  /** Pages that know what is set up; they are told of every change. */
  const told = new WeakSet<PanelPort>();
  /** The chats that are about to begin in pages: what these asked for earlier changes no more what they watch. */
  const beginning = new WeakMap<PanelPort, PanelRequest>();

  /** What a page asks to watch, one request after the other, so that the last one it made holds. */
  function watch(port: PanelPort, request: PanelRequest): Promise<void> {
    // Its run may begin before what was asked for earlier is through.
    if (request.type === 'watch' && request.isNew && told.has(port)) {
      beginning.set(port, request);
      panels.watch(port, request);
    }
    const result = (watching.get(port) ?? Promise.resolve()).then(() => show(port, request));
    const settled = result.catch(() => undefined); // whoever asked is told
    watching.set(port, settled);
    return result;
  }

  /** What a page watches, as one of its requests has it. */
  function setWatched(
    port: PanelPort,
    request: PanelRequest,
    watched: Parameters<typeof panels.watch>[1],
  ): void {
    const begins = beginning.get(port);
    if (begins === request) beginning.delete(port);
    if (begins === undefined || begins === request) panels.watch(port, watched);
  }

  /** A page has connected, or watches something else now. */
  async function show(port: PanelPort, request: PanelRequest): Promise<void> {
    if (request.type === 'visibility') return setHidden(port, request.isHidden);
    const logOf = request.type === 'watch_setup' ? request.logOf : undefined;
    // What servers ask in calls that belong to no chat is answered where the set-up is shown.
    setWatched(port, request, { conversationId: request.type === 'watch_setup' ? OWN_CALLS : null, logOf });
    if (!told.has(port)) {
      told.add(port);
      port.send({ type: 'setup', setup: await setup() });
    }
    if (request.type === 'watch') await showChat(port, request);
    seen();
  }

  async function showChat(port: PanelPort, request: Extract<PanelRequest, { type: 'watch' }>): Promise<void> {
    const { conversationId, place = {}, isChoice, isHidden, isNew } = request;
    if (isNew) return setWatched(port, request, request);
    const wanted = conversationId ?? (await firstShown(place));
    let id: string | null = wanted;
    await runs.snapshot(wanted, (snapshot) => {
      id = snapshot.conversation?.id ?? wanted;
      setWatched(port, request, { conversationId: id, place, isHidden });
      port.send({ type: 'snapshot', snapshot });
    });
    if (id !== null && !isHidden) looked(id);
    if (id !== null && (isChoice || (conversationId === null && id !== NEW_CHAT))) await shown.put(place, id);
    if (id !== null && (await shown.isFollowed())) await follow(port, id, isChoice === true);
  }

  /** What waits for the person and is before nobody's eyes goes before what was shown last. */
  async function firstShown(place: Place): Promise<string | null> {
    const isTurned = turnedTo !== undefined && turnedTo === place.windowId;
    if (isTurned) turnedTo = undefined;
    const waiting = isTurned ? undefined : runs.waiting();
    return waiting !== undefined && !panels.isWatched(waiting) ? waiting : shown.at(place);
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
  async function follow(port: PanelPort, id: string, isChoice: boolean): Promise<void> {
    if (isChoice) return panels.sendToOthers(port, { type: 'follow', conversationId: id });
    const chosen = await shown.at({});
    if (chosen !== null && chosen !== id && !beginning.has(port))
      port.send({ type: 'follow', conversationId: chosen });
  }

  function gone(port: PanelPort): void {
    panels.gone(port);
    if (!panels.isWatched(OWN_CALLS)) runs.cancelRequests(OWN_CALLS);
  }

  return { watch, gone, turnTo };
}
