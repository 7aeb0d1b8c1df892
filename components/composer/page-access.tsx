import { ShieldQuestionMark } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { requestSites, watchToolbarButton } from '../../lib/gestures.ts';
import type { PagePlace } from '../../lib/state/attaching.ts';
import { Icon } from '../ui/icon.tsx';
import './page-access.css';
import { t } from '../../locales/texts/panel.ts';

/** Has the browser asked whether Portside may read this site's pages, or all of them. A screenshot takes all. */
export function PageAccess(props: {
  page: Pick<PagePlace, 'part' | 'url'>;
  allowed: () => void;
}): JSX.Element {
  const id = useId();
  const { page, allowed } = props;
  const { part, url = '' } = page;
  const site = part !== 'screenshot' && /^https?:/.test(url) ? new URL(url) : null;
  useEffect(() => watchToolbarButton(allowed), [allowed]);
  // The browser is asked in the click's own turn.
  const ask = (pattern: string) => (): void =>
    void requestSites([pattern]).then((isAllowed) => isAllowed && allowed());
  return (
    <div class="page-access" role="group" aria-labelledby={id}>
      <p class="page-access-title" id={id}>
        <Icon of={ShieldQuestionMark} small />
        {t(($) => $.pages.allow[part === 'screenshot' ? 'screenshot' : 'page'])}
      </p>
      <p class="small muted">{site ? t(($) => $.pages.allowHow) : t(($) => $.pages.allowOnce)}</p>
      <p class="page-access-ways">
        {site && (
          <button
            type="button"
            class="btn s primary"
            aria-label={t(($) => $.pages.thisSiteIs, { host: site.host })}
            title={site.host}
            onClick={ask(`${site.protocol}//${site.hostname}/*`)}
          >
            {t(($) => $.pages.thisSite)}
          </button>
        )}
        <button type="button" class={site ? 'btn s' : 'btn s primary'} onClick={ask('<all_urls>')}>
          {t(($) => $.pages.allSites)}
        </button>
      </p>
    </div>
  );
}
