import type { StoreNames, IDBPObjectStore } from 'idb';
import { AppError } from '../../errors.ts';
import { t } from '../../../locales/texts/errors.ts';
import type { Database, Schema } from '../schema.ts';
import type { WrappedKey } from './wrapped-key.ts';

type Store<Mode extends IDBTransactionMode> = IDBPObjectStore<Schema, StoreNames<Schema>[], 'secrets', Mode>;
/** The store `secrets` in a transaction. */
export type ReadSecrets = Pick<Store<'readonly'>, 'get' | 'getKey'>;
export type WriteSecrets = Pick<Store<'readwrite'>, 'get' | 'getKey' | 'put' | 'delete'>;

/**
 * What secrets are encrypted with, kept under this name in their own store: a key whose bytes no script can read, or with a
 * passphrase a `WrappedKey`.
 */
export const DATA_KEY = 'key';

/**
 * What this worker decrypted or encrypted, as JSON, by the names and IVs of the rows: reading it again takes no longer than
 * what is not there, so that servers connect in the order in which they should.
 */
let known = new Map<string, { iv: string; json: string }>();

/** Forgets what was decrypted or encrypted, and keeps nothing of what is under way. */
export function forgetSecrets(): void {
  known = new Map();
}

/** Decrypts all secrets, for those who need many of them at once. */
export async function openSecrets(db: Database): Promise<void> {
  const { store } = db.transaction('secrets');
  const names = await store.getAllKeys();
  await unlessLocked(Promise.all(names.map((name) => getSecret(store, name))));
}

/** Keys that the passphrase was given for, by their ids, in this worker's memory alone. */
export const unlocked = new Map<string, CryptoKey>();

type Sealed = { iv: Uint8Array<ArrayBuffer>; sealed: ArrayBuffer };

/**
 * One secret as it was put. Undefined where there is none, and where it can't be decrypted: the key is another one or
 * gone, or the row is another secret's. @throws AppError `secrets_locked`
 */
export async function getSecret(store: ReadSecrets, name: string): Promise<unknown> {
  const kept = known;
  const row = (await store.get(name)) as Partial<Sealed> | undefined;
  if (!row?.iv || !row.sealed) return undefined;
  const before = kept.get(name);
  if (before?.iv === String(row.iv)) return JSON.parse(before.json);
  const key = await dataKey(store);
  if (!key) return undefined;
  const decrypting = crypto.subtle.decrypt(cipher(name, row.iv), key, row.sealed);
  const bytes = await during(
    store,
    decrypting.catch(() => undefined),
  );
  if (!bytes) return undefined;
  const json = new TextDecoder().decode(bytes);
  kept.set(name, { iv: String(row.iv), json });
  return JSON.parse(json);
}

/**
 * Encrypts a secret with AES-GCM, bound to its name, and puts it. The first one makes the key, so those of one transaction
 * are put one after another.
 */
export async function putSecret(store: WriteSecrets, value: unknown, name: string): Promise<void> {
  const kept = known;
  const key = (await dataKey(store)) ?? (await newKey(store));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const json = JSON.stringify(value);
  const bytes = new TextEncoder().encode(json);
  const sealed = await during(store, crypto.subtle.encrypt(cipher(name, iv), key, bytes));
  await store.put({ iv, sealed } satisfies Sealed, name);
  kept.set(name, { iv: String(iv), json });
}

/** What is stored for it can't be decrypted. @param name the provider's or the server's */
export function secretsLost(name: string): AppError {
  return new AppError({ code: 'secrets_lost', ...t(($) => $.errors.setup.secretsLost, { name }) });
}

async function dataKey(store: ReadSecrets): Promise<CryptoKey | undefined> {
  const row = await store.get(DATA_KEY);
  if (!isWrapped(row)) return row instanceof CryptoKey ? row : undefined;
  const key = unlocked.get(row.id);
  if (!key) throw new AppError({ code: LOCKED, ...t(($) => $.errors.setup.locked) });
  return key;
}

export const isWrapped = (row: unknown): row is WrappedKey =>
  typeof row === 'object' && row !== null && 'wrapped' in row;

const LOCKED = 'secrets_locked';

/** @returns nothing instead, if it failed because secrets are locked */
export function unlessLocked<T>(job: Promise<T>): Promise<T | undefined> {
  return job.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== LOCKED) throw error;
    return undefined;
  });
}

async function newKey(store: WriteSecrets): Promise<CryptoKey> {
  const key = await during(
    store,
    crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
  );
  await store.put(key, DATA_KEY);
  return key;
}

const cipher = (name: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
});

/**
 * Waits for a job that takes a millisecond inside a transaction. One of which nothing is asked is over, so meanwhile it is
 * asked for a key (as Dexie.waitFor does): rows are read, changed and encrypted in one transaction.
 */
async function during<T>(store: Pick<ReadSecrets, 'getKey'>, job: Promise<T>): Promise<T> {
  const seen = { isSettled: false };
  const settle = () => void (seen.isSettled = true);
  job.then(settle, settle);
  do await store.getKey(DATA_KEY);
  while (!seen.isSettled);
  return job;
}
