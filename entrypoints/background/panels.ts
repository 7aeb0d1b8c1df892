import type { PanelPort } from '../../lib/messaging.ts';
import type { PanelEvent } from '../../lib/protocol.ts';

type Watched = {
  /** null when the page only watches the set-up. */
  conversationId: string | null;
  /** The server whose log it watches. */
  logOf?: number | undefined;
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
    /** To the pages that watch this conversation. */
    send: (id: string, event: PanelEvent) => sendTo(event, ({ conversationId }) => conversationId === id),
    /** To the pages that watch this server's log. */
    sendLog: (serverId: number, event: PanelEvent) => sendTo(event, ({ logOf }) => logOf === serverId),
    sendToAll: (event: PanelEvent) => sendTo(event, () => true),
  };
}
