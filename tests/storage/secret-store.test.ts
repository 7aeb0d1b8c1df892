import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { DATA_KEY, forgetSecrets, getSecret, putSecret } from '../../lib/storage/secrets/secret-store.ts';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
});

const put = (name: string, value: unknown) =>
  putSecret(db.transaction('secrets', 'readwrite').store, value, name);
/** As another worker reads it. */
const get = (name: string) => {
  forgetSecrets();
  return getSecret(db.transaction('secrets').store, name);
};

describe('a secret', () => {
  it('comes back as it was put, and its row says nothing of it', async () => {
    const headers = { 'X-Key': 'hush-hush-hush', 'X-Other': 'ünïcödé' };
    await put('server:1:headers', headers);
    expect(await get('server:1:headers')).toEqual(headers);
    const { iv, sealed } = (await db.get('secrets', 'server:1:headers')) as Record<string, ArrayBuffer>;
    expect(new TextDecoder('latin1').decode(sealed)).not.toMatch(/hush|X-Key/);
    expect(iv?.byteLength).toBe(12);
    expect(await get('server:2:headers')).toBeUndefined();
  });

  it('that is being decrypted when it is to be forgotten is forgotten too', async () => {
    await put('a', 'hush');
    const late = get('a');
    forgetSecrets();
    expect(await late).toBe('hush');
    const decrypt = vi.spyOn(crypto.subtle, 'decrypt');
    await getSecret(db.transaction('secrets').store, 'a');
    expect(decrypt).toHaveBeenCalledOnce();
    decrypt.mockRestore();
  });

  it('is encrypted with a key that no script can read, and another time with another nonce', async () => {
    await put('a', 'hush');
    const first = await db.get('secrets', 'a');
    await put('a', 'hush');
    expect(await db.get('secrets', 'a')).not.toEqual(first);
    const key = (await db.get('secrets', DATA_KEY)) as CryptoKey;
    expect(key).toMatchObject({ extractable: false, type: 'secret' });
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toMatchObject({
      name: 'InvalidAccessError',
    });
  });

  it('reads as missing in the place of another one', async () => {
    await put('provider:1:apiKey', 'hush');
    await put('provider:2:apiKey', 'other');
    await db.put('secrets', await db.get('secrets', 'provider:1:apiKey'), 'provider:2:apiKey');
    expect(await get('provider:2:apiKey')).toBeUndefined();
    expect(await get('provider:1:apiKey')).toBe('hush');
  });

  it('is read, changed and written in one transaction with other rows', async () => {
    const count = async () => {
      const tx = db.transaction(['secrets', 'settings'], 'readwrite');
      const secrets = tx.objectStore('secrets');
      const before = Number((await getSecret(secrets, 'count')) ?? 0);
      await putSecret(secrets, before + 1, 'count');
      await tx.objectStore('settings').put(before + 1, 'count');
      await tx.done;
    };
    await Promise.all(Array.from({ length: 10 }, count));
    expect([await get('count'), await db.get('settings', 'count')]).toEqual([10, 10]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is gone', () => db.delete('secrets', DATA_KEY)],
    ['is none', () => db.put('secrets', { bytes: 'no key' }, DATA_KEY)],
    [
      'is another one',
      async () => {
        const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
          'encrypt',
          'decrypt',
        ]);
        await db.put('secrets', key, DATA_KEY);
      },
    ],
  ])('reads as missing when the key %s, and can be put again', async (_what, lose) => {
    await put('a', 'hush');
    await put('b', 'hush');
    await lose();
    expect(await get('a')).toBeUndefined();
    await put('a', 'typed again');
    expect([await get('a'), await get('b')]).toEqual(['typed again', undefined]);
  });

  it('whose row is broken reads as missing', async () => {
    await put('a', 'hush');
    await db.put(
      'secrets',
      { ...((await db.get('secrets', 'a')) as object), sealed: new ArrayBuffer(40) },
      'a',
    );
    expect(await get('a')).toBeUndefined();
  });
});
