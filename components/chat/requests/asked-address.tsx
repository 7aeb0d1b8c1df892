import { TriangleAlert } from 'lucide';
import type { JSX } from 'preact';
import type { askedUrl } from '../../../lib/state/trust/address-warnings.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** An address that the user is asked to visit. The host stands out, since it says whom one goes to. */
export function AskedAddress(props: { url: string; asked: ReturnType<typeof askedUrl> }): JSX.Element {
  const { host, warnings } = props.asked;
  return (
    <>
      {host !== '' && <p class="visit-host">{host}</p>}
      <p class="visit-url mono" aria-label={t(($) => $.request.address)}>
        {visible(props.url)}
      </p>
      {warnings.map((warning) => (
        <p class="visit-warning small" key={warning}>
          <Icon of={TriangleAlert} small />
          <span>{t(($) => $.request.warnings[warning])}</span>
        </p>
      ))}
    </>
  );
}
