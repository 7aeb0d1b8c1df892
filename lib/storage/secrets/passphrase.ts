import { AppError } from '../../errors.ts';
import type { SecretLock } from '../../types/credentials.ts';
import { t } from '../../../locales/texts/errors.ts';
import { NONCE } from '../chats/nonce.ts';
import type { Database } from '../schema.ts';
import { DATA_KEY, forgetSecrets, getSecret, isWrapped, putSecret, unlocked } from './secret-store.ts';
import { keyOf, unwrapKey, wrapKey } from './wrapped-key.ts';

/** A key that was unlocked, as it outlives a worker: only where it never comes to a disk. */
export type OpenKey = { id: string; bytes: number[] };

/** Undefined where there is no passphrase. */
export async function secretLock(db: Database): Promise<SecretLock | undefined> {
  const row = await db.get('secrets', DATA_KEY);
  if (!isWrapped(row)) return undefined;
  return unlocked.has(row.id) ? 'open' : 'locked';
}

/** Has secrets read and written until this worker ends, or they are locked. */
export async function useKey({ id, bytes }: OpenKey): Promise<void> {
  unlocked.set(id, await keyOf(Uint8Array.from(bytes)));
}

/** @throws AppError `wrong_passphrase` @returns what to unlock with in the next worker; undefined without a passphrase */
export async function unlock(db: Database, passphrase: string): Promise<OpenKey | undefined> {
  const row = await db.get('secrets', DATA_KEY);
  if (!isWrapped(row)) return undefined;
  const bytes = await unwrapKey(row, passphrase);
  if (!bytes) throw new AppError({ code: 'wrong_passphrase', ...t(($) => $.errors.setup.wrongPassphrase) });
  const key = { id: row.id, bytes: [...bytes] };
  await useKey(key);
  return key;
}

/**
 * Encrypts every secret anew, with another key that this passphrase protects, or with none that no script can read. What the
 * key was before opens nothing any more. @throws AppError `secrets_locked`; nothing is changed then
 * @returns as `unlock`
 */
export async function setPassphrase(db: Database, passphrase: string | null): Promise<OpenKey | undefined> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const wrapped = passphrase === null ? undefined : await wrapKey(bytes, passphrase);
  const key = await keyOf(bytes);
  const { store, done } = db.transaction('secrets', 'readwrite');
  const names = (await store.getAllKeys()).filter((name) => name !== NONCE && name !== DATA_KEY);
  const values: [string, unknown][] = [];
  for (const name of names) values.push([name, await getSecret(store, name)]);
  if (wrapped) unlocked.set(wrapped.id, key);
  await store.put(wrapped ?? key, DATA_KEY);
  // What can't be read stays as it is: it is missing with any key.
  for (const [name, value] of values) if (value !== undefined) await putSecret(store, value, name);
  await done;
  return wrapped && { id: wrapped.id, bytes: [...bytes] };
}

/** Forgets what was unlocked, and what was decrypted. */
export function lockSecrets(): void {
  unlocked.clear();
  forgetSecrets();
}
