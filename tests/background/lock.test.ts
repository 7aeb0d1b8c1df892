import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLock, LOCK_ALARM, restoreKey } from '../../entrypoints/background/data/lock.ts';
import { readSetup } from '../../entrypoints/background/subscribe/setup.ts';
import { putProvider, providerSecrets } from '../../lib/storage/configuration/providers.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { lockSecrets } from '../../lib/storage/secrets/passphrase.ts';
import { NOW } from '../fakes/rows.ts';

const fake = vi.hoisted(() => {
  let kept: Record<string, unknown> = {};
  return {
    storage: {
      session: {
        get: async () => structuredClone(kept),
        set: async (more: object) => void (kept = JSON.parse(JSON.stringify({ ...kept, ...more }))),
        remove: async () => void (kept = {}),
      },
    },
    alarms: { create: vi.fn(async () => {}), clear: vi.fn(async () => true) },
  };
});
vi.mock('wxt/browser', () => ({ browser: fake }));

const PASSPHRASE = 'correct horse battery';
const HOUR = 3_600_000;
let db: Database;
let id: number;
const [changed, opened] = [vi.fn(async () => {}), vi.fn(async () => {})];

const provider = { name: 'A', preset: 'custom', baseUrl: 'http://a/v1', model: 'm' } as const;

/** One worker's. */
const lockAt = (now: number) => createLock(db, { changed, opened, now: () => now });
const shown = async () => (await readSetup(db, () => ({ state: 'disconnected', toolCount: 0 }))).lock;
const key = async () => (await providerSecrets(db, { ...provider, id })).apiKey;

beforeEach(async () => {
  vi.clearAllMocks();
  lockSecrets();
  await fake.storage.session.remove();
  db = await openDatabase(crypto.randomUUID());
  id = await putProvider(db, { ...provider, apiKey: 'hush' });
});

describe('the passphrase of secrets', () => {
  it('is asked for again after the time that the user chose, and the next worker goes by that', async () => {
    await saveSettings(db, { lockAfter: '1h' });
    await lockAt(NOW).change({ next: PASSPHRASE });
    expect(fake.alarms.create).toHaveBeenCalledWith(LOCK_ALARM, { when: NOW + HOUR });
    lockSecrets();
    await restoreKey(NOW + HOUR - 1);
    expect([await shown(), await key()]).toEqual(['open', 'hush']);
    lockSecrets();
    await restoreKey(NOW + HOUR);
    expect(await shown()).toBe('locked');
    await expect(key()).rejects.toMatchObject({ code: 'secrets_locked', message: 'Portside is locked.' });
    lockSecrets();
    await restoreKey(NOW);
    expect(await shown()).toBe('locked');
  });

  it('holds until the browser is closed, if the user likes', async () => {
    await saveSettings(db, { lockAfter: 'session' });
    await lockAt(NOW).change({ next: PASSPHRASE });
    expect(fake.alarms.create).not.toHaveBeenCalled();
    lockSecrets();
    await restoreKey(NOW + 1000 * HOUR);
    expect(await key()).toBe('hush');
  });

  it('unlocks, and connects what waited for it; a wrong one does not', async () => {
    const lock = lockAt(NOW);
    await lock.change({ next: PASSPHRASE });
    await lock.lock();
    expect(await shown()).toBe('locked');
    await expect(lock.open({ passphrase: 'wrong' })).rejects.toMatchObject({ code: 'wrong_passphrase' });
    expect([await shown(), opened.mock.calls.length]).toEqual(['locked', 0]);
    await lock.open({ passphrase: PASSPHRASE });
    expect([await shown(), await key(), opened.mock.calls.length]).toEqual(['open', 'hush', 1]);
  });

  it('is changed and removed by those alone who know it', async () => {
    const lock = lockAt(NOW);
    await expect(lock.change({ next: 'short' })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await shown()).toBeUndefined();
    await lock.change({ next: PASSPHRASE });
    for (const current of [{}, { current: 'wrong' }])
      await expect(lock.change({ ...current, next: null })).rejects.toMatchObject({
        code: 'wrong_passphrase',
      });
    await lock.change({ current: PASSPHRASE, next: null });
    expect([await shown(), await key()]).toEqual([undefined, 'hush']);
    expect(await fake.storage.session.get()).toEqual({});
  });
});
