import { computed } from '@preact/signals';
import { ChevronLeft, ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { usePanel } from '../../panel-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** The version that a press leads to, and the button that was pressed: it keeps the focus. */
let steppedTo: { to: string; name: string } | null = null;

/** The way to what else was said in a message's place; nothing when there is no other. */
export function Versions({ messageId }: { messageId: string }): JSX.Element | null {
  const panel = usePanel();
  const buttons = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (steppedTo?.to !== messageId) return;
    const all = [...(buttons.current?.querySelectorAll('button') ?? [])];
    const pressed = all.find(({ dataset, disabled }) => dataset['again'] === steppedTo?.name && !disabled);
    (pressed ?? all.find(({ disabled }) => !disabled))?.focus();
    steppedTo = null;
  }, [messageId]);
  const { value: versions = [] } = useMemo(
    () => computed(() => panel.chat.value.versions[messageId]),
    [panel, messageId],
  );
  const at = versions.indexOf(messageId);
  if (at === -1 || versions.length < 2) return null;
  const live = panel.live.value;
  const step = (by: -1 | 1, name: string): JSX.Element => {
    const to = versions[at + by];
    return (
      <button
        class="icon-btn"
        data-again={name}
        aria-label={name}
        title={live ? t(($) => $.messages.live) : name}
        disabled={live || to === undefined}
        onClick={() => {
          if (to === undefined) return;
          steppedTo = { to, name };
          void panel.messages.switchVersion(to);
        }}
      >
        <Icon of={by < 0 ? ChevronLeft : ChevronRight} small />
      </button>
    );
  };
  return (
    <span class="num versions" ref={buttons}>
      {step(
        -1,
        t(($) => $.messages.previous),
      )}
      {t(($) => $.messages.version, { position: at + 1, of: versions.length })}
      {step(
        1,
        t(($) => $.messages.next),
      )}
    </span>
  );
}
