import { ChevronLeft } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { requestOrigins } from '../../lib/gestures.ts';
import { en } from '../../locales/en.ts';
import type { Provider } from '../../lib/types.ts';
import { Icon } from '../ui/icon.tsx';
import { TextField, useFaultFocus } from './fields.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { checkProvider, draftOf, keyOf, type ProviderDraft, type ProviderFaults } from './provider-input.ts';
import { go } from './route.ts';
import { orSecretFault } from './secret-fault.ts';
import { urlFault } from './server-input.ts';
import { useAction } from './use-action.ts';
import { WorkButton } from './work-button.tsx';

export function ProviderPage({ item }: { item: 'add' | number }): JSX.Element {
  const { providers } = useSetup();
  const provider = providers.find((other) => other.id === item) ?? null;
  return (
    <>
      <a class="crumb" href="#models">
        <Icon of={ChevronLeft} small />
        {en.options.models}
      </a>
      {item !== 'add' && !provider ? (
        <p class="muted">{en.models.gone}</p>
      ) : (
        <>
          <header class="head">
            <div>
              <h1>{provider ? provider.name : en.models.add}</h1>
              {!provider && <p>{en.models.addLead}</p>}
            </div>
          </header>
          <ProviderForm provider={provider} />
        </>
      )}
    </>
  );
}

function ProviderForm({ provider }: { provider: Provider | null }): JSX.Element {
  const { command } = useSetupState();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const [faults, setFaults] = useState<ProviderFaults>({});
  const [models, setModels] = useState<string[] | null>(null);
  const form = useFaultFocus(faults);
  const save = useAction();
  const test = useAction();
  const busy = save.busy || test.busy;
  const failure = save.error ?? test.error;

  /** Call it in the click: the browser's question comes before any await. */
  const granted = async (baseUrl: string, refused: (host: string) => string): Promise<boolean> => {
    const granting = requestOrigins([baseUrl]);
    setFaults({});
    if (await granting) return true;
    setFaults({ baseUrl: refused(new URL(baseUrl).host) });
    return false;
  };

  const keyFault = (apiKey: string): void => setFaults({ apiKey });

  const submit = (event: Event): void => {
    event.preventDefault();
    if (busy) return;
    const checked = checkProvider(draft, provider?.id);
    save.clear();
    test.clear();
    if ('faults' in checked) return setFaults(checked.faults);
    const { input } = checked;
    save.run(async () => {
      if (!(await granted(input.baseUrl, en.options.refused))) return;
      if (await orSecretFault(command('saveProvider', input), keyFault)) go('models');
    });
  };

  const runTest = (): void => {
    if (busy) return;
    const baseUrl = draft.baseUrl.trim();
    const fault = urlFault(baseUrl, en.models.invalid.baseUrl);
    if (fault !== undefined) return setFaults({ baseUrl: fault });
    test.run(async () => {
      setModels(null);
      if (!(await granted(baseUrl, en.options.refusedTest))) return;
      const request = { baseUrl, ...keyOf(draft), ...(provider && { providerId: provider.id }) };
      setModels(await orSecretFault(command('listModels', request), keyFault));
    });
  };

  return (
    <form class="form short" ref={form} onSubmit={submit} noValidate>
      <ProviderFields
        provider={provider}
        draft={draft}
        set={(change) => setDraft({ ...draft, ...change })}
        faults={faults}
        models={models}
      />
      <p class={models || test.busy ? 'small' : 'sr'} role="status">
        {test.busy ? en.models.testing : models && answerOf(models, draft.model.trim())}
      </p>
      {failure && <Problem error={failure} />}
      <div class="form-foot">
        <WorkButton class="primary" submit busy={save.busy}>
          {en.options.save}
        </WorkButton>
        <WorkButton busy={test.busy} press={runTest}>
          {en.models.test}
        </WorkButton>
        <a class="btn quiet" href="#models">
          {en.options.cancel}
        </a>
        <span class="help grow">{en.options.asksFirst}</span>
      </div>
    </form>
  );
}

const answerOf = (models: string[], model: string): string =>
  en.models.answered(models.length, model, models.includes(model));

function ProviderFields(props: {
  provider: Provider | null;
  draft: ProviderDraft;
  set: (change: Partial<ProviderDraft>) => void;
  faults: ProviderFaults;
  models: string[] | null;
}): JSX.Element {
  const { provider, draft, set, faults, models } = props;
  const words = en.models.fields;
  return (
    <>
      <TextField label={words.name} value={draft.name} set={(name) => set({ name })} invalid={faults.name} />
      <TextField
        label={words.baseUrl}
        value={draft.baseUrl}
        set={(baseUrl) => set({ baseUrl })}
        invalid={faults.baseUrl}
        help={words.baseUrlHelp}
        mono
      />
      <TextField
        label={words.key}
        type="password"
        value={draft.apiKey}
        set={(apiKey) => set({ apiKey })}
        invalid={faults.apiKey}
        help={provider?.hasKey ? words.keyKept : words.keyHelp}
      />
      {provider?.hasKey && draft.apiKey === '' && (
        <label class="check">
          <input
            type="checkbox"
            checked={draft.forgetKey}
            onChange={(event) => set({ forgetKey: event.currentTarget.checked })}
          />
          {words.keyForget}
        </label>
      )}
      <TextField
        label={words.model}
        value={draft.model}
        set={(model) => set({ model })}
        invalid={faults.model}
        help={models ? words.modelListed(models.length) : words.modelHelp}
        suggestions={models ?? []}
        mono
      />
    </>
  );
}
