import { CircleAlert, CirclePause } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import type { Run, WireError } from '../../lib/types.ts';
import { openSettings, usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';

/** How the last run ended, when that leaves something to decide. */
export function RunNotice({ run }: { run: Run }): JSX.Element | null {
  const panel = usePanel();
  const goOn = (): void => void panel.goOn();
  switch (run.reason) {
    case 'error':
      return run.error ? <Fault error={run.error} retry={goOn} /> : null;
    case 'limit':
      return <StopNote title={en.notice.limitTitle} text={en.notice.limit(run.iteration)} goOn={goOn} />;
    case 'interrupted':
      return (
        <StopNote
          title={en.notice.interruptedTitle}
          text={run.error?.message ?? en.notice.interrupted}
          goOn={goOn}
        />
      );
    default:
      return null;
  }
}

/** True when the error is cured on the page Models. */
const concernsModels = (error: WireError): boolean =>
  error.code === 'model_unauthorized' || error.code === 'no_provider' || error.code === 'origin_not_granted';

function Fault({ error, retry }: { error: WireError; retry: () => void }): JSX.Element {
  return (
    <div class="fault danger" role="alert">
      <Icon of={CircleAlert} />
      <div>
        <h3>{error.message}</h3>
        {error.cause && <p class="small subtle cause">{error.cause}</p>}
        {error.fix && <p>{error.fix}</p>}
        <div class="actions">
          <button class="btn" onClick={retry}>
            {en.notice.retry}
          </button>
          {concernsModels(error) && (
            <button class="btn quiet" onClick={() => openSettings('models')}>
              {en.notice.openModels}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

function StopNote(props: { title: string; text: string; goOn: () => void }): JSX.Element {
  return (
    <div class="stop-note">
      <Icon of={CirclePause} />
      <p class="grow small muted">
        <strong>{props.title}</strong>
        {props.text}
      </p>
      <button class="btn" onClick={props.goOn}>
        {en.notice.continue}
      </button>
    </div>
  );
}
