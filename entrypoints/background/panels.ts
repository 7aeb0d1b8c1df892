import type { PanelPort } from '../../lib/messaging.ts';
import type { PanelEvent } from '../../lib/protocol.ts';

/**
 * The pages that are connected, and what each one watches. Only a cache: a worker that starts has none until they
 * connect again.
 */
export function createPanels() {
  /** The conversation each page watches; null when it only watches the set-up. */
  const watched = new Map<PanelPort, string | null>();
  return {
    watch(port: PanelPort, conversationId: string | null): void {
      if (port.open) watched.set(port, conversationId);
    },
    gone: (port: PanelPort) => void watched.delete(port),
    /** To the pages that watch this conversation. */
    send(conversationId: string, event: PanelEvent): void {
      for (const [port, id] of watched) if (id === conversationId) port.send(event);
    },
    sendToAll(event: PanelEvent): void {
      for (const port of watched.keys()) port.send(event);
    },
  };
}
