import type { JSX } from 'preact';
import { API_NAMES, presets, type Preset } from '../../../lib/provider-presets.ts';
import type { PresetId } from '../../../lib/types/model.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { useBrowserModel } from '../../providers/use-browser-model.ts';
import { Check, SelectField, TextField, type OptionGroup } from '../form/fields.tsx';
import { HeadersField } from '../form/headers-field.tsx';
import { presetOf, startFrom, type ProviderDraft, type ProviderFaults } from './provider-input.ts';
import { t } from '../../../locales/texts/settings.ts';

const group = (label: string, belongs: (preset: Preset) => boolean): OptionGroup<PresetId> => ({
  label,
  options: presets.filter(belongs).map(({ id, name }) => [id, name]),
});
const presetGroups = (hasOwnModel: boolean) => [
  group(
    t(($) => $.models.fields.presetGroups.local),
    (preset) => preset.local === true && preset.id !== 'gguf' && (preset.id !== 'browser' || hasOwnModel),
  ),
  group(
    t(($) => $.models.fields.presetGroups.hosted),
    (preset) => !preset.local && preset.id !== 'custom',
  ),
  group(
    t(($) => $.models.fields.presetGroups.custom),
    (preset) => preset.id === 'custom',
  ),
];

/** What answers in the browser itself knows chat completions alone. */
const isWithin = (preset: PresetId): boolean => preset === 'browser' || preset === 'demo';

/** The fields of a provider's form. `models`: what the address lists, null until it was asked. */
export function ProviderFields(props: {
  provider: Provider | null;
  draft: ProviderDraft;
  set: (change: Partial<ProviderDraft>) => void;
  faults: ProviderFaults;
  models: string[] | null;
}): JSX.Element {
  const { provider, draft, set, faults, models } = props;
  const hasOwnModel = useBrowserModel() !== 'unavailable' || draft.preset === 'browser';
  return (
    <>
      <SelectField
        label={t(($) => $.models.fields.preset)}
        value={draft.preset}
        options={{}}
        groups={presetGroups(hasOwnModel)}
        set={(preset) => set(startFrom(draft, preset))}
      />
      <TextField
        label={t(($) => $.models.fields.name)}
        value={draft.name}
        set={(name) => set({ name })}
        invalid={faults.name}
      />
      <TextField
        label={t(($) => $.models.fields.baseUrl)}
        value={draft.baseUrl}
        set={(baseUrl) => set({ baseUrl })}
        invalid={faults.baseUrl}
        help={t(($) => $.models.fields.baseUrlHelp)}
        mono
      />
      {!isWithin(draft.preset) && (
        <SelectField
          label={t(($) => $.models.fields.api)}
          value={draft.api}
          options={API_NAMES}
          set={(api) => set({ api })}
          help={t(($) => $.models.fields.apiHelp)}
        />
      )}
      <KeyField provider={provider} draft={draft} set={set} invalid={faults.apiKey} />
      <HeadersField
        draft={draft}
        set={set}
        saved={provider?.headerNames ?? []}
        help={t(($) => $.models.fields.headersHelp)}
        invalid={faults.headers}
      />
      <TextField
        label={t(($) => $.models.fields.model)}
        value={draft.model}
        set={(model) => set({ model })}
        invalid={faults.model}
        help={
          models?.length
            ? t(($) => $.models.fields.modelListed, { count: models.length })
            : t(($) => $.models.fields.modelHelp)
        }
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
        label={t(($) => $.models.fields.key)}
        type="password"
        value={draft.apiKey}
        set={(apiKey) => set({ apiKey })}
        invalid={props.invalid}
        help={provider?.hasKey ? t(($) => $.models.fields.keyKept) : t(($) => $.models.fields.keyHelp)}
      />
      {keyPage && (
        <a class="small" href={keyPage} target="_blank" rel="noreferrer">
          {t(($) => $.models.fields.keyPage, { name })}
        </a>
      )}
      {provider?.hasKey && draft.apiKey === '' && (
        <Check
          label={t(($) => $.models.fields.keyForget)}
          checked={draft.forgetKey}
          set={(forgetKey) => set({ forgetKey })}
        />
      )}
    </div>
  );
}
