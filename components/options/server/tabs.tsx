import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { SERVER_TABS, type ServerTab } from '../route.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The tabs of one server, and the one that is shown. `counts` are what stands behind a tab, for the eye only. */
export function Tabs(props: {
  label: string;
  shown: ServerTab;
  counts: Partial<Record<ServerTab, number>>;
  show: (tab: ServerTab) => void;
  children: ComponentChildren;
}): JSX.Element {
  const { label, shown, counts, show, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = SERVER_TABS.indexOf(shown);
    const last = SERVER_TABS.length - 1;
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at + last, Home: 0, End: last };
    const next = SERVER_TABS[(steps[event.key] ?? NaN) % SERVER_TABS.length];
    if (next === undefined) return;
    event.preventDefault();
    show(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {SERVER_TABS.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            data-tab={tab}
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => show(tab)}
          >
            {t(($) => $.serverPage.tabs[tab])}
            {counts[tab] !== undefined && (
              <span class="num" aria-hidden="true">
                {` ${counts[tab]}`}
              </span>
            )}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`} key={shown}>
        {children}
      </div>
    </>
  );
}
