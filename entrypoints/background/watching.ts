import type { PanelPort } from '../../lib/messaging.ts';
import { OWN_CALLS, type PanelRequest, type Setup } from '../../lib/protocol.ts';
import type { createRuns } from '../../lib/runs/runs.ts';
import type { createPanels } from './panels.ts';

export type WatchingDeps = {
  panels: ReturnType<typeof createPanels>;
  runs: Pick<ReturnType<typeof createRuns>, 'snapshot' | 'cancelRequests'>;
  setup: () => Promise<Setup>;
  /** A page was seen, which revives the servers. */
  seen: () => void;
};

/** What connected pages ask to be shown. */
export function createWatching({ panels, runs, setup, seen }: WatchingDeps) {
  const watching = new WeakMap<PanelPort, Promise<void>>();

  /** What a page asks to watch, one request after the other, so that the last one it made holds. */
  function watch(port: PanelPort, request: PanelRequest): Promise<void> {
    const result = (watching.get(port) ?? Promise.resolve()).then(() => show(port, request));
    const settled = result.catch(() => undefined); // whoever asked is told
    watching.set(port, settled);
    return result;
  }

  /** A page has connected, or watches something else now. */
  async function show(port: PanelPort, request: PanelRequest): Promise<void> {
    const logOf = request.type === 'watch_setup' ? request.logOf : undefined;
    // What servers ask in calls that belong to no chat is answered where the set-up is shown.
    panels.watch(port, { conversationId: request.type === 'watch_setup' ? OWN_CALLS : null, logOf });
    port.send({ type: 'setup', setup: await setup() });
    if (request.type === 'watch') {
      await runs.snapshot(request.conversationId, (snapshot) => {
        panels.watch(port, { conversationId: snapshot.conversation?.id ?? request.conversationId });
        port.send({ type: 'snapshot', snapshot });
      });
    }
    seen();
  }

  function gone(port: PanelPort): void {
    panels.gone(port);
    if (!panels.isWatched(OWN_CALLS)) runs.cancelRequests(OWN_CALLS);
  }

  return { watch, gone };
}
