import { coalesced } from '../../../lib/async.ts';
import type { PanelPort } from '../../../lib/messaging.ts';
import {
  type Announcement,
  type PanelEvent,
  type Revision,
  SETUP_TOPIC,
} from '../../../lib/protocol/panel.ts';
import type { Setup } from '../../../lib/protocol/setup.ts';
import type { ServerStatus } from '../../../lib/types/server.ts';

export type SetupFeedDeps = {
  epoch: string;
  /** What is configured, as it is stored now. */
  read: () => Promise<Setup>;
  status: (serverId: number) => ServerStatus;
  /** To every page. */
  send: (event: PanelEvent) => void;
  announce: (announcement: Announcement) => void;
};

/** The configuration and its revision. Pages get all of it when it changed, and a server's status alone when that did. */
export function createSetupFeed({ epoch, read, status, send, announce }: SetupFeedDeps) {
  /** As pages have it; null until it was first wanted. */
  let current: Setup | null = null;
  let revision: Revision = { epoch, number: 0 };

  function next(): Revision {
    revision = { epoch, number: revision.number + 1 };
    announce({ topic: SETUP_TOPIC, revision });
    return revision;
  }

  /** Reads it and tells every page. What changes while it is read is read once more. */
  const changed = coalesced(async () => {
    const setup = await read();
    const statuses = setup.servers.map(({ id }) => [id, status(id)]); // they may have changed meanwhile
    current = { ...setup, statuses: Object.fromEntries(statuses) };
    send({ type: 'setup', revision: next(), setup: current });
  });

  return {
    changed,
    /** Resyncs a page that has this: it is sent what it lacks. */
    subscribe(port: PanelPort, have: Revision | undefined): void {
      if (current === null) changed().catch((error: unknown) => port.refuse(error));
      else if (have?.epoch !== epoch || have.number !== revision.number)
        port.send({ type: 'setup', revision, setup: current });
    },
    statusChanged(serverId: number, now: ServerStatus): void {
      if (current) current = { ...current, statuses: { ...current.statuses, [serverId]: now } };
      send({ type: 'server_status', revision: next(), serverId, status: now });
    },
  };
}
