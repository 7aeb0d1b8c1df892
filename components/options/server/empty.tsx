import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';
import { t } from '../../../locales/texts/settings.ts';

type Kind = 'tools' | 'prompts' | 'resources';

/** Why a tab has nothing to show. */
export function Empty(props: { server: Server; status: ServerStatus; of: Kind }): JSX.Element {
  return <p class="blank muted">{reason(props)}</p>;
}

function reason({ server, status, of }: Parameters<typeof Empty>[0]): string {
  const what = t(($) => $.serverPage.tabs[of]);
  if (!server.enabled) return t(($) => $.serverPage.switchedOff, { what });
  if (status.state !== 'connected') return t(($) => $.serverPage.notConnected, { what });
  const name = { server: visible(server.name) };
  if (of === 'tools') return t(($) => $.toolList.noneOffered, name);
  return of === 'prompts' ? t(($) => $.promptList.none, name) : t(($) => $.resourceList.none, name);
}
