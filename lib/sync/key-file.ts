import { base64Of, bytesOf } from '../base64.ts';
import { ITERATIONS, unwrapKey, wrapKey, type WrappedKey } from '../storage/secrets/wrapped-key.ts';
import { type Store, SyncError } from './store.ts';

/** The one file that is not encrypted as a whole: the key of all others, encrypted with the passphrase. */
const KEY_FILE = 'key.json';
/** How often the passphrase may be hashed: whatever the file says, it comes to an end. */
const MOST_ITERATIONS = 10_000_000;
/** Bytes of the key, and of it as it is encrypted, with AES-GCM's tag. */
const KEY = 32;
const WRAPPED = KEY + 16;

/** What the files of a store are encrypted with. `id`: the key file's. */
export type SyncKey = { id: string; bytes: number[] };

/** The key of a store, which gets one where it has none. @throws SyncError `wrong_passphrase` */
export async function joinStore(store: Store, passphrase: string): Promise<SyncKey> {
  await store.list(); // makes its folder
  let wrapped = await readKeyFile(store);
  if (!wrapped) {
    const bytes = crypto.getRandomValues(new Uint8Array(KEY));
    await store.putNew(
      KEY_FILE,
      new TextEncoder().encode(await keyFileText(await wrapKey(bytes, passphrase))),
    );
    // Another machine may have been quicker.
    wrapped = await readKeyFile(store);
  }
  const bytes = wrapped && (await unwrapKey(wrapped, passphrase));
  if (!bytes) throw new SyncError({ code: 'wrong_passphrase' });
  return { id: wrapped!.id, bytes: [...bytes] };
}

/** @throws SyncError `other_key` where the store was set up anew since */
export async function requireKey(store: Store, { id }: SyncKey): Promise<void> {
  if ((await readKeyFile(store))?.id !== id) throw new SyncError({ code: 'other_key' });
}

async function keyFileText({ id, iterations, ...bytes }: WrappedKey): Promise<string> {
  const [salt, iv, wrapped] = await Promise.all(
    [bytes.salt, bytes.iv, bytes.wrapped].map((part) => base64Of(new Blob([part]))),
  );
  return JSON.stringify({ portside: 1, id, iterations, salt, iv, wrapped });
}

async function readKeyFile(store: Store): Promise<WrappedKey | undefined> {
  const file = await store.get(KEY_FILE);
  if (!file) return undefined;
  try {
    const read = JSON.parse(new TextDecoder().decode(file)) as Record<string, unknown>;
    const iterations = Number(read['iterations']);
    if (!(iterations >= ITERATIONS && iterations <= MOST_ITERATIONS)) throw new Error('iterations');
    const [salt, iv, wrapped] = [read['salt'], read['iv'], read['wrapped']].map((part) =>
      bytesOf(String(part)),
    );
    // A longer one, or one that is hashed less, could be made to fit thousands of passphrases, to see whether the user's is one.
    if (wrapped!.length !== WRAPPED) throw new Error('length');
    return { id: String(read['id']), iterations, salt: salt!, iv: iv!, wrapped: wrapped!.buffer };
  } catch {
    throw new SyncError({ code: 'other_key' });
  }
}
