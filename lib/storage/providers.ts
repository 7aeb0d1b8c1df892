import type { ProviderInput } from '../protocol.ts';
import type { Provider } from '../types.ts';
import type { Database } from './database.ts';

const apiKeyOf = (id: number) => `provider:${id}:apiKey`;

/** Adds or changes a provider with its key in one transaction. @returns its id */
export async function putProvider(db: Database, input: ProviderInput): Promise<number> {
  const { apiKey, id, ...fields } = input;
  const tx = db.transaction(['providers', 'secrets'], 'readwrite');
  const providers = tx.objectStore('providers');
  const before = id === undefined ? undefined : await providers.get(id);
  const hasKey = apiKey === undefined ? (before?.hasKey ?? false) : apiKey !== '';
  const row = { ...fields, hasKey, ...(id !== undefined && { id }) };
  const key = await providers.put(row as Provider);
  if (apiKey === '') await tx.objectStore('secrets').delete(apiKeyOf(key));
  else if (apiKey !== undefined) await tx.objectStore('secrets').put(apiKey, apiKeyOf(key));
  await tx.done;
  return key;
}

export async function deleteProvider(db: Database, id: number): Promise<void> {
  const tx = db.transaction(['providers', 'secrets'], 'readwrite');
  await Promise.all([
    tx.objectStore('providers').delete(id),
    tx.objectStore('secrets').delete(apiKeyOf(id)),
    tx.done,
  ]);
}

export async function providerKey(db: Database, id: number): Promise<string | undefined> {
  const key = await db.get('secrets', apiKeyOf(id));
  return typeof key === 'string' ? key : undefined;
}
