import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startMcpServer } from '../../fakes/mcp-server.ts';
import { startModelServer, stream, text } from '../../fakes/model-server.ts';
import { openPortside } from '../support/browser.ts';
import { addServer, chatIn, provider, server, until } from '../support/scene.ts';

const PASSPHRASE = 'correct horse battery';

/** Types into what asks for the passphrase, and presses Unlock. */
async function enter(page: Page, passphrase: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Portside is locked.' });
  await form.getByLabel('Passphrase').fill(passphrase);
  await form.getByRole('button', { name: 'Unlock' }).click();
}

it('secrets that a passphrase protects wait for it, and a question that needed one goes on then', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'portside-passphrase-'));
  const requireHeader = { name: 'x-key', value: 'hush' };
  const [model, mcp] = await Promise.all([startModelServer(), startMcpServer({ requireHeader })]);
  onTestFinished(async () => {
    await Promise.all([model.close(), mcp.close()]);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  model.script(stream(text('The first answer.')), stream(text('The second answer.')));

  const before = await openPortside({ profile });
  await before.command('saveProvider', { ...provider(model.url), apiKey: 'sk-hush' });
  await addServer(before, server(mcp.url, { headers: { 'x-key': 'hush' } }));
  await before.options.evaluate("location.hash = '#general'");
  await before.options.getByRole('button', { name: 'Set passphrase' }).click();
  await before.options.getByLabel('New passphrase', { exact: true }).fill(PASSPHRASE);
  await before.options.getByLabel('Repeat the new passphrase').fill('correct horse batteries');
  await before.options.getByRole('button', { name: 'Save passphrase' }).click();
  await before.options.getByText('The two passphrases differ.').waitFor();
  await before.options.getByLabel('Repeat the new passphrase').fill(PASSPHRASE);
  await before.options.getByRole('button', { name: 'Save passphrase' }).click();
  await before.options.getByRole('button', { name: 'Lock now' }).click();

  const chat = chatIn(before);
  await before.panel.getByRole('form', { name: 'Portside is locked.' }).waitFor();
  await chat.ask('What is the first answer?');
  await before.panel.getByRole('alert').getByRole('heading', { name: 'Portside is locked.' }).waitFor();
  await enter(before.panel, 'correct horse');
  await before.panel.getByText('This is not the passphrase.').waitFor();
  expect(model.requests).toEqual([]);
  await enter(before.panel, PASSPHRASE);
  await chat.articles('Assistant').getByText('The first answer.').waitFor();
  expect(model.requests[0]?.headers.authorization).toBe('Bearer sk-hush');
  await before.panel.getByRole('form', { name: 'Portside is locked.' }).waitFor({ state: 'detached' });
  await chat.idle();
  await before.close();

  const after = await openPortside({ profile });
  const status = async () => (await after.command('listServers'))[0]?.status;
  await until('the server is not connected', async () => (await status())?.error?.code === 'secrets_locked');
  await enter(after.options, PASSPHRASE);
  await until('the server is connected', async () => (await status())?.state === 'connected');
  await chatIn(after).ask('What is the second answer?');
  await chatIn(after).articles('Assistant').getByText('The second answer.').waitFor();
  await chatIn(after).idle();
  await after.close();
});
