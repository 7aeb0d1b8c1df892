import { ShieldQuestionMark } from 'lucide';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { requestAddress, requestOrigins, requestSites, watchToolbarButton } from '../../../lib/gestures.ts';
import type { PagePlace } from '../../../lib/state/composer/attaching.ts';
import { Icon } from '../../ui/icon.tsx';
import './page-access.css';
import { t } from '../../../locales/texts/panel.ts';

/** That the browser has told an address before: it does not ask about that again. */
const ASKED = 'address-asked';

/**
 * Has the browser ask whether Portside may read this site's pages, or all of them. A screenshot takes all. Where the browser
 * keeps the address to itself, that is asked for first; without a `tabId`, the one of the tab in front.
 */
export function PageAccess(props: {
  page: Pick<PagePlace, 'part' | 'url'> & { tabId?: number };
  allowed: () => void;
}): JSX.Element {
  const id = useId();
  const { page, allowed } = props;
  const [address, setAddress] = useState<string>();
  const [isDenied, setDenied] = useState(false);
  const [isFirst] = useState(() => localStorage.getItem(ASKED) === null);
  const { part, url = address } = page;
  const site = url !== undefined && /^https?:/.test(url) ? new URL(url) : null;
  const isClosed = url !== undefined && !/^(https?|file):/.test(url);
  const isOneSite = part !== 'screenshot' && (site !== null || !url);
  const latest = useRef(allowed);
  latest.current = allowed;
  // Not after the next frame: the button may be pressed as soon as this is there. Nor at each drawing anew, between which
  // a press would be told to no one.
  useLayoutEffect(() => watchToolbarButton(() => latest.current()), []);
  // The browser is asked in the click's own turn.
  const ask = async (granting: Promise<boolean>): Promise<void> => {
    if (await granting) allowed();
    else setDenied(true);
  };
  const askAddress = async (): Promise<void> => {
    const found = await requestAddress(page.tabId);
    // null: the gesture did not last so long, and the button has to be pressed again.
    if (found !== undefined) localStorage.setItem(ASKED, 'yes');
    const isAllowed = found !== undefined && (await requestOrigins([found]).catch(() => null));
    if (isAllowed) return allowed();
    setAddress(found);
    setDenied(isAllowed === false);
  };
  const howOf = (): string => {
    if (isDenied) return t(($) => $.start.refused);
    if (!isOneSite) return t(($) => $.pages.allowOnce);
    if (!site) return isFirst ? t(($) => $.pages.allowFirst) : t(($) => $.pages.allowOnce);
    return address === undefined
      ? t(($) => $.pages.allowHow)
      : t(($) => $.pages.allowAgain, { host: site.host });
  };
  // Its address was not known before.
  if (isClosed) {
    return (
      <p class="page-access small muted" role="status">
        {t(($) => $.pages.closed)}
      </p>
    );
  }
  return (
    <div class="page-access" role="group" aria-labelledby={id}>
      <p class="page-access-title" id={id}>
        <Icon of={ShieldQuestionMark} small />
        {t(($) => $.pages.allow[part === 'screenshot' ? 'screenshot' : 'page'])}
      </p>
      <p class="small muted" role="status">
        {howOf()}
      </p>
      <p class="page-access-ways">
        {isOneSite && (
          <button
            type="button"
            class="btn s primary"
            {...(site && {
              'aria-label': t(($) => $.pages.thisSiteIs, { host: site.host }),
              title: site.host,
            })}
            onClick={() => void (site ? ask(requestOrigins([site.href])) : askAddress())}
          >
            {t(($) => $.pages.thisSite)}
          </button>
        )}
        <button
          type="button"
          class={isOneSite ? 'btn s' : 'btn s primary'}
          onClick={() => void ask(requestSites(['<all_urls>']))}
        >
          {t(($) => $.pages.allSites)}
        </button>
      </p>
    </div>
  );
}
