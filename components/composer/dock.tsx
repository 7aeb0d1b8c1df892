import { X } from 'lucide';
import type { JSX } from 'preact';
import { queuedRuns } from '../../lib/state/chat/run-status.ts';
import { visibleError } from '../../lib/state/shown-text.ts';
import type { WireError } from '../../lib/types/error.ts';
import { usePanel } from '../panel-context.ts';
import { lazy } from '../ui/lazy.tsx';
import { UndoLines } from '../ui/undo-lines.tsx';
import { Composer } from './composer.tsx';
import { RunBar } from './run-bar.tsx';
import { Speech } from './speech.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MoreHelp } from '../ui/more-help.tsx';
import './dock.css';
import { t } from '../../locales/texts/panel.ts';

const Hint = lazy((views) => views.Hint);
const Locked = lazy((views) => views.Locked);
const OpenedTabs = lazy((views) => views.OpenedTabs);
const Queue = lazy((views) => views.Queue);

/** What stays at the panel's lower edge: the run, what waits behind it, the message being written. */
export function Dock({ inert }: { inert: boolean }): JSX.Element {
  const panel = usePanel();
  return (
    <div class="dock" inert={inert}>
      <RunBar />
      <Speech />
      {queuedRuns(panel.chat.value).length > 0 && <Queue />}
      {panel.chat.value.tabs.length > 0 && <OpenedTabs />}
      {panel.error.value && <Refusal error={panel.error.value} dismiss={panel.dismissError} />}
      {!inert && <UndoLines />}
      {panel.hints.shown.value && <Hint />}
      {panel.setup.value?.lock === 'locked' && <Locked />}
      <Composer />
    </div>
  );
}

/** What the worker did not accept. The text that was to be sent is still in the composer. */
function Refusal({ error, dismiss }: { error: WireError; dismiss: () => void }): JSX.Element {
  const { message, cause, fix } = visibleError(error);
  return (
    <div class="refusal" role="alert">
      <p class="grow">
        <strong>{message}</strong> {fix} <MoreHelp code={error.code} />
        {cause && <span class="cause subtle">{cause}</span>}
      </p>
      <IconButton icon={X} small label={t(($) => $.actions.dismiss)} onClick={dismiss} />
    </div>
  );
}
