import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { createShownChats } from '../../entrypoints/background/chat/shown-chats.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { cacheConfiguration } from '../../lib/storage/configuration/cache.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { beginRun } from '../../lib/storage/chats/run-start.ts';
import { createRunStore } from '../../lib/storage/chats/run-store.ts';
import { forgetPlaces } from '../../lib/storage/chats/shown-chats.ts';
import { conversation } from '../state/fake-worker.ts';

let count = 0;
async function open(panelScope: 'all' | 'window' | 'tab') {
  const db = await openDatabase(`shown${(count += 1)}`);
  await saveSettings(db, { panelScope });
  for (const id of ['c1', 'c2']) await db.put('conversations', { ...conversation, id });
  return { db, shown: createShownChats(db, () => false) };
}
const here = { windowId: 1, tabId: 11 };
const beside = { windowId: 1, tabId: 12 };
const elsewhere = { windowId: 2, tabId: 21 };

describe('the chat of a place', () => {
  it('is that of its window', async () => {
    const { shown } = await open('window');
    await shown.put(here, 'c1');
    await shown.put(elsewhere, 'c2');
    expect(await shown.at(beside)).toBe('c1');
    expect(await shown.at(elsewhere)).toBe('c2');
    expect(await shown.at({ windowId: 3 })).toBeNull();
  });

  it('is the last one that was shown there, however soon after another', async () => {
    const { db, shown } = await open('window');
    await shown.put(here, 'c1');
    void shown.put(here, 'c2');
    void shown.put(here, 'c1');
    expect(await shown.at(here)).toBe('c1');
    const began = vi.spyOn(db, 'transaction');
    await shown.put(here, 'c1');
    expect(began).not.toHaveBeenCalledWith('settings', 'readwrite');
  });

  it('is written without a setting being read again, for which a run would wait', async () => {
    const opened = await openDatabase('shown-cached');
    const db = cacheConfiguration(opened);
    const shown = createShownChats(db, () => false);
    await shown.put(here, 'c1');
    await db.get('settings', 'theme');
    const reads = vi.spyOn(IDBObjectStore.prototype, 'get');
    await shown.put(here, 'c2');
    await db.get('settings', 'theme');
    const keys = reads.mock.calls.map(([key]) => key);
    reads.mockRestore();
    expect(keys).toEqual(['shownChats', 'shownChats']);
    expect(await createShownChats(opened, () => true).at(here)).toBe('c2');
  });

  it('is written together with the run that begins there, without a setting being read again', async () => {
    const { db: opened, shown } = await open('window');
    const db = cacheConfiguration(opened);
    await db.get('settings', 'theme');
    const reads = vi.spyOn(IDBObjectStore.prototype, 'get');
    const began = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const entry = { conversation: { ...conversation, id: 'c3' } };
    const at = await createRunStore(db).placeKey(here);
    await beginRun(db, 'r1', 'c3', () => entry, at);
    await db.get('settings', 'theme');
    const writes = began.mock.calls.filter(([, mode]) => mode === 'readwrite');
    const settings = reads.mock.contexts.flatMap((store, call) =>
      (store as IDBObjectStore).name === 'settings' ? reads.mock.calls[call] : [],
    );
    vi.restoreAllMocks();
    expect(writes).toHaveLength(1);
    expect(settings).toEqual(['panelScope', 'shownChats']);
    expect(await shown.at(here)).toBe('c3');
  });

  it('is the same everywhere, if the user wants it so', async () => {
    const { shown } = await open('all');
    await shown.put(here, 'c1');
    await shown.put(elsewhere, 'c2');
    expect(await shown.at(here)).toBe('c2');
    expect(await shown.isFollowed()).toBe(true);
  });

  it('is each tab’s own, and a new one beside a tab that has none', async () => {
    const { shown } = await open('tab');
    await shown.put(here, 'c1');
    expect(await shown.at(here)).toBe('c1');
    expect(await shown.at(beside)).toBe('new');
  });

  it('is no longer known when it was deleted, or when the browser began anew', async () => {
    const { db, shown } = await open('window');
    await shown.put(here, 'c1');
    await db.put('conversations', { ...conversation, id: 'c1', deletedAt: '2026-11-21T10:00:00.000Z' });
    expect(await shown.at(here)).toBeNull();
    await shown.put(here, 'c2');
    await forgetPlaces(db);
    expect(await shown.at(here)).toBeNull();
  });
});
