import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { t } from '../../locales/texts/panel.ts';

/** Loads the next page when the user comes near the end of the list, or presses it. */
export function MoreRows({ busy, load }: { busy: boolean; load: () => void }): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (busy || !button.current) return undefined;
    const near = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { root: button.current.closest('.drawer-list'), rootMargin: '320px' },
    );
    near.observe(button.current);
    return () => near.disconnect();
  }, [busy]);
  return (
    <button class="btn quiet s more-rows" aria-disabled={busy} ref={button} onClick={load}>
      {busy ? t(($) => $.history.loading) : t(($) => $.history.more)}
    </button>
  );
}
