import { AppError } from '../../errors.ts';
import type { SecretLock } from '../../types/setup.ts';
import { t } from '../../../locales/texts/errors.ts';
import { NONCE } from '../chats/nonce.ts';
import type { Database } from '../schema.ts';
import {
  DATA_KEY,
  forgetSecrets,
  getSecret,
  isWrapped,
  putSecret,
  unlocked,
  type WrappedKey,
} from './secret-store.ts';

/** Of PBKDF2-HMAC-SHA-256, the OWASP's figure (Password Storage Cheat Sheet). */
const ITERATIONS = 600_000;

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
  const { id, salt, iterations, iv, wrapped } = row;
  const wrapping = await derived(passphrase, salt, iterations);
  const bytes = await crypto.subtle
    .decrypt({ name: 'AES-GCM', iv }, wrapping, wrapped)
    .catch(() => undefined);
  if (!bytes) throw new AppError({ code: 'wrong_passphrase', ...t(($) => $.errors.setup.wrongPassphrase) });
  const key = { id, bytes: [...new Uint8Array(bytes)] };
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
  const wrapped = passphrase === null ? undefined : await wrap(bytes, passphrase);
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

async function wrap(bytes: Uint8Array<ArrayBuffer>, passphrase: string): Promise<WrappedKey> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const wrapping = await derived(passphrase, salt, ITERATIONS);
  const wrapped = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, wrapping, bytes);
  return { id: crypto.randomUUID(), salt, iterations: ITERATIONS, iv, wrapped };
}

/** However its letters were composed, on whichever keyboard. */
async function derived(
  passphrase: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(passphrase.normalize('NFKC'));
  const base = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey']);
  const from = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return crypto.subtle.deriveKey(from, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

const keyOf = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);

/** Forgets what was unlocked, and what was decrypted. */
export function lockSecrets(): void {
  unlocked.clear();
  forgetSecrets();
}
