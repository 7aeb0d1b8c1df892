import type { ProviderInput } from '../protocol.ts';
import type { Provider } from '../types/setup.ts';
import type { Database } from './database.ts';

const apiKeyOf = (id: number) => `provider:${id}:apiKey`;
const headersOf = (id: number) => `provider:${id}:headers`;

/** What a request to a provider carries besides its body. Only the code that makes the request sees it. */
export type ProviderSecrets = { apiKey?: string; headers?: Record<string, string> };

/** Adds or changes a provider with its key and headers in one transaction. @returns its id */
export async function putProvider(db: Database, input: ProviderInput): Promise<number> {
  const { apiKey, headers, id, ...fields } = input;
  const tx = db.transaction(['providers', 'secrets'], 'readwrite');
  const [providers, secrets] = [tx.objectStore('providers'), tx.objectStore('secrets')];
  const before = id === undefined ? undefined : await providers.get(id);
  const hasKey = apiKey === undefined ? (before?.hasKey ?? false) : apiKey !== '';
  const headerNames = headers ? Object.keys(headers) : (before?.headerNames ?? []);
  const row = { ...fields, hasKey, headerNames, ...(id !== undefined && { id }) };
  const key = await providers.put(row as Provider);
  if (apiKey === '') await secrets.delete(apiKeyOf(key));
  else if (apiKey !== undefined) await secrets.put(apiKey, apiKeyOf(key));
  if (headers) await secrets.put(headers, headersOf(key));
  await tx.done;
  return key;
}

/** Removes the provider with its secrets and what is known of its models. */
export async function deleteProvider(db: Database, id: number): Promise<void> {
  const tx = db.transaction(['providers', 'secrets', 'models'], 'readwrite');
  await Promise.all([
    tx.objectStore('providers').delete(id),
    tx.objectStore('secrets').delete(apiKeyOf(id)),
    tx.objectStore('secrets').delete(headersOf(id)),
    tx.objectStore('models').delete(IDBKeyRange.bound([id], [id, []])),
    tx.done,
  ]);
}

export async function providerSecrets(db: Database, id: number): Promise<ProviderSecrets> {
  const { store } = db.transaction('secrets');
  const [apiKey, headers] = await Promise.all([store.get(apiKeyOf(id)), store.get(headersOf(id))]);
  return {
    ...(typeof apiKey === 'string' && { apiKey }),
    ...(headers !== undefined && { headers: headers as Record<string, string> }),
  };
}
