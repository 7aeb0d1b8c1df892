import { CircleAlert } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { WireError } from '../lib/types/error.ts';
import { openSettings, usePanel } from './panel-context.ts';
import { Fault } from './ui/fault.tsx';
import { Icon } from './ui/icon.tsx';
import { t } from '../locales/texts/panel.ts';

/** In place of a part of the panel that can't be drawn, until another chat is shown. */
export function Damaged({ error, again }: { error: WireError; again: () => void }): JSX.Element {
  const shown = usePanel().chat.value.conversation?.id;
  const failed = useRef(shown);
  // Not when it goes, which it does whenever the part is tried again.
  useEffect(() => {
    if (shown !== failed.current) again();
  }, [shown]);
  return (
    <div class="notice danger" role="alert">
      <Icon of={CircleAlert} />
      <p>
        <Fault error={error} />
      </p>
      <button type="button" class="btn s" onClick={() => openSettings('repair')}>
        {t(($) => $.faults.damaged.repair)}
      </button>
    </div>
  );
}
