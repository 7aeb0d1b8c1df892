import type { JSX } from 'preact';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';

import { t } from '../../../locales/texts/settings.ts';

/** Why a tab has nothing to show. `none`: what is said of a connected server, which offers nothing of the kind. */
export function Empty(props: {
  server: Server;
  status: ServerStatus;
  what: string;
  none: string;
}): JSX.Element {
  const { server, status, what, none } = props;
  return <p class="blank muted">{reason()}</p>;

  function reason(): string {
    if (!server.enabled) return t(($) => $.serverPage.switchedOff, { what });
    return status.state === 'connected' ? none : t(($) => $.serverPage.notConnected, { what });
  }
}
