import { toWire } from '../errors.ts';
import type { openEventPort, sendCommand } from '../messaging.ts';
import type { PanelEvent, PanelRequest } from '../protocol/panel.ts';
import type { WireError } from '../types/error.ts';

/** The worker as a page reaches it; lib/messaging.ts is the real one. */
export type WorkerLink = { send: typeof sendCommand; open: typeof openEventPort };

export type Connection = {
  /** Opens the port if it is down: call it whenever the person uses the page. */
  use: () => void;
  /** Says `request()` again, because what is watched changed. */
  rewatch: () => void;
  /** Says something beside that, if the port is up. */
  say: (request: PanelRequest) => void;
};

/** A worker that drops the port before a word is asked again only after this time. */
const PAUSE_MS = 1000;

/**
 * Keeps a page's event port. After a drop it comes back at once only while `isWorking()`, also while what the page is to
 * show has not come, so that an idle worker may rest; otherwise at the next `use`.
 */
export function createConnection(
  open: typeof openEventPort,
  page: {
    request: () => PanelRequest;
    event: (event: PanelEvent) => void;
    isWorking: () => boolean;
    failed: (error: WireError) => void;
  },
  later: (task: () => void, ms: number) => void = setTimeout,
): Connection {
  let port: ReturnType<typeof openEventPort> | null = null;

  function use(): void {
    if (port) return;
    let heard = false;
    try {
      port = open(page.request(), {
        event: (event) => {
          heard = true;
          page.event(event);
        },
        dropped: () => {
          port = null;
          if (!page.isWorking()) return;
          if (heard) use();
          else later(use, PAUSE_MS);
        },
      });
    } catch (error) {
      page.failed(toWire(error));
    }
  }

  return {
    use,
    rewatch: () => (port ? port.send(page.request()) : use()),
    say: (request) => port?.send(request),
  };
}

/** Calls `use` when the person turns to the page. Returns the undo. */
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
