import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ServerRequest } from '../../../lib/types/request.ts';
import { useRequesting } from '../../request-context.ts';
import { TrustWarning } from '../../ui/trust-warning.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** That the server which asks may be taken for another one, or for Portside. */
export function AlikeWarning({ request }: { request: ServerRequest }): JSX.Element | null {
  const twin = useRequesting().alike(request);
  if (twin === undefined) return null;
  return <TrustWarning text={t(($) => $.approval.serverAlike, { name: visible(twin) })} />;
}
