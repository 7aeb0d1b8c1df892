import { CircleAlert, CirclePause, Hourglass } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { requestOrigins } from '../../lib/gestures.ts';
import { choiceFor } from '../../lib/state/composer/choice.ts';
import type { Panel } from '../../lib/state/panel.ts';
import { visible, visibleError } from '../../lib/state/shown-text.ts';
import type { WireError } from '../../lib/types/error.ts';
import type { Retry, Run } from '../../lib/types/run.ts';
import { USUAL_ITERATIONS } from '../../lib/types/settings.ts';
import { openModelMenu } from '../composer/chat-settings/model-picker.tsx';
import { openSettings, usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { MoreHelp } from '../ui/more-help.tsx';
import { useNow } from '../ui/use-now.ts';
import './notices.css';
import { t } from '../../locales/texts/panel.ts';

/** How the last run ended, when that leaves something to decide. */
export function RunNotice({ run }: { run: Run }): JSX.Element | null {
  const panel = usePanel();
  const goOn = (): void => void panel.goOn();
  switch (run.reason) {
    case 'error':
    // Stopped while it waited to ask again: why it had to wait is still true.
    case 'cancelled':
      if (run.error?.code === 'model_not_running')
        return <NotRunning run={run} error={run.error} retry={goOn} />;
      if (run.error?.code === 'origin_not_granted')
        return <NotGranted run={run} error={run.error} retry={goOn} />;
      return run.error ? <Fault error={run.error} retry={goOn} /> : null;
    case 'limit':
      // That the answer may stop short stands in the answer itself.
      return (
        <StopNote
          title={t(($) => $.notice.limitTitle)}
          text={t(($) => $.notice.limit, { steps: allowance(panel) })}
          goOn={goOn}
        />
      );
    case 'interrupted':
      return (
        <StopNote
          title={t(($) => $.notice.interruptedTitle)}
          text={visible(run.error?.message ?? t(($) => $.notice.interrupted))}
          goOn={goOn}
        />
      );
    default:
      return null;
  }
}

/** Steps that Continue adds. */
const allowance = (panel: Panel): number => panel.setup.value?.settings.maxIterations ?? USUAL_ITERATIONS;

/** True when the error is cured on the page Models. */
const concernsModels = ({ code }: WireError): boolean => MODEL_CODES.has(code);
const MODEL_CODES: ReadonlySet<string> = new Set([
  'model_unauthorized',
  'model_not_found',
  'model_bad_url',
  'model_bad_reply',
  'model_redirect',
  'model_other_api',
  'model_wrong_api',
  'model_unreachable',
  'model_not_running',
  'no_provider',
  'origin_not_granted',
]);

/** So often it is looked whether a model server on this computer has been started. */
const LOOK_MS = 3000;

type ModelFault = { run: Run; error: WireError; retry: () => void };

/** The provider that the run asked. */
function useProviderOf({ by }: Run): number | undefined {
  const { chat, setup } = usePanel();
  return by?.providerId ?? choiceFor(setup.value, chat.value.conversation)?.provider.id;
}

/** The access was taken back: the browser asks again in the click. */
function NotGranted({ run, error, retry }: ModelFault): JSX.Element {
  const { setup } = usePanel();
  const providerId = useProviderOf(run);
  const address = setup.value?.providers.find(({ id }) => id === providerId)?.baseUrl;
  if (address === undefined) return <Fault error={error} retry={retry} />;
  const allow = async (): Promise<void> => {
    if (await requestOrigins([address])) retry();
  };
  return (
    <Fault
      error={{ ...error, fix: t(($) => $.notice.allowFix) }}
      retry={() => void allow()}
      word={t(($) => $.notice.allow)}
    />
  );
}

/** Notices by itself when the server is back. */
function NotRunning({ run, error, retry }: ModelFault): JSX.Element {
  const { command } = usePanel();
  const [isBack, setBack] = useState(false);
  const providerId = useProviderOf(run);
  useEffect(() => {
    if (isBack || providerId === undefined) return;
    const askProvider = async (): Promise<void> => {
      if (document.hidden) return;
      setBack((await command('providerAnswers', { providerId }))?.reply === true);
    };
    const timer = setInterval(() => void askProvider(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isBack, providerId]);
  if (!isBack) return <Fault error={error} retry={retry} />;
  return (
    <StopNote
      title={t(($) => $.notice.back)}
      text={t(($) => $.notice.backText)}
      goOn={retry}
      word={t(($) => $.actions.retry)}
    />
  );
}

function Fault(props: { error: WireError; retry: () => void; word?: string }): JSX.Element {
  const { error, retry, word = t(($) => $.actions.retry) } = props;
  const { message, cause, fix } = visibleError(error);
  return (
    <div class="fault danger" role="alert">
      <Icon of={CircleAlert} />
      <div>
        <h3>{message}</h3>
        {cause && <p class="small subtle cause">{cause}</p>}
        <p>
          {fix} <MoreHelp code={error.code} />
        </p>
        <div class="actions">
          <button class="btn" onClick={retry}>
            {word}
          </button>
          {error.code === 'model_not_found' && (
            <button class="btn" onClick={openModelMenu}>
              {t(($) => $.start.otherModels)}
            </button>
          )}
          {concernsModels(error) && (
            <button class="btn quiet" onClick={() => openSettings('models')}>
              {t(($) => $.notice.openModels)}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** The run tries again by itself; only the words are an alert, not the seconds. */
export function RetryNotice({ retry }: { retry: Retry }): JSX.Element {
  const panel = usePanel();
  const { message, cause, fix } = visibleError(retry.error);
  return (
    <div class="fault warn" role="group" aria-label={t(($) => $.notice.retryWait)}>
      <Icon of={Hourglass} />
      <div>
        <div role="alert">
          <h3>{message}</h3>
          {cause && <p class="small subtle cause">{cause}</p>}
          <p>
            {fix} <MoreHelp code={retry.error.code} />
          </p>
        </div>
        <Countdown retry={retry} />
        <div class="actions">
          <button class="btn" onClick={() => void panel.retryNow()}>
            {t(($) => $.actions.retry)}
          </button>
          <button class="btn quiet" onClick={() => void panel.stop()}>
            {t(($) => $.actions.cancel)}
          </button>
        </div>
      </div>
    </div>
  );
}

function Countdown({ retry }: { retry: Retry }): JSX.Element {
  const now = useNow(true);
  const [begun] = useState(Date.now);
  const until = Date.parse(retry.at);
  return (
    <div aria-hidden="true">
      <div class="retry">
        <span class="num">
          {t(($) => $.notice.retrying, { seconds: Math.max(0, Math.ceil((until - now) / 1000)) })}
        </span>
        <span class="num subtle">{t(($) => $.notice.attempt, { attempt: retry.attempt, of: retry.of })}</span>
      </div>
      <progress class="bar-track" max={Math.max(1, until - begun)} value={Math.max(0, now - begun)} />
    </div>
  );
}

function StopNote(props: { title: string; text: string; word?: string; goOn: () => void }): JSX.Element {
  return (
    <div class="stop-note">
      <Icon of={CirclePause} />
      <p class="grow small muted">
        <strong>{props.title}</strong>
        {props.text}
      </p>
      <button class="btn" onClick={props.goOn}>
        {props.word ?? t(($) => $.notice.continue)}
      </button>
    </div>
  );
}
