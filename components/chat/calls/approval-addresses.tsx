import { TriangleAlert } from 'lucide';
import { Fragment, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { askedUrl, type AskedUrl, askedUrls, deceits } from '../../../lib/state/trust/address-warnings.ts';
import { Icon } from '../../ui/icon.tsx';
import { visible } from '../../../lib/state/shown-text.ts';
import { tierOf } from '../../../lib/types/tools/tier.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { t } from '../../../locales/texts/panel.ts';

/** Whom the addresses in an argument lead to. @param props.value JSON */
export function Addresses({ value }: { value: string }): JSX.Element {
  return <Hosts of={useMemo(() => askedUrls(value), [value])} />;
}

/** The site and the tab that a call which reads, or acts on, a tab was judged by: it does so in no other, whatever becomes of the tab. */
export function ReadSite({ call: { reads = '', at, annotations } }: { call: ToolCall }): JSX.Element | null {
  if (reads === '' && at?.title === undefined) return null;
  const url = askedUrl(reads);
  return (
    <div class="ask-reads">
      <span class="small subtle">{t(($) => $.approval.tier[tierOf(annotations)])}</span>
      <div>
        {reads !== '' && (
          <div dir="ltr">
            {url.host === '' ? <code class="small">{visible(reads)}</code> : <Hosts of={[url]} />}
          </div>
        )}
        {at?.title !== undefined && (
          <p class="ask-tab small subtle" dir="auto">
            {visible(at.title)}
          </p>
        )}
      </div>
    </div>
  );
}

/** More hosts, as only a flood has them, stand in one text: drawn with a warning each they would hold up the panel. */
export const MOST_HOSTS = 500;

/** Hosts as a browser reads them, and what may deceive about them. */
function Hosts({ of }: { of: AskedUrl[] }): JSX.Element {
  const others = of.slice(MOST_HOSTS);
  return (
    <>
      {of.slice(0, MOST_HOSTS).map((url, at) => (
        <Fragment key={at}>
          <p class="ask-host">{url.host}</p>
          {deceits(url).map((warning) => (
            <p class="visit-warning small" key={warning}>
              <Icon of={TriangleAlert} small />
              <span>{t(($) => $.request.warnings[warning])}</span>
            </p>
          ))}
        </Fragment>
      ))}
      {others.length > 0 && <p class="ask-host plain">{others.map(({ host }) => host).join('\n')}</p>}
    </>
  );
}
