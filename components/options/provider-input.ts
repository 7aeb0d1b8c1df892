import { en } from '../../locales/en.ts';
import type { ProviderInput } from '../../lib/protocol.ts';
import type { Provider } from '../../lib/types.ts';
import { urlFault } from './server-input.ts';

/** The form as it is typed. */
export type ProviderDraft = {
  name: string;
  baseUrl: string;
  apiKey: string;
  forgetKey: boolean;
  model: string;
};

export type ProviderFaults = { name?: string; baseUrl?: string; apiKey?: string; model?: string };

export function draftOf(provider: Provider | null): ProviderDraft {
  return {
    name: provider?.name ?? '',
    baseUrl: provider?.baseUrl ?? '',
    apiKey: '',
    forgetKey: false,
    model: provider?.model ?? '',
  };
}

/** The key to send: absent keeps the stored one, an empty one removes it. */
export function keyOf(draft: ProviderDraft): { apiKey?: string } {
  const apiKey = draft.apiKey.trim();
  return apiKey !== '' || draft.forgetKey ? { apiKey } : {};
}

/** The draft as a command, or what is wrong with it, by field. */
export function checkProvider(
  draft: ProviderDraft,
  id: number | undefined,
): { input: ProviderInput } | { faults: ProviderFaults } {
  const faults: ProviderFaults = {};
  const [name, baseUrl, model] = [draft.name.trim(), draft.baseUrl.trim(), draft.model.trim()];
  const wrongUrl = urlFault(baseUrl, en.models.invalid.baseUrl);
  if (name === '') faults.name = en.models.invalid.name;
  if (wrongUrl !== undefined) faults.baseUrl = wrongUrl;
  if (model === '') faults.model = en.models.invalid.model;
  if (Object.keys(faults).length > 0) return { faults };
  return { input: { ...(id !== undefined && { id }), name, baseUrl, model, ...keyOf(draft) } };
}
