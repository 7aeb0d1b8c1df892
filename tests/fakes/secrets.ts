import type { Database } from '../../lib/storage/schema.ts';
import { DATA_KEY, forgetSecrets, getSecret } from '../../lib/storage/secrets/secret-store.ts';

/** Every secret that is stored, decrypted, by its name. */
export async function storedSecrets(db: Database): Promise<Record<string, unknown>> {
  forgetSecrets(); // what is stored counts
  const { store } = db.transaction('secrets');
  const names = (await store.getAllKeys()).filter((name) => name !== DATA_KEY);
  const values = await Promise.all(names.map(async (name) => [name, await getSecret(store, name)] as const));
  return Object.fromEntries(values);
}

/** As it is for the next worker, once the key is gone. */
export async function loseKey(db: Database): Promise<void> {
  await db.delete('secrets', DATA_KEY);
  forgetSecrets();
}
