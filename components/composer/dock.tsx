import { X } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import type { WireError } from '../../lib/types/error.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { Composer } from './composer.tsx';
import { Queue } from './queue.tsx';
import { RunBar } from './run-bar.tsx';
import './dock.css';

/** What stays at the panel's lower edge: the run, what waits behind it, the message being written. */
export function Dock({ inert }: { inert: boolean }): JSX.Element {
  const panel = usePanel();
  return (
    <div class="dock" inert={inert}>
      <RunBar />
      <Queue />
      {panel.error.value && <Refusal error={panel.error.value} dismiss={panel.dismissError} />}
      <Composer />
    </div>
  );
}

/** What the worker did not accept. The text that was to be sent is still in the composer. */
function Refusal({ error, dismiss }: { error: WireError; dismiss: () => void }): JSX.Element {
  return (
    <div class="refusal" role="alert">
      <p class="grow">
        <strong>{error.message}</strong> {error.fix}
        {error.cause && <span class="cause subtle">{error.cause}</span>}
      </p>
      <button class="icon-btn" aria-label={en.notice.dismiss} onClick={dismiss}>
        <Icon of={X} small />
      </button>
    </div>
  );
}
