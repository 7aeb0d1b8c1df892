import { AppError } from '../../../lib/errors.ts';
import type { Inner } from '../../../lib/models/browser/messages.ts';
import { BROWSER_URL, DEMO_URL, GGUF_URL, withoutSlashes } from '../../../lib/origins.ts';
import { fleetKey, isProviderForbidden, refused, requireOwn } from '../../../lib/fleet/rules.ts';
import { apiOf } from '../../../lib/provider-presets.ts';
import type { ProviderInput, ProviderProbe } from '../../../lib/protocol/setup.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { ensureNewChatProvider, loadNewChat } from '../../../lib/storage/configuration/new-chat.ts';
import {
  deleteProvider,
  providerSecrets,
  type ProviderSecrets,
  putProvider,
  requireSecrets,
} from '../../../lib/storage/configuration/providers.ts';
import type { ModelApi, PresetId } from '../../../lib/types/model.ts';
import type { ChatChoice } from '../../../lib/types/conversation.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { requireApi, requirePreset } from '../chat/chat-input.ts';
import { requireHeaders, requireHttpUrl, requireOwnSecret, requireText } from '../input.ts';
import { requireOrigin } from '../browser/permissions.ts';
import { t } from '../../../locales/texts/errors.ts';

export type Providers = ReturnType<typeof createProviders>;

/** Where a provider is asked, and with what. */
export type Address = {
  preset: PresetId;
  api: ModelApi;
  baseUrl: string;
  fetch?: typeof fetch;
} & ProviderSecrets;

/**
 * The user's providers.
 * @param saved told after one was added or changed
 * @param innerModel answers for a model in the browser
 */
export function createProviders(
  db: Database,
  {
    changed,
    saved,
    innerModel,
  }: { changed: () => Promise<void>; saved: (id: number) => void; innerModel: (of: Inner) => typeof fetch },
) {
  /** What answers there, where that is not the network. */
  const inside: Record<string, () => typeof fetch> = {
    [DEMO_URL]: () => innerModel('demo'),
    [BROWSER_URL]: () => innerModel('browser'),
    [GGUF_URL]: () => innerModel('gguf'),
  };
  const fetchOf = (baseUrl: string): Pick<Address, 'fetch'> => {
    const own = inside[baseUrl]?.();
    return own ? { fetch: own } : {};
  };

  /** @throws AppError also `set_by_organisation` */
  async function save(input: ProviderInput): Promise<{ id: number }> {
    const preset = requirePreset(input.preset);
    const name = requireText(input.name, 'name');
    const model = requireText(input.model, 'model');
    const baseUrl = requireBaseUrl(input.baseUrl);
    const headers = requireHeaders(input.headers);
    const before = input.id === undefined ? undefined : await db.get('providers', input.id);
    requireOwn(before);
    requireAllowed(before);
    if (before) requireOwnSecrets(before, baseUrl, { ...input, headers });
    const secrets = {
      ...(input.apiKey !== undefined && { apiKey: input.apiKey }),
      ...(headers && { headers }),
    };
    const api = input.api === undefined ? {} : { api: requireApi(input.api) };
    const row = { name, preset, baseUrl, ...api, model, ...(input.id !== undefined && { id: input.id }) };
    const id = await putProvider(db, { ...row, ...secrets });
    await ensureNewChatProvider(db, input.id === undefined ? id : undefined);
    await changed();
    saved(id);
    return { id };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    requireOwn(await db.get('providers', id));
    await deleteProvider(db, id);
    await ensureNewChatProvider(db);
    await changed();
  }

  /** Of a saved provider. @throws AppError `set_by_organisation`, `origin_not_granted`, `secrets_lost` */
  async function addressOf(provider: Provider): Promise<Address> {
    requireAllowed(provider);
    const { preset, baseUrl, hasKey, headerNames } = provider;
    const hasSecrets = hasKey || headerNames.length > 0;
    const [secrets] = await Promise.all([
      hasSecrets ? providerSecrets(db, provider) : {},
      requireOrigin(baseUrl),
    ]);
    requireSecrets(provider, secrets);
    return { preset, api: apiOf(provider), baseUrl, ...fetchOf(baseUrl), ...secrets, ...keyOf(provider) };
  }

  /**
   * Of an address that need not be saved yet, with the stored secrets for what is not given.
   * @throws AppError `set_by_organisation`, `invalid_input`, `origin_not_granted`, `secret_for_other_address`, `secrets_lost`
   */
  async function probe({ providerId, ...asked }: ProviderProbe): Promise<Address> {
    const preset = requirePreset(asked.preset);
    const baseUrl = requireBaseUrl(asked.baseUrl);
    const headers = requireHeaders(asked.headers);
    const api = apiOf({ preset, api: asked.api === undefined ? undefined : requireApi(asked.api) });
    await requireOrigin(baseUrl);
    const provider = providerId === undefined ? undefined : await db.get('providers', providerId);
    requireAllowed(provider);
    // The organisation's key goes where it says, with nothing else.
    if (provider?.managed !== undefined) return addressOf(provider);
    if (provider) requireOwnSecrets(provider, baseUrl, { ...asked, headers });
    const stored = provider ? await providerSecrets(db, provider) : {};
    const given = {
      ...(asked.apiKey !== undefined && { apiKey: asked.apiKey }),
      ...(headers && { headers }),
    };
    const secrets = { ...stored, ...given };
    if (provider) requireSecrets(provider, secrets);
    return { preset, api, baseUrl, ...fetchOf(baseUrl), ...secrets };
  }

  /**
   * The provider of a choice; of new chats where it names none. Never another one than it names: what a chat says may
   * have been meant for that one only.
   * @throws AppError `no_provider`
   */
  async function providerFor(choice: ChatChoice): Promise<Provider> {
    const id = choice.providerId ?? (await loadNewChat(db)).providerId;
    const provider = id === null ? undefined : await db.get('providers', id);
    if (provider) return provider;
    throw new AppError(choice.providerId === null ? notSetUp() : providerRemoved());
  }

  return { save, remove, addressOf, probe, providerFor };
}

const keyOf = (provider: Provider): Pick<ProviderSecrets, 'apiKey'> => {
  const apiKey = fleetKey(provider);
  return apiKey === undefined ? {} : { apiKey };
};

/** @throws AppError `set_by_organisation` */
export function requireAllowed(provider: Provider | undefined): void {
  if (isProviderForbidden(provider)) throw refused('own');
}

const notSetUp = () => ({ code: 'no_provider', ...t(($) => $.errors.chat.notSetUp) });

const providerRemoved = () => ({ code: 'no_provider', ...t(($) => $.errors.chat.providerRemoved) });

/** @throws AppError `invalid_input` when it is no address. @returns it without a slash at its end */
export function requireBaseUrl(value: unknown): string {
  return withoutSlashes(requireHttpUrl(value, 'baseUrl'));
}

/** @throws AppError `secret_for_other_address` when stored secrets would be sent to another origin */
function requireOwnSecrets(
  before: Provider,
  baseUrl: string,
  given: { apiKey?: string | undefined; headers?: object | undefined },
): void {
  if (before.hasKey && given.apiKey === undefined) requireOwnSecret(before.baseUrl, baseUrl, 'key');
  if (before.headerNames.length > 0 && !given.headers) requireOwnSecret(before.baseUrl, baseUrl, 'headers');
}
