import type { Setup } from '../../lib/protocol.ts';
import type { Server, ServerStatus } from '../../lib/types/setup.ts';

/** How a server is; one that is off, or that nobody has spoken of yet, is disconnected. */
export function statusOf(setup: Setup, server: Server): ServerStatus {
  const status = setup.statuses[server.id];
  return server.enabled && status ? status : { state: 'disconnected', toolCount: status?.toolCount ?? 0 };
}
