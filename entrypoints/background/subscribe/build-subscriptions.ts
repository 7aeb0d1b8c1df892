import { createShownChats } from '../chat/shown-chats.ts';
import type { RunParts } from '../chat/build-runs.ts';
import type { Core } from '../core.ts';
import type { ServerParts } from '../servers/build-servers.ts';
import { readSetup } from './setup.ts';
import { createSetupFeed } from './setup-feed.ts';
import { createSubscriptions } from './subscriptions.ts';

export function buildSubscriptions(core: Core & ServerParts & RunParts) {
  const { db, emit, announce, panels, connections, notify, runs } = core;
  const epoch = crypto.randomUUID();
  const setup = createSetupFeed({
    epoch,
    read: () => readSetup(db, connections.status),
    status: connections.status,
    send: panels.sendToAll,
    announce,
  });
  const subscriptions = createSubscriptions({
    epoch,
    panels,
    runs,
    shown: createShownChats(db, runs.isStarting),
    setup,
    announce,
    looked: (id) => void notify.seen(id),
    seen: emit('pageSeen'),
  });
  return { setup, subscriptions };
}
