import { Check, LoaderCircle, Minus, X } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { WireError } from '../../../lib/types/error.ts';
import type { ModelTest } from '../../../lib/types/model.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../form/problem.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { useSetupState } from '../options-context.ts';
import type { Action } from '../form/use-action.ts';
import { useGranted } from '../form/use-granted.ts';

/** A model's test: what is being asked, what it showed, or why there was no answer. */
export function TestResult(props: {
  asking: string | null;
  result: ModelTest | null;
  /** Why the test itself could not be made. */
  failure: WireError | null;
  /** What is said before the first test. */
  idle?: string;
  /** Leads to the fields that the error may speak of, where they are not beside it. */
  edit?: () => void;
}): JSX.Element {
  const { asking, result, failure, idle, edit } = props;
  const error = asking === null ? (failure ?? result?.error) : undefined;
  return (
    <>
      <div class={asking === null && (!result || error) && !idle ? 'sr' : 'tested'} role="status">
        {asking !== null && (
          <p class="with small muted">
            <Icon of={LoaderCircle} small spins />
            {asking}
          </p>
        )}
        {asking === null && result && !error && <Steps result={result} />}
        {asking === null && !result && !error && idle && <p class="help">{idle}</p>}
      </div>
      {error && <Problem error={fixedHere(error)} />}
      {error && edit && (
        <button type="button" class="btn s" onClick={edit}>
          {t(($) => $.test.edit)}
        </button>
      )}
    </>
  );
}

/** What does not run here is started and tested again; there is no Retry. */
const fixedHere = (error: WireError): WireError =>
  error.code === 'model_not_running' ? { ...error, fix: t(($) => $.test.startIt) } : error;

function Steps({ result }: { result: ModelTest }): JSX.Element {
  const { usage } = result;
  return (
    <>
      <ul class="steps">
        {stepsOf(result).map(({ works, words }) => (
          <li key={words}>
            <Icon of={works === null ? Minus : works ? Check : X} small {...(works && { class: 'ok' })} />
            <span>{words}</span>
          </li>
        ))}
      </ul>
      {usage && (
        <p class="help">{t(($) => $.test.used, { tokens: usage.inputTokens + usage.outputTokens })}</p>
      )}
    </>
  );
}

/** One thing that a test looked at: whether it works, null where neither is better, and in words. */
type Step = { works: boolean | null; words: string };

/** What a test showed, a step at a time; none of a test that failed. */
export function stepsOf(test: ModelTest): Step[] {
  if (test.error) return [];
  const { contextWindow } = test.traits;
  return [
    { works: true, words: t(($) => $.test.answered, { ms: units.duration(test.totalMs) }) },
    { works: test.streams, words: t(($) => $.test.streams, { yes: test.streams }) },
    { works: test.calledTool, words: t(($) => $.test.calledTool, { yes: test.calledTool }) },
    { works: test.reasoned || null, words: t(($) => $.test.reasoned, { yes: test.reasoned }) },
    ...(contextWindow
      ? [{ works: true, words: t(($) => $.test.reads, { tokens: units.window(contextWindow) }) }]
      : []),
  ];
}

/** Begins a test; while it runs, ends it. */
export function TestButton(props: {
  test: { busy: boolean; stop: () => void };
  start: () => void;
  class?: string;
  /** Its name, where its words alone do not say of what. */
  label?: string;
}): JSX.Element {
  const { test, label } = props;
  return (
    <button
      type="button"
      class={`btn ${props.class ?? ''}`}
      aria-label={label !== undefined && !test.busy ? label : undefined}
      onClick={test.busy ? test.stop : props.start}
    >
      {test.busy ? t(($) => $.test.stop) : t(($) => $.models.test)}
    </button>
  );
}

/** The test of a saved provider's model; `start` it in a click. */
export function useModelTest(
  provider: Provider,
  model: string,
): Pick<Action, 'busy' | 'error' | 'stop'> & { result: ModelTest | null; start: () => void } {
  const { command } = useSetupState();
  const { busy, error, run, stop } = useGranted(provider.baseUrl);
  const [result, setResult] = useState<ModelTest | null>(null);
  const { id: providerId, preset, baseUrl, api } = provider;
  const start = (): void =>
    run(async (isWanted) => {
      setResult(null);
      const tested = await command('testModel', { providerId, preset, baseUrl, ...(api && { api }), model });
      if (isWanted()) setResult(tested);
    });
  return { busy, error, result, start, stop };
}
