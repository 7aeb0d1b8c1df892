import type { JSX } from 'preact';
import { requestSites } from '../../lib/gestures.ts';
import type { PagePlace } from '../../lib/state/attaching.ts';
import { en } from '../../locales/en-late.ts';

/** Has the browser asked whether Portside may read this site's pages, or all of them. A screenshot takes all. */
export function PageAccess(props: {
  page: Pick<PagePlace, 'part' | 'url'>;
  allowed: () => void;
}): JSX.Element {
  const { part, url = '' } = props.page;
  const site = part !== 'screenshot' && /^https?:/.test(url) ? new URL(url) : null;
  // The browser is asked in the click's own turn.
  const ask = (pattern: string) => (): void =>
    void requestSites([pattern]).then((isAllowed) => isAllowed && props.allowed());
  return (
    <p class="chip-ask">
      {site && (
        <button type="button" class="btn s" onClick={ask(`${site.protocol}//${site.hostname}/*`)}>
          {en.pages.allowSite(site.host)}
        </button>
      )}
      <button type="button" class="btn s" onClick={ask('<all_urls>')}>
        {en.pages.allowAll}
      </button>
    </p>
  );
}
