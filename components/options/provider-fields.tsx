import type { JSX } from 'preact';
import { presets, type Preset } from '../../lib/presets.ts';
import { en } from '../../locales/en-options.ts';
import type { PresetId } from '../../lib/types/model.ts';
import type { Provider } from '../../lib/types/setup.ts';
import { Check, SelectField, TextField, type OptionGroup } from './fields.tsx';
import { HeadersField } from './headers-field.tsx';
import { presetOf, startFrom, type ProviderDraft, type ProviderFaults } from './provider-input.ts';

const words = en.models.fields;

const group = (label: string, belongs: (preset: Preset) => boolean): OptionGroup<PresetId> => ({
  label,
  options: presets.filter(belongs).map(({ id, name }) => [id, name]),
});
const presetGroups = [
  group(words.presetGroups.local, (preset) => preset.local === true),
  group(words.presetGroups.hosted, (preset) => !preset.local && preset.id !== 'custom'),
  group(words.presetGroups.custom, (preset) => preset.id === 'custom'),
];

/** The fields of a provider's form. `models`: what the address lists, null until it was asked. */
export function ProviderFields(props: {
  provider: Provider | null;
  draft: ProviderDraft;
  set: (change: Partial<ProviderDraft>) => void;
  faults: ProviderFaults;
  models: string[] | null;
}): JSX.Element {
  const { provider, draft, set, faults, models } = props;
  return (
    <>
      <SelectField
        label={words.preset}
        value={draft.preset}
        options={{}}
        groups={presetGroups}
        set={(preset) => set(startFrom(draft, preset))}
      />
      <TextField label={words.name} value={draft.name} set={(name) => set({ name })} invalid={faults.name} />
      <TextField
        label={words.baseUrl}
        value={draft.baseUrl}
        set={(baseUrl) => set({ baseUrl })}
        invalid={faults.baseUrl}
        help={words.baseUrlHelp}
        mono
      />
      <KeyField provider={provider} draft={draft} set={set} invalid={faults.apiKey} />
      <HeadersField
        draft={draft}
        set={set}
        saved={provider?.headerNames ?? []}
        help={words.headersHelp}
        invalid={faults.headers}
      />
      <TextField
        label={words.model}
        value={draft.model}
        set={(model) => set({ model })}
        invalid={faults.model}
        help={models?.length ? words.modelListed(models.length) : words.modelHelp}
        suggestions={models ?? []}
        mono
      />
    </>
  );
}

function KeyField(props: {
  provider: Provider | null;
  draft: ProviderDraft;
  set: (change: Partial<ProviderDraft>) => void;
  invalid: string | undefined;
}): JSX.Element {
  const { provider, draft, set } = props;
  const { name, keyPage } = presetOf(draft.preset);
  return (
    <div class="field">
      <TextField
        label={words.key}
        type="password"
        value={draft.apiKey}
        set={(apiKey) => set({ apiKey })}
        invalid={props.invalid}
        help={provider?.hasKey ? words.keyKept : words.keyHelp}
      />
      {keyPage && (
        <a class="small" href={keyPage} target="_blank" rel="noreferrer">
          {words.keyPage(name)}
        </a>
      )}
      {provider?.hasKey && draft.apiKey === '' && (
        <Check label={words.keyForget} checked={draft.forgetKey} set={(forgetKey) => set({ forgetKey })} />
      )}
    </div>
  );
}
