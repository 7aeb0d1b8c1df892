import { readFile } from 'node:fs/promises';
import type { Download } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Portside } from '../support/browser.ts';
import { borrowPortside } from '../support/shared-browser.ts';

let portside: Portside;
let saved: Download[] = [];

beforeAll(async () => {
  portside = await borrowPortside();
  portside.context.on('download', (file) => saved.push(file));
});
afterAll(() => portside.close());

const CHAT = `{ id: 'c1', title: 'Kept', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', leafId: 'u1', settings: { system: '' } }`;
const SAID = `{ id: 'u1', conversationId: 'c1', parentId: null, seq: 0, sub: 0, timestamp: '2026-01-01T00:00:00.000Z', status: 'complete', role: 'user', content: 'Still here' }`;

/** What is stored becomes a database of this version with two chats in it, one of them damaged, without most of the stores of any version. */
async function store(version: number): Promise<void> {
  await portside.panel.close();
  // A page of the extension's from which nothing wakes the worker.
  await portside.options.goto(`chrome-extension://${portside.extensionId}/managed-schema.json`);
  await portside.endWorker();
  await portside.options.evaluate(`new Promise((resolve, reject) => {
    indexedDB.deleteDatabase('portside').onsuccess = () => {
      const opening = indexedDB.open('portside', ${version});
      opening.onerror = () => reject(opening.error);
      opening.onupgradeneeded = () => {
        const make = (name, options) => opening.result.createObjectStore(name, options);
        make('settings');
        const chats = make('conversations', { keyPath: 'id' });
        chats.put(${CHAT});
        chats.put({ ...${CHAT}, id: 'c2', title: null, updatedAt: '2025-01-01T00:00:00.000Z', leafId: 'u2' });
        const messages = make('messages', { keyPath: 'id' });
        messages.createIndex('by-place', ['conversationId', 'seq', 'sub']);
        messages.put(${SAID});
        messages.put({ ...${SAID}, id: 'u2', conversationId: 'c2', content: null });
      };
      opening.onsuccess = () => (opening.result.close(), resolve());
    };
  })`);
  await portside.options.goto(`chrome-extension://${portside.extensionId}/options.html`);
  await portside.reopenPanel();
}

it('of a newer version says so in the panel, and is saved as it is', async () => {
  portside.expectComplaint(/VersionError|A newer version of Portside/);
  await store(99);
  const { options, panel } = portside;
  await panel.getByText('A newer version of Portside stored your chats and settings').waitFor();
  await options.getByRole('heading', { level: 1, name: 'Your data can’t be opened' }).waitFor();
  await options.getByText('Update Portside. Nothing was changed').waitFor();
  expect(await options.getByRole('button', { name: 'Repair' }).count()).toBe(0);
  await options.getByRole('button', { name: 'Export' }).click();
  await options.getByText('Download started').waitFor();
  await expect.poll(() => saved.length).toBe(2);
  const texts = await Promise.all(saved.map(async (file) => readFile(await file.path(), 'utf8')));
  const files = texts.map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(files.find(({ chats }) => chats)).toMatchObject({
    chats: [
      { conversation: { title: 'Kept' }, messages: [{ content: 'Still here' }] },
      { conversation: { title: '…' }, messages: [{ content: '' }] },
    ],
  });
  expect(files.find(({ settings }) => settings)).toMatchObject({ providers: [], prompts: [] });
});

it('that can’t be upgraded is repaired: the chats that it holds are there again', async () => {
  portside.expectComplaint(/could not be upgraded|can’t open the data it stored/);
  saved = [];
  await store(1);
  const { options } = portside;
  await options.getByText('Portside can’t open the data it stored.').waitFor();
  await options.getByRole('button', { name: 'Repair' }).click();
  await options.getByText('2 chats added').waitFor();
  await options.getByRole('button', { name: 'Continue' }).click();
  await options.getByRole('navigation').getByRole('link', { name: 'Data' }).click();
  await options.getByText('2 chats with tool calls and attachments.').waitFor();
  expect(saved).toHaveLength(2);
  const panel = await portside.reopenPanel();
  await panel.getByRole('article', { name: 'You' }).getByText('Still here').waitFor();
});

it('can be erased with all else, and Portside is as new', async () => {
  portside.expectComplaint(/VersionError|A newer version of Portside/);
  await store(99);
  const { options } = portside;
  await options.getByRole('button', { name: 'Erase everything' }).click();
  const confirmation = options.getByRole('group', { name: 'Erase everything?' });
  await confirmation.getByRole('textbox').fill('erase');
  await confirmation.getByRole('button', { name: 'Erase', exact: true }).click();
  await options.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
  expect(await portside.command('listServers')).toEqual([]);
});

it('a damaged row leaves no page blank, and repair drops it alone, of a chat what is wrong in it', async () => {
  portside.expectComplaint(/TypeError|can’t be shown/);
  await portside.command('erase', { what: 'everything' });
  const { options } = portside;
  await options.evaluate(`new Promise((resolve, reject) => {
    indexedDB.open('portside').onsuccess = ({ target: { result: db } }) => {
      const stores = ['servers', 'providers', 'prompts', 'notes', 'projects', 'schedules', 'assistants'];
      const tx = db.transaction([...stores, 'conversations', 'messages'], 'readwrite');
      for (const store of stores) tx.objectStore(store).put({ id: 1 });
      const provider = { id: 2, name: 'Whole', preset: 'custom', baseUrl: 'http://127.0.0.1/v1', model: 'small', hasKey: false, headerNames: [] };
      tx.objectStore('providers').put(provider);
      tx.objectStore('conversations').put(${CHAT});
      tx.objectStore('messages').put(${SAID});
      tx.objectStore('conversations').put({ ...${CHAT}, id: 'c2', title: null, leafId: 'u2', updatedAt: '2026-01-02T00:00:00.000Z' });
      tx.objectStore('messages').put({ ...${SAID}, id: 'u2', conversationId: 'c2', content: null });
      tx.oncomplete = () => (db.close(), resolve());
      tx.onerror = () => reject(tx.error);
    };
  })`);
  await portside.endWorker();
  for (const page of ['General', 'Data', 'Schedules', 'Memory', 'Projects', 'Models', 'Servers']) {
    await options.getByRole('navigation').getByRole('link', { name: page }).click();
    await options.getByRole('heading', { level: 1, name: page }).waitFor();
  }
  const { text } = await portside.command('exportSettings');
  expect(JSON.parse(text)).toMatchObject({ mcpServers: {}, providers: [{ name: 'Whole' }], prompts: [] });
  await options.getByText('can’t be shown').waitFor();
  const panel = await portside.reopenPanel();
  await panel.getByRole('log').getByText('can’t be shown').waitFor();
  await panel.getByRole('textbox', { name: 'Message' }).waitFor();
  await panel.getByRole('button', { name: 'New chat' }).click();
  await panel.getByRole('button', { name: 'History' }).click();
  await panel.getByRole('region', { name: 'History' }).getByText('can’t be shown').waitFor();
  await panel.getByText('Kept', { exact: true }).click();
  await panel.getByRole('article', { name: 'You' }).getByText('Still here').waitFor();
  const reloaded = options.waitForEvent('load');
  await options.getByRole('button', { name: 'Repair' }).click();
  await reloaded;
  await options.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
  expect(await options.getByText('can’t be shown').count()).toBe(0);
  const { conversations } = await portside.command('listConversations', {});
  expect(conversations.map(({ title }) => title)).toEqual(['…', 'Kept']);
});
