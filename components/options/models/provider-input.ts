import { apiOf, presets, type Preset } from '../../../lib/provider-presets.ts';
import type { ProviderInput, ProviderProbe } from '../../../lib/protocol/setup.ts';
import type { ModelApi, PresetId } from '../../../lib/types/model.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { urlFault } from '../form/address-input.ts';
import { checkHeaders, type HeadersDraft } from '../form/headers-input.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The form as it is typed. */
export type ProviderDraft = HeadersDraft & {
  preset: PresetId;
  name: string;
  baseUrl: string;
  api: ModelApi;
  apiKey: string;
  forgetKey: boolean;
  model: string;
};

export type ProviderFaults = {
  name?: string;
  baseUrl?: string;
  apiKey?: string;
  headers?: string;
  model?: string;
};

const noPreset: Preset = { id: 'custom', name: '', baseUrl: '', key: 'optional' };

/** What Portside knows of a kind of provider. */
export function presetOf(id: PresetId): Preset {
  return presets.find((preset) => preset.id === id) ?? noPreset;
}

export function draftOf(provider: Provider | null): ProviderDraft {
  return {
    preset: provider?.preset ?? 'custom',
    name: provider?.name ?? '',
    baseUrl: provider?.baseUrl ?? '',
    api: apiOf(provider ?? { preset: 'custom' }),
    apiKey: '',
    forgetKey: false,
    headers: '',
    forgetHeaders: false,
    model: provider?.model ?? '',
  };
}

/** The draft started from another preset: what the user typed stays, what the last preset filled in goes. */
export function startFrom(draft: ProviderDraft, id: PresetId): ProviderDraft {
  const [last, next] = [presetOf(draft.preset), presetOf(id)];
  const fill = (typed: string, before: string, now: string): string =>
    typed.trim() === '' || typed === before ? now : typed;
  return {
    ...draft,
    preset: id,
    name: fill(draft.name, filledName(last), filledName(next)),
    baseUrl: fill(draft.baseUrl, last.baseUrl, next.baseUrl),
    api: draft.api === apiOf({ preset: last.id }) ? apiOf({ preset: id }) : draft.api,
  };
}

/** "Other" is no name for a provider. */
const filledName = (preset: Preset): string => (preset.id === 'custom' ? '' : preset.name);

function addressFault(baseUrl: string): string | undefined {
  const braces = /\{[^}]*\}?/.exec(baseUrl);
  return braces
    ? t(($) => $.models.invalid.braces, { part: braces[0] })
    : urlFault(
        baseUrl,
        t(($) => $.models.invalid.baseUrl),
      );
}

function keyFault(draft: ProviderDraft, saved: Provider | null): string | undefined {
  const preset = presetOf(draft.preset);
  const kept = saved?.hasKey && !draft.forgetKey;
  const inHeaders = draft.headers.trim() !== '' || (saved?.headerNames.length && !draft.forgetHeaders);
  if (preset.key === 'optional' || draft.apiKey.trim() !== '' || kept || inHeaders) return undefined;
  return t(($) => $.models.invalid.key, { name: preset.name });
}

/** The draft as an address to ask, or what is wrong with it, by field. The model may be missing. */
export function checkProbe(
  draft: ProviderDraft,
  saved: Provider | null,
): { probe: ProviderProbe } | { faults: ProviderFaults } {
  const [baseUrl, apiKey] = [draft.baseUrl.trim(), draft.apiKey.trim()];
  const headers = checkHeaders(draft);
  const [wrongUrl, wrongKey] = [addressFault(baseUrl), keyFault(draft, saved)];
  if ('fault' in headers || wrongUrl !== undefined || wrongKey !== undefined) {
    return {
      faults: {
        ...(wrongUrl !== undefined && { baseUrl: wrongUrl }),
        ...(wrongKey !== undefined && { apiKey: wrongKey }),
        ...('fault' in headers && { headers: headers.fault }),
      },
    };
  }
  return {
    probe: {
      preset: draft.preset,
      baseUrl,
      ...(draft.api !== apiOf({ preset: draft.preset }) && { api: draft.api }),
      // Absent keeps the stored key, an empty one removes it.
      ...((apiKey !== '' || draft.forgetKey) && { apiKey }),
      ...headers.sent,
      ...(saved && { providerId: saved.id }),
    },
  };
}

/** The draft as a command, or what is wrong with it, by field. */
export function checkProvider(
  draft: ProviderDraft,
  saved: Provider | null,
): { input: ProviderInput } | { faults: ProviderFaults } {
  const [typed, model, url] = [draft.name.trim(), draft.model.trim(), URL.parse(draft.baseUrl.trim())];
  const name = typed || (url?.host ?? '');
  const checked = checkProbe(draft, saved);
  const faults: ProviderFaults = {
    ...(name === '' && { name: t(($) => $.models.invalid.name) }),
    ...('faults' in checked && checked.faults),
    ...(model === '' && { model: t(($) => $.models.invalid.model) }),
  };
  if ('faults' in checked || Object.keys(faults).length > 0) return { faults };
  const { providerId: id, ...probe } = checked.probe;
  return { input: { ...(id !== undefined && { id }), name, model, ...probe } };
}
