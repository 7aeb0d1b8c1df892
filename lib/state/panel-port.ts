import { toWire } from '../errors.ts';
import { type openEventPort, type sendCommand, unreachable } from '../messaging.ts';
import type { Announcement, PanelEvent, PanelRequest, Revision } from '../protocol/panel.ts';
import type { WireError } from '../types/error.ts';

/** The worker as a page reaches it; lib/messaging.ts is the real one. */
export type WorkerLink = {
  send: typeof sendCommand;
  open: typeof openEventPort;
  announcements: (heard: (announcement: Announcement) => void) => void;
};

/** A worker that drops the port before a word is asked again only after this time. */
const PAUSE_MS = 1000;
/** What is expected is looked for so often, and a port that brought nothing so many times is given up. */
const TICK_MS = 1000;
const SILENT_TICKS = 5;
/** One that was opened after silent ones is given longer: what the worker waits for may take long. */
const MOST_SILENT_TICKS = 40;
/** After so many ports in a row that brought nothing at all, the browser has no worker for the page. */
const MOST_MUTE_PORTS = 3;

/**
 * Keeps a page's event port. After a drop it comes back at once while the page expects something, so that an idle worker
 * may rest; otherwise at the next `use`, or when an announcement tells of something that the page lacks. A port that is
 * silent while something is expected is replaced by another one: a worker that works says so every two seconds.
 */
export function createPanelPort(
  { open, announcements }: Pick<WorkerLink, 'open' | 'announcements'>,
  page: {
    subscribe: () => PanelRequest;
    /** The port is up, and `subscribe()` said. */
    opened?: () => void;
    event: (event: PanelEvent) => void;
    /** A run is live or about to be, or what is to be shown has not come. */
    expects: () => boolean;
    /** What the page has of a topic; undefined when it does not show it. */
    has: (topic: string) => Revision | null | undefined;
    /** Why the worker can't be reached. */
    failed: (error: WireError) => void;
    /** It can be, after all. */
    reached: () => void;
  },
  later: (task: () => void, ms: number) => void,
) {
  let port: ReturnType<typeof openEventPort> | null = null;
  /** Of the worker that the port leads to, once it has said something. */
  let epoch: string | undefined;
  let silentTicks = 0;
  let allowedTicks = SILENT_TICKS;
  let mutePorts = 0;
  let isTicking = false;
  /** What was announced and has not come through the port, by topic. */
  const announced = new Map<string, Revision>();

  const lacks = (topic: string, { epoch: life, number }: Revision): boolean => {
    const had = page.has(topic);
    return had !== undefined && !(had?.epoch === life && had.number >= number);
  };

  function expects(): boolean {
    for (const [topic, revision] of announced) if (!lacks(topic, revision)) announced.delete(topic);
    return announced.size > 0 || page.expects();
  }

  function use(): void {
    if (port) return tick();
    let heard = false;
    epoch = undefined; // whichever worker it leads to
    try {
      const mine = open(page.subscribe(), {
        event: (event) => {
          heard = true;
          if (mutePorts >= MOST_MUTE_PORTS) page.reached();
          mutePorts = 0;
          // Of the chat that is shown; the rest says nothing of a run.
          if ('subscription' in event) {
            silentTicks = 0;
            allowedTicks = SILENT_TICKS;
          }
          if ('revision' in event) ({ epoch } = event.revision);
          // What a worker that is gone announced does not come any more.
          for (const [topic, { epoch: life }] of announced)
            if (epoch !== undefined && life !== epoch) announced.delete(topic);
          page.event(event);
          tick();
        },
        dropped: () => {
          if (port !== mine) return;
          port = null;
          if (!expects()) return;
          if (heard) use();
          else later(use, PAUSE_MS);
        },
      });
      port = mine;
      page.opened?.();
    } catch (error) {
      page.failed(toWire(error));
    }
    tick();
  }

  function reopen(): void {
    port?.close();
    port = null;
    use();
  }

  function tick(): void {
    if (isTicking || !expects()) return;
    silentTicks = 0;
    isTicking = true;
    wait();
  }

  function wait(): void {
    later(() => {
      silentTicks += 1;
      const isExpected = expects();
      if (isExpected && silentTicks < allowedTicks) return wait();
      isTicking = false;
      if (!isExpected) return;
      allowedTicks = Math.min(2 * allowedTicks, MOST_SILENT_TICKS);
      mutePorts += 1;
      if (mutePorts >= MOST_MUTE_PORTS) page.failed(unreachable());
      reopen();
    }, TICK_MS);
  }

  announcements(({ topic, revision }: Announcement) => {
    if (!lacks(topic, revision)) return;
    const known = announced.get(topic);
    // They come in any order.
    if (known?.epoch !== revision.epoch || known.number < revision.number) announced.set(topic, revision);
    // A port that is up brings it, or is replaced; one to a worker that is gone does not.
    if (!port) use();
    else if (epoch !== undefined && epoch !== revision.epoch) reopen();
    else tick();
  });

  return {
    /** Opens the port if it is down: call it whenever the user uses the page. */
    use,
    /** Says `subscribe()` again, because what is shown changed or something was missed. */
    subscribe(): void {
      if (!port) return use();
      port.send(page.subscribe());
      tick();
    },
    /** Says something beside that, if the port is up. */
    say: (request: PanelRequest): void => port?.send(request),
  };
}

/** Calls `use` when the user turns to the page. Returns the undo. */
export function onReturn(use: () => void): () => void {
  const visible = (): void => {
    if (document.visibilityState === 'visible') use();
  };
  window.addEventListener('focus', use);
  document.addEventListener('visibilitychange', visible);
  return () => {
    window.removeEventListener('focus', use);
    document.removeEventListener('visibilitychange', visible);
  };
}
