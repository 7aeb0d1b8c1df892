import type { JSX } from 'preact';
import { ownServer, ownStatus } from '../../../lib/state/settings/own-server.ts';
import { OWN_TOOLS } from '../../../lib/types/own-tools.ts';
import { useToolsOf } from '../server/page.tsx';
import { ServerTools } from '../server/tools.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** Which of Portside's own tools models may see, and which they may call without asking. */
export function OwnTools(): JSX.Element {
  return (
    <section class="block" aria-label={t(($) => $.permissions.own)}>
      <h2>{t(($) => $.permissions.own)}</h2>
      <p class="help">{t(($) => $.permissions.ownHelp)}</p>
      <ServerTools server={ownServer} status={ownStatus} tools={useToolsOf(OWN_TOOLS)} />
    </section>
  );
}
