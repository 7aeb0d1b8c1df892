import { LoaderCircle } from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import { usePanel } from '../../panel-context.ts';
import { Fault } from '../../ui/fault.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import { focusMessage } from '../message-field.tsx';
import './offers.css';
import { t } from '../../../locales/texts/panel.ts';

/** The prompt that was chosen: on its way into the message, or why it does not come. */
export function PromptStatus(): JSX.Element | null {
  const { menu } = usePanel();
  const { fetching, filling, open, error } = menu;
  const fetch = filling.value ? null : fetching.value;
  const failed = !fetch && !filling.value && open.value === null ? error.value : null;
  useLayer(fetch !== null, menu.cancel);
  if (failed) {
    return (
      <div class="menu-note" role="alert">
        <p class="grow bad">
          <Fault error={failed} />
        </p>
        <button type="button" class="btn s" onClick={() => void menu.retry()}>
          {t(($) => $.actions.retry)}
        </button>
        <button type="button" class="btn s quiet" onClick={menu.close}>
          {t(($) => $.actions.dismiss)}
        </button>
      </div>
    );
  }
  if (!fetch) return null;
  const name = visible(fetch.prompt.title ?? fetch.prompt.name);
  const cancel = (): void => {
    menu.cancel();
    focusMessage();
  };
  return (
    <div class="menu-note">
      <Icon of={LoaderCircle} small spins />
      <span class="grow cut" role="status">
        {t(($) => $.offers.asks, { server: visible(fetch.prompt.serverName), prompt: name })}
      </span>
      <button
        type="button"
        class="btn s"
        aria-label={t(($) => $.offers.cancelPrompt, { prompt: name })}
        onClick={cancel}
      >
        {t(($) => $.actions.cancel)}
      </button>
    </div>
  );
}

/** How long after a prompt has come Enter is still meant for choosing it. */
const REACTION_MS = 300;

/** Whether Enter is meant for a prompt, which is on its way or has only just come, and not for sending. */
export function usePromptGuard(): () => boolean {
  const { fetching } = usePanel().menu;
  const waits = fetching.value !== null;
  const cameAt = useRef(-Infinity);
  useLayoutEffect(() => {
    if (!waits) return undefined;
    return () => void (cameAt.current = performance.now());
  }, [waits]);
  return () => waits || performance.now() - cameAt.current < REACTION_MS;
}
