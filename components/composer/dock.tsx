import { Pencil, X } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { queuedRuns } from '../../lib/state/run-status.ts';
import type { Run, WireError } from '../../lib/types.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { Composer } from './composer.tsx';
import { RunBar } from './run-bar.tsx';

/** What stays at the panel's lower edge: the run, what waits behind it, the message being written. */
export function Dock({ inert }: { inert: boolean }): JSX.Element {
  const panel = usePanel();
  return (
    <div class="dock" inert={inert}>
      <RunBar />
      {queuedRuns(panel.chat.value).map((run) => (
        <QueuedMessage key={run.id} run={run} />
      ))}
      {panel.error.value && <Refusal error={panel.error.value} dismiss={panel.dismissError} />}
      <Composer />
    </div>
  );
}

function QueuedMessage({ run }: { run: Run }): JSX.Element {
  const panel = usePanel();
  return (
    <div class="queue" role="group" aria-label={en.queue.group}>
      <b>{en.queue.next}</b>
      <span class="grow cut">{run.queuedText}</span>
      <button class="icon-btn" aria-label={en.queue.edit} onClick={() => void panel.editQueued(run)}>
        <Icon of={Pencil} small />
      </button>
      <button class="icon-btn" aria-label={en.queue.remove} onClick={() => void panel.removeQueued(run)}>
        <Icon of={X} small />
      </button>
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
