import type { ProviderInput } from '../../protocol/setup.ts';
import type { Provider } from '../../types/provider.ts';
import { type Database, startingWith } from '../schema.ts';
import { getSecret, putSecret, secretsLost } from '../secrets/secret-store.ts';

const apiKeyOf = (id: number) => `provider:${id}:apiKey`;
const headersOf = (id: number) => `provider:${id}:headers`;

/** What a request to a provider carries besides its body. Only the code that makes the request sees it. */
export type ProviderSecrets = { apiKey?: string; headers?: Record<string, string> };

/**
 * Adds or changes a provider with its key and headers in one transaction. Of the models of one that moved, only what the
 * user said of them stays: another server's models of the same names are others. What refusals taught of another API's
 * requests is forgotten.
 * @returns its id
 */
export async function putProvider(db: Database, input: ProviderInput): Promise<number> {
  const { apiKey, headers, id, ...fields } = input;
  const tx = db.transaction(['providers', 'secrets', 'models'], 'readwrite');
  const [providers, secrets] = [tx.objectStore('providers'), tx.objectStore('secrets')];
  const before = id === undefined ? undefined : await providers.get(id);
  const hasKey = apiKey === undefined ? (before?.hasKey ?? false) : apiKey !== '';
  const headerNames = headers ? Object.keys(headers) : (before?.headerNames ?? []);
  const row = { ...fields, hasKey, headerNames, ...(id !== undefined && { id }) };
  const key = await providers.put(row as Provider);
  if (apiKey === '') await secrets.delete(apiKeyOf(key));
  else if (apiKey !== undefined) await putSecret(secrets, apiKey, apiKeyOf(key));
  if (headers) await putSecret(secrets, headers, headersOf(key));
  const moved = before && hasMoved(before, input);
  if (moved || (before && before.api !== input.api)) {
    const models = tx.objectStore('models');
    for (const model of await models.getAll(startingWith(key)))
      await models.put({ ...model, ...(moved && { found: {} }), learned: {} });
  }
  await tx.done;
  return key;
}

function hasMoved(before: Provider, { preset, baseUrl }: ProviderInput): boolean {
  return before.preset !== preset || new URL(before.baseUrl).origin !== new URL(baseUrl).origin;
}

/** Removes the provider with its secrets and what is known of its models. */
export async function deleteProvider(db: Database, id: number): Promise<void> {
  const tx = db.transaction(['providers', 'secrets', 'models'], 'readwrite');
  await Promise.all([
    tx.objectStore('providers').delete(id),
    tx.objectStore('secrets').delete(apiKeyOf(id)),
    tx.objectStore('secrets').delete(headersOf(id)),
    tx.objectStore('models').delete(startingWith(id)),
    tx.done,
  ]);
}

/** Nothing once the provider is elsewhere: a key never goes to an address that it was not given for. */
export async function providerSecrets(
  db: Database,
  { id, baseUrl }: Pick<Provider, 'id' | 'baseUrl'>,
): Promise<ProviderSecrets> {
  const tx = db.transaction(['providers', 'secrets']);
  const store = tx.objectStore('secrets');
  if ((await tx.objectStore('providers').get(id))?.baseUrl !== baseUrl) return {};
  const [apiKey, headers] = await Promise.all(
    [apiKeyOf(id), headersOf(id)].map((name) => getSecret(store, name)),
  );
  return {
    ...(typeof apiKey === 'string' && { apiKey }),
    ...(headers !== undefined && { headers: headers as Record<string, string> }),
  };
}

/** @throws AppError `secrets_lost` when something that the user gave can't be decrypted any more */
export function requireSecrets({ name, hasKey, headerNames }: Provider, found: ProviderSecrets): void {
  if ((hasKey && found.apiKey === undefined) || (headerNames.length > 0 && !found.headers))
    throw secretsLost(name);
}
