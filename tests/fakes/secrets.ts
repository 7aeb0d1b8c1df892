import type { Database } from '../../lib/storage/schema.ts';
import { DATA_KEY, getSecret } from '../../lib/storage/secrets/secret-store.ts';

/** Every secret that is stored, decrypted, by its name. */
export async function storedSecrets(db: Database): Promise<Record<string, unknown>> {
  const { store } = db.transaction('secrets');
  const names = (await store.getAllKeys()).filter((name) => name !== DATA_KEY);
  const values = await Promise.all(names.map(async (name) => [name, await getSecret(store, name)] as const));
  return Object.fromEntries(values);
}
