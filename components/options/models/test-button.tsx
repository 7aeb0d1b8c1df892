import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ModelTest } from '../../../lib/types/model.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { useSetupState } from '../options-context.ts';
import type { Action } from '../form/use-action.ts';
import { useGranted } from '../form/use-granted.ts';

import { t } from '../../../locales/texts/settings.ts';

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
