import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { repairDamaged } from '../../../lib/storage/damaged.ts';
import { cacheConfiguration, hasDamaged } from '../../../lib/storage/configuration/cache.ts';
import { changeNewChat, loadNewChat } from '../../../lib/storage/configuration/new-chat.ts';

let db: Database;
let reads: ReturnType<typeof vi.spyOn>;

beforeEach(async () => {
  const opened = await openDatabase(crypto.randomUUID());
  await opened.put('settings', 'light', 'theme');
  db = cacheConfiguration(opened);
  reads = vi.spyOn(IDBObjectStore.prototype, 'get');
  return () => reads.mockRestore();
});

describe('the configuration', () => {
  it('is read once, however often it is asked for', async () => {
    expect(await db.get('settings', 'theme')).toBe('light');
    expect(await db.get('settings', 'theme')).toBe('light');
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('is read again once it was written, in one step or in a transaction of its own', async () => {
    await db.get('settings', 'theme');
    await db.put('settings', 'dark', 'theme');
    expect(await db.get('settings', 'theme')).toBe('dark');
    const tx = db.transaction(['conversations', 'settings'], 'readwrite');
    await Promise.all([changeNewChat(tx.objectStore('settings'), { providerId: 7 }), tx.done]);
    expect(await loadNewChat(db)).toMatchObject({ providerId: 7 });
  });

  it('is there again soon after a setting was written, before it is read again', async () => {
    await db.get('settings', 'theme');
    await db.put('settings', 'dark', 'theme');
    await expect.poll(() => reads.mock.calls.length).toBe(2);
    expect(await db.get('settings', 'theme')).toBe('dark');
    expect(reads).toHaveBeenCalledTimes(2);
  });

  it('is what a transaction leaves, for reads while it goes on', async () => {
    await db.get('settings', 'theme');
    const tx = db.transaction('settings', 'readwrite');
    const meanwhile = db.get('settings', 'theme');
    await tx.store.put('dark', 'theme');
    await tx.done;
    expect(await meanwhile).toBe('dark');
    expect(await db.get('settings', 'theme')).toBe('dark');
  });

  it('is what it was when a transaction is given up', async () => {
    const tx = db.transaction('settings', 'readwrite');
    await tx.store.put('dark', 'theme');
    tx.abort();
    await expect(tx.done).rejects.toThrow('AbortError');
    expect(await db.get('settings', 'theme')).toBe('light');
  });
});

it('keeps nothing of what is no configuration', async () => {
  await db.get('drafts', 'one');
  await db.get('drafts', 'one');
  expect(reads).toHaveBeenCalledTimes(2);
  db.close();
});

it('leaves out rows that can’t be shown, until they are repaired', async () => {
  await db.put('servers', { id: 1 } as never);
  await db.put('notes', { id: 1, text: 'Kept' });
  await db.put('prompts', { id: 1, name: 'Half' } as never);
  expect(await db.getAll('servers')).toEqual([]);
  expect(await db.getAll('prompts')).toEqual([]);
  expect(hasDamaged(db)).toBe(true);
  expect(await repairDamaged(db, '')).toBe(2);
  expect([await db.getAll('servers'), await db.getAll('prompts')]).toEqual([[], []]);
  expect(hasDamaged(db)).toBe(false);
  expect(await db.getAll('notes')).toEqual([{ id: 1, text: 'Kept' }]);
  db.close();
});
