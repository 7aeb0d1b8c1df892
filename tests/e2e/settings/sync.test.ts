import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startWebdav } from '../../fakes/stores.ts';
import type { Portside } from '../support/browser.ts';
import { borrowPortside } from '../support/shared-browser.ts';

const chat = {
  title: 'From the first computer',
  messages: [
    { role: 'user', content: 'What is a buoy?' },
    { role: 'assistant', content: 'It floats, and it stays.' },
  ],
};

it('a chat appears on a second computer, by way of a store that can’t read it', async () => {
  const store = await startWebdav();
  onTestFinished(() => store.close());

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

  const portside = await borrowPortside();
  onTestFinished(portside.close);
  portside.expectComplaint(/404 \(Not Found\)/); // its folder, and the key in it
  await portside.command('importChats', { chats: [chat] });
  await setUp(await open(portside), 'correct horse battery');
  await portside.options.getByText(/^Last synced: /).waitFor();

  await portside.uninstall();
  await portside.install();
  expect((await portside.command('listConversations', {})).count).toBe(0);
  const other = await open(portside);
  await setUp(other, 'incorrect horse battery');
  const fault = other
    .getByRole('alert')
    .filter({ hasText: 'The chats in this store have another passphrase.' });
  const help = await fault.getByRole('link', { name: 'More help' }).getAttribute('href');
  expect(help).toBe('options.html#troubleshooting/sync_wrong_passphrase');
  await setUp(other, 'correct horse battery');
  await other.getByText(/^Last synced: /).waitFor();
  await other.getByText('1 chat with tool calls and attachments.').waitFor();
  await portside.panel.getByRole('button', { name: 'History' }).click();
  await portside.panel.getByText('From the first computer').waitFor();

  await portside.command('savePrompt', { name: 'Sum up', text: '{{text}}' });
  await other.getByRole('switch', { name: 'Settings and saved prompts' }).click();
  await expect
    .poll(() => other.evaluate("chrome.storage.sync.get('prompt/Sum up')"))
    .toEqual({ 'prompt/Sum up': '"{{text}}"' });

  await other.getByRole('button', { name: 'Erase chats' }).click();
  await other.getByText('They are erased on your other computers, too').waitFor();
  await other.getByRole('button', { name: 'Cancel' }).click();

  portside.expectComplaint(/ERR_CONNECTION_REFUSED/);
  await store.close();
  await other.getByRole('button', { name: 'Sync now' }).click();
  await other.getByText('The store can’t be reached. Portside tries again by itself.').waitFor();
  await other.getByRole('button', { name: 'Remove' }).click();
  await other.getByRole('group').getByRole('button', { name: 'Remove' }).click();
  await other.getByRole('button', { name: 'Set up', exact: true }).waitFor();
});
