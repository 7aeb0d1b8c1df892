import { Check, LoaderCircle, Minus, X } from 'lucide';
import type { JSX } from 'preact';
import type { ModelTest } from '../../lib/types/model.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem } from './problem.tsx';
import { stepsOf } from './test-words.ts';
import { t } from '../../locales/texts/settings.ts';

/** A model's test: what is being asked, what it showed, or why there was no answer. */
export function TestResult(props: {
  asking: string | null;
  result: ModelTest | null;
  /** What is said before the first test. */
  idle?: string;
}): JSX.Element {
  const { asking, result, idle } = props;
  const error = asking === null ? result?.error : undefined;
  return (
    <>
      <div class={asking === null && (!result || error) && !idle ? 'sr' : 'tested'} role="status">
        {asking !== null && (
          <p class="with small muted">
            <Icon of={LoaderCircle} small class="spin" />
            {asking}
          </p>
        )}
        {asking === null && result && !error && <Steps result={result} />}
        {asking === null && !result && idle && <p class="help">{idle}</p>}
      </div>
      {error && <Problem error={error} />}
    </>
  );
}

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
