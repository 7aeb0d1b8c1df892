import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startWebdav } from '../../fakes/stores.ts';
import { openPortside, type Portside } from '../support/browser.ts';

const chat = {
  title: 'From the first computer',
  messages: [
    { role: 'user', content: 'What is a buoy?' },
    { role: 'assistant', content: 'It floats, and it stays.' },
  ],
};

it('a chat appears on a second computer, by way of a store that can’t read it', async () => {
  const store = await startWebdav();
  onTestFinished(store.close);

  async function setUp(page: Page, passphrase: string): Promise<void> {
    await page.getByLabel('Address').fill(store.place.url);
    await page.getByLabel('User name').fill(store.place.user);
    await page.getByLabel('Password', { exact: true }).fill(store.password);
    await page.getByLabel('Passphrase for the chats').fill(passphrase);
    await page.getByLabel('Repeat the passphrase').fill(passphrase);
    await page.getByRole('button', { name: 'Start syncing' }).click();
  }
  const open = async (portside: Portside): Promise<Page> => {
    await portside.options.evaluate("location.hash = '#data'");
    await portside.options.getByRole('button', { name: 'Set up', exact: true }).click();
    return portside.options;
  };

  const first = await openPortside();
  onTestFinished(first.close);
  await first.command('importChats', { chats: [chat] });
  const page = await open(first);
  await setUp(page, 'correct horse battery');
  await page.getByText(/^Last synced: /).waitFor();
  const { count } = await first.command('listConversations', {});
  expect(count).toBe(1);

  const second = await openPortside();
  onTestFinished(second.close);
  const other = await open(second);
  await setUp(other, 'incorrect horse battery');
  await other.getByText('The chats in this store have another passphrase.').waitFor();
  await setUp(other, 'correct horse battery');
  await other.getByText(/^Last synced: /).waitFor();
  await second.panel.getByRole('button', { name: 'History' }).click();
  await second.panel.getByText('From the first computer').waitFor();

  await store.close();
  await other.getByRole('button', { name: 'Sync now' }).click();
  await other.getByText('The store can’t be reached. Portside tries again by itself.').waitFor();
  await other.getByRole('button', { name: 'Remove' }).click();
  await other.getByRole('group').getByRole('button', { name: 'Remove' }).click();
  await other.getByRole('button', { name: 'Set up', exact: true }).waitFor();
});
