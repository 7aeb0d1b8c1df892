import type { PanelPort } from '../../lib/messaging.ts';
import type { PanelEvent, Place } from '../../lib/protocol/panel.ts';

type Watched = {
  /** null when the page only watches the set-up. */
  conversationId: string | null;
  /** The server whose log it watches. */
  logOf?: number | undefined;
  place?: Place | undefined;
  /** Nobody can see it now. */
  isHidden?: boolean | undefined;
};

/**
 * The pages that are connected, and what each one watches. Only a cache: a worker that starts has none until they
 * connect again. `onWatched` is told whether there is any.
 */
export function createPanels(onWatched: (isWatched: boolean) => void) {
  const pages = new Map<PanelPort, Watched>();
  const sendTo = (event: PanelEvent, watches: (watched: Watched) => boolean): void => {
    for (const [port, watched] of pages) if (watches(watched)) port.send(event);
  };
  return {
    watch(port: PanelPort, what: Watched): void {
      if (port.open) pages.set(port, what);
      onWatched(pages.size > 0);
    },
    gone(port: PanelPort): void {
      pages.delete(port);
      onWatched(pages.size > 0);
    },
    isWatched: (id: string): boolean =>
      [...pages.values()].some(({ conversationId }) => conversationId === id),
    /** The window whose panel shows it. */
    windowOf: (id: string): number | undefined =>
      [...pages.values()].find(({ conversationId, place }) => conversationId === id && place?.windowId)?.place
        ?.windowId,
    /** @returns what the page watches */
    setHidden(port: PanelPort, isHidden: boolean): string | null {
      const watched = pages.get(port);
      if (watched) pages.set(port, { ...watched, isHidden });
      return watched?.conversationId ?? null;
    },
    /** Whether a page that can be seen watches it. */
    isSeen: (id: string): boolean =>
      [...pages.values()].some(({ conversationId, isHidden }) => conversationId === id && !isHidden),
    /** To the panel of a window. @returns whether there is one */
    sendToWindow(id: number, event: PanelEvent): boolean {
      const there = [...pages].filter(([, { place }]) => place?.windowId === id);
      for (const [port] of there) port.send(event);
      return there.length > 0;
    },
    /** To the pages that watch this conversation. */
    send: (id: string, event: PanelEvent) => sendTo(event, ({ conversationId }) => conversationId === id),
    /** To the pages that watch this server's log. */
    sendLog: (serverId: number, event: PanelEvent) => sendTo(event, ({ logOf }) => logOf === serverId),
    sendToOthers(than: PanelPort, event: PanelEvent): void {
      for (const port of pages.keys()) if (port !== than) port.send(event);
    },
    sendToAll: (event: PanelEvent) => sendTo(event, () => true),
  };
}
