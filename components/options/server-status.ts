import type { Setup } from '../../lib/protocol/setup.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { Server, ServerStatus } from '../../lib/types/server.ts';

import { t } from '../../locales/texts/settings.ts';

/** How a server is; one that is off, or has no status yet, is disconnected. */
export function statusOf(setup: Setup, server: Server): ServerStatus {
  const status = setup.statuses[server.id];
  return server.enabled && status ? status : { state: 'disconnected', toolCount: status?.toolCount ?? 0 };
}

/** More than a line shows. */
const LONGEST_PLACE = 1_000;

/** Where a server is: its address, or the program with its arguments, as far as a line shows it. */
export function placeOf(server: Server): string {
  const place = server.transport === 'stdio' ? [server.command, ...server.args].join(' ') : server.url;
  return visible(place.slice(0, LONGEST_PLACE));
}

/** How a server that was just saved is doing, in words. */
export function sentenceOf(server: Server, { state, reason, error }: ServerStatus): string {
  const name = visible(server.name);
  if (!server.enabled) return t(($) => $.servers.savedOff, { name });
  if (state === 'connected') return t(($) => $.servers.connected, { name });
  if (reason === 'sign_in') return t(($) => $.servers.needsSignIn, { name });
  if (reason === 'launch') return t(($) => $.servers.needsLaunch, { name });
  if (state === 'disconnected' && error) return error.message;
  return state === 'error'
    ? t(($) => $.servers.failed, { why: error?.message ?? '' })
    : t(($) => $.servers.connecting);
}

/** Servers that are on and neither connected, nor trying to, nor waiting for the user. */
export function lostServers(setup: Setup): Server[] {
  return setup.servers.filter((server) => {
    const { state, reason } = statusOf(setup, server);
    return server.enabled && reason === undefined && (state === 'error' || state === 'disconnected');
  });
}
