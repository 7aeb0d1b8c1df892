import type { JSX } from 'preact';
import { API_NAMES, presets, type Preset } from '../../../lib/provider-presets.ts';
import type { PresetId } from '../../../lib/types/model.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { useBrowserModel } from '../../providers/use-browser-model.ts';
import { Check, fieldsOf, SelectField, TextField, type OptionGroup } from '../../ui/fields.tsx';
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

type Props = {
  provider: Provider | null;
  draft: ProviderDraft;
  set: (change: Partial<ProviderDraft>) => void;
  faults: ProviderFaults;
  /** What the address lists; null until it was asked. */
  models: string[] | null;
};

export function ProviderFields(props: Props): JSX.Element {
  const { provider, draft, set, faults, models } = props;
  const field = fieldsOf(props);
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
      <TextField label={t(($) => $.models.fields.name)} {...field('name')} />
      <TextField
        label={t(($) => $.models.fields.baseUrl)}
        {...field('baseUrl')}
        help={t(($) => $.models.fields.baseUrlHelp)}
        mono
      />
      {!isWithin(draft.preset) && (
        <SelectField
          label={t(($) => $.models.fields.api)}
          {...field('api')}
          options={API_NAMES}
          help={t(($) => $.models.fields.apiHelp)}
        />
      )}
      <KeyField {...props} />
      <HeadersField
        draft={draft}
        set={set}
        saved={provider?.headerNames ?? []}
        help={t(($) => $.models.fields.headersHelp)}
        invalid={faults.headers}
      />
      <TextField
        label={t(($) => $.models.fields.model)}
        {...field('model')}
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

function KeyField(props: Props): JSX.Element {
  const { provider, draft, set } = props;
  const { name, keyPage } = presetOf(draft.preset);
  return (
    <div class="field">
      <TextField
        label={t(($) => $.models.fields.key)}
        type="password"
        {...fieldsOf(props)('apiKey')}
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
