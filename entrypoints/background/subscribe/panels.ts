import type { PanelPort } from '../../../lib/messaging.ts';
import type { PanelEvent, Place, Subscribe } from '../../../lib/protocol/panel.ts';

/** What a page has subscribed to; `conversationId` is null until it is known which one that is. */
export type Subscription = Omit<Subscribe, 'type'> & {
  /** It has been brought up to date and gets every change from now on. */
  isAnswered: boolean;
};

/**
 * The pages that are connected, and what each one has subscribed to. Only a cache: a worker that starts has none until
 * they connect again. `onOpen` is told whether there is any.
 */
export function createPanels(onOpen: (isOpen: boolean) => void) {
  const pages = new Map<PanelPort, Subscription>();
  /** By window: the chat that a message from its panel belongs to, which may be here before that panel's subscription to it. */
  const asking = new Map<number | undefined, string>();
  const sendTo = (event: PanelEvent, wants: (subscription: Subscription) => boolean): void => {
    for (const [port, subscription] of pages) if (wants(subscription)) port.send(event);
  };
  const of = (id: string): [PanelPort, Subscription][] =>
    [...pages].filter(([, { conversationId }]) => conversationId === id);
  return {
    put(port: PanelPort, subscription: Subscription): void {
      if (port.open) pages.set(port, subscription);
      asking.delete(subscription.place?.windowId);
      onOpen(pages.size > 0);
    },
    gone(port: PanelPort): void {
      asking.delete(pages.get(port)?.place?.windowId);
      pages.delete(port);
      onOpen(pages.size > 0);
    },
    all: () => [...pages],
    /** Those that show this conversation. */
    of,
    isShown: (id: string): boolean => of(id).length > 0,
    /** Whether nothing was subscribed to since. */
    isLatest: (port: PanelPort, subscription: Subscription): boolean => pages.get(port) === subscription,
    /** Whether the page has subscribed to something else since. */
    isSuperseded: (port: PanelPort, subscription: Subscription): boolean =>
      pages.has(port) && pages.get(port) !== subscription,
    /** A panel asks in this chat. */
    asks: ({ windowId }: Place, id: string): void => void asking.set(windowId, id),
    /** The window whose panel shows it, or is about to. */
    windowOf: (id: string): number | undefined =>
      of(id).find(([, { place }]) => place?.windowId)?.[1].place?.windowId ??
      [...asking].find(([, asked]) => asked === id)?.[0],
    /** @returns what the page shows */
    setHidden(port: PanelPort, isHidden: boolean): string | null {
      const subscription = pages.get(port);
      if (subscription) subscription.isHidden = isHidden;
      return subscription?.conversationId ?? null;
    },
    /** Whether a page that can be seen shows it. */
    isSeen: (id: string): boolean => of(id).some(([, { isHidden }]) => !isHidden),
    /** To the panel of a window. @returns whether there is one */
    sendToWindow(id: number, event: PanelEvent): boolean {
      const there = [...pages].filter(([, { place }]) => place?.windowId === id);
      for (const [port] of there) port.send(event);
      return there.length > 0;
    },
    sendLog: (serverId: number, event: PanelEvent) => sendTo(event, ({ logOf }) => logOf === serverId),
    sendToOthers(than: PanelPort, event: PanelEvent): void {
      for (const port of pages.keys()) if (port !== than) port.send(event);
    },
    sendToAll: (event: PanelEvent) => sendTo(event, () => true),
  };
}
