import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { requestOrigins } from '../../../lib/gestures.ts';
import type { ProviderProbe } from '../../../lib/protocol/setup.ts';
import { bestModel, chats } from '../../../lib/state/composer/choice.ts';
import type { FoundModel, ModelTest, PresetId } from '../../../lib/types/model.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { useFormFocus } from '../../ui/fields.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { ProviderFields } from './provider-fields.tsx';
import {
  checkProbe,
  checkProvider,
  draftOf,
  startFrom,
  type ProviderDraft,
  type ProviderFaults,
} from './provider-input.ts';
import { go } from '../route.ts';
import { TestButton, TestResult } from './model-test.tsx';
import { useAction } from '../form/use-action.ts';
import { useDraft } from '../form/use-draft.ts';
import { askSettingsText } from '../../settings-text.ts';
import { SaveFoot } from '../form/save-foot.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { sentencesOf, toWire } from '../../../lib/errors.ts';

/** One provider's settings, and beside them what a test of what is typed showed; `provider` null adds one. */
export function ProviderForm(props: { provider: Provider | null; preset: PresetId }): JSX.Element {
  const { provider, preset } = props;
  const { command } = useSetupState();
  const { draft, set, forget } = useDraft(`models/${provider?.id ?? 'add'}`, () =>
    provider ? draftOf(provider) : startFrom(draftOf(null), preset),
  );
  // The key that was typed in the panel, which led here.
  useEffect(() => (provider ? undefined : askSettingsText((apiKey) => set({ apiKey }))), []);
  const [faults, setFound] = useState<ProviderFaults>({});
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const [models, setModels] = useState<string[] | null>(null);
  const [result, setResult] = useState<ModelTest | null>(null);
  const form = useFormFocus(faults);
  const side = useRef<HTMLElement>(null);
  const save = useAction();
  const test = useAction();
  const model = draft.model.trim();

  const setFaults = (next: ProviderFaults): void => {
    setFound(next);
    setEdited(new Set());
  };
  // What was said of a field, and what a test of the fields showed, is no longer true of another value.
  const edit = (change: Partial<ProviderDraft>): void => {
    set(change);
    setEdited(new Set([...edited, ...Object.keys(change)]));
    if (change.baseUrl !== undefined) setModels(null);
    setResult(null);
    save.clear();
    test.stop();
    test.clear();
  };
  const shown = Object.fromEntries(Object.entries(faults).filter(([field]) => !edited.has(field)));

  /** Call it in the click: the browser's question comes before any await. */
  const granted = async (
    baseUrl: string,
    refused: (host: string) => string,
    isWanted: () => boolean,
  ): Promise<boolean> => {
    const granting = requestOrigins([baseUrl]);
    setFaults({});
    if (await granting) return true;
    if (isWanted()) setFaults({ baseUrl: refused(new URL(baseUrl).host) });
    return false;
  };

  const keyIsKept = provider?.hasKey === true && draft.apiKey.trim() === '';
  const secretFault = (words: string): void =>
    setFaults(!keyIsKept && provider?.headerNames.length ? { headers: words } : { apiKey: words });

  const submit = (event: Event): void => {
    event.preventDefault();
    if (save.busy) return;
    const checked = checkProvider(draft, provider);
    test.stop();
    save.clear();
    test.clear();
    // The address may tell which there are.
    if ('faults' in checked && Object.keys(checked.faults).join() === 'model') return runTest();
    if ('faults' in checked) return setFaults(checked.faults);
    const { input } = checked;
    save.run(async (isWanted) => {
      if (!(await granted(input.baseUrl, (host) => t(($) => $.options.refused, { host }), isWanted))) return;
      if (!(await orSecretFault(command('saveProvider', input), secretFault))) return;
      forget();
      if (isWanted()) await go('models');
    });
  };

  const ask = async (probe: ProviderProbe, isWanted: () => boolean): Promise<void> => {
    if (
      !(await granted(probe.baseUrl, (host) => t(($) => $.options.refusedTest, { host }), isWanted)) ||
      !isWanted()
    )
      return;
    const show = (words: string): void => void (isWanted() && secretFault(words));
    let wanted = model;
    // An address that lists no models may have the typed one all the same.
    const listing = command('listModels', probe);
    const ids = (found: FoundModel[]): string[] => found.filter(chats).map(({ id }) => id);
    if (model === '') {
      const listed = await orSecretFault(listing, show);
      if (!isWanted() || !listed) return;
      setModels(ids(listed));
      const best = bestModel(listed);
      if (!best) return setFaults({ model: t(($) => $.models.invalid.noModels) });
      wanted = best.id;
      set({ model: wanted });
    } else {
      void listing.then(ids).then(setModels, () => setModels(null));
    }
    const tested = await orSecretFault(command('testModel', { ...probe, model: wanted }), show);
    if (isWanted()) setResult(tested);
  };

  const runTest = (): void => {
    if (save.busy) return;
    const checked = checkProbe(draft, provider);
    save.clear();
    test.clear();
    setResult(null);
    if ('faults' in checked) return setFaults(checked.faults);
    test.run((isWanted) => ask(checked.probe, isWanted));
  };

  // On a narrow page it stands below the buttons, where a small window does not reach.
  useEffect(() => {
    if (test.busy || result || test.error) side.current?.scrollIntoView({ block: 'nearest' });
  }, [test.busy, result, test.error]);

  return (
    <div class="cols">
      <form class="form" ref={form} onSubmit={submit} noValidate>
        <ProviderFields provider={provider} draft={draft} set={edit} faults={shown} models={models} />
        {save.error && <Problem error={save.error} />}
        <SaveFoot busy={save.busy} back="#models" forget={forget}>
          <TestButton test={test} start={runTest} />
        </SaveFoot>
        <p class="help">{t(($) => $.options.asksFirst)}</p>
      </form>
      <section class="side" ref={side} aria-label={t(($) => $.test.title)}>
        <h2>{t(($) => $.test.title)}</h2>
        <TestResult
          asking={
            test.busy
              ? model === ''
                ? t(($) => $.models.listing)
                : t(($) => $.models.testing, { model })
              : null
          }
          result={result}
          failure={test.error}
          idle={t(($) => $.test.none)}
        />
      </section>
    </div>
  );
}

/**
 * What the worker answered, or null when it refused because a stored key or header belongs to another address:
 * `show` then gets that in words, for the field where another one can be typed. @throws any other failure
 */
export async function orSecretFault<T>(answer: Promise<T>, show: (words: string) => void): Promise<T | null> {
  try {
    return await answer;
  } catch (failure) {
    const error = toWire(failure);
    if (error.code !== 'secret_for_other_address') throw failure;
    show(sentencesOf(error));
    return null;
  }
}
