import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nonceOf } from '../../lib/storage/chats/nonce.ts';
import { loadSession, saveSession } from '../../lib/storage/configuration/server-secrets.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import {
  lockSecrets,
  secretLock,
  setPassphrase,
  unlock,
  useKey,
} from '../../lib/storage/secrets/passphrase.ts';
import { DATA_KEY, getSecret, putSecret } from '../../lib/storage/secrets/secret-store.ts';
import type { WrappedKey } from '../../lib/storage/secrets/wrapped-key.ts';
import { storedSecrets } from '../fakes/secrets.ts';

const PASSPHRASE = 'correct horse battery';
let db: Database;

beforeEach(async () => {
  lockSecrets();
  db = await openDatabase(crypto.randomUUID());
});

const put = (name: string, value: unknown) =>
  putSecret(db.transaction('secrets', 'readwrite').store, value, name);
const get = (name: string) => getSecret(db.transaction('secrets').store, name);
const locked = { code: 'secrets_locked' };

describe('a passphrase', () => {
  it('protects the secrets that are there and those that come, and is stored nowhere', async () => {
    await put('a', 'hush');
    expect(await secretLock(db)).toBeUndefined();
    await setPassphrase(db, PASSPHRASE);
    expect(await secretLock(db)).toBe('open');
    await put('b', 'hush too');
    expect(await storedSecrets(db)).toEqual({ a: 'hush', b: 'hush too' });
    lockSecrets();
    expect(await secretLock(db)).toBe('locked');
    await expect(get('a')).rejects.toMatchObject(locked);
    await expect(put('c', 'hush')).rejects.toMatchObject(locked);
    await expect(unlock(db, 'correct horse')).rejects.toMatchObject({ code: 'wrong_passphrase' });
    await expect(get('a')).rejects.toMatchObject(locked);
    await unlock(db, PASSPHRASE);
    expect(await storedSecrets(db)).toEqual({ a: 'hush', b: 'hush too' });
  });

  it('locks what is being encrypted, too', async () => {
    await setPassphrase(db, PASSPHRASE);
    const encrypt = vi.spyOn(crypto.subtle, 'encrypt');
    const putting = put('a', 'hush');
    await vi.waitFor(() => expect(encrypt).toHaveBeenCalled(), { interval: 0 });
    lockSecrets();
    await putting;
    encrypt.mockRestore();
    await expect(get('a')).rejects.toMatchObject(locked);
    await unlock(db, PASSPHRASE);
    expect(await get('a')).toBe('hush');
  });

  it('is stretched slowly, with a salt of its own, and the key that it wraps stands nowhere else', async () => {
    await put('a', 'hush');
    const before = await db.get('secrets', 'a');
    const open = await setPassphrase(db, PASSPHRASE);
    const row = (await db.get('secrets', DATA_KEY)) as WrappedKey;
    expect(row).toMatchObject({ iterations: 600_000 });
    expect(row.salt).toHaveLength(16);
    expect(Object.values(row).some((part) => part instanceof CryptoKey)).toBe(false);
    expect([...new Uint8Array(row.wrapped)].join()).not.toContain(open?.bytes.join());
    expect(await db.get('secrets', 'a')).not.toEqual(before);
  });

  it('is known to the next worker by the key that it opened', async () => {
    await put('a', 'hush');
    const open = await setPassphrase(db, PASSPHRASE);
    lockSecrets();
    if (open) await useKey(open);
    expect(await get('a')).toBe('hush');
  });

  it('can be changed and removed, and then the old one opens nothing', async () => {
    await put('a', 'hush');
    const old = await setPassphrase(db, PASSPHRASE);
    await setPassphrase(db, 'another one');
    lockSecrets();
    if (old) await useKey(old);
    await expect(get('a')).rejects.toMatchObject(locked);
    await expect(unlock(db, PASSPHRASE)).rejects.toMatchObject({ code: 'wrong_passphrase' });
    await unlock(db, 'another one');
    expect(await setPassphrase(db, null)).toBeUndefined();
    lockSecrets();
    expect([await secretLock(db), await get('a')]).toEqual([undefined, 'hush']);
    expect(await db.get('secrets', DATA_KEY)).toBeInstanceOf(CryptoKey);
  });

  it('is not changed while secrets are locked, and nothing is lost', async () => {
    await put('a', 'hush');
    await setPassphrase(db, PASSPHRASE);
    lockSecrets();
    await expect(setPassphrase(db, null)).rejects.toMatchObject(locked);
    await unlock(db, PASSPHRASE);
    expect(await get('a')).toBe('hush');
  });

  it('is the same however its letters are composed', async () => {
    await setPassphrase(db, 'Cr\u00e8me br\u00fbl\u00e9e');
    lockSecrets();
    expect(await unlock(db, 'Cre\u0300me bru\u0302le\u0301e')).toBeDefined();
  });

  it('keeps nothing back that needs no secret: the nonce of a chat, a server without one', async () => {
    const nonce = await nonceOf(db, 'c1');
    const fields = { name: 'A', enabled: true, toolTimeout: 1000, trusted: false, oneAtATime: false };
    const id = await putServer(db, { ...fields, transport: 'sse', url: 'http://127.0.0.1/sse' });
    await saveSession(db, id, { session: 'a' });
    await setPassphrase(db, PASSPHRASE);
    lockSecrets();
    expect(await nonceOf(db, 'c1')).toBe(nonce);
    expect(await loadSession(db, id)).toBeUndefined();
    await saveSession(db, id, { session: 'b' });
    await putServer(db, { ...fields, id, name: 'B', transport: 'sse', url: 'http://127.0.0.1/sse' });
    await unlock(db, PASSPHRASE);
    expect(await loadSession(db, id)).toEqual({ session: 'a' });
  });
});
