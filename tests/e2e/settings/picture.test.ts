import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startDemoModel } from '../../../demo/model.ts';
import { startDemoServer } from '../../../demo/server.ts';
import { HINTS } from '../../../lib/types/settings.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { addServer, chatIn, decide, provider, server, unfold } from '../support/scene.ts';

/** `npm run pictures` renews the README's pictures; a plain test run takes them too, but leaves the checkout alone. */
const folder = join(import.meta.dirname, '../../..', process.env['PORTSIDE_PICTURES'] ? 'docs' : '.cache');

/** The mouse stands nowhere, so that nothing looks as if it were pointed at. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const picture = await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  expect(picture.byteLength).toBeGreaterThan(10_000);
}

/** Copies of the chat that is there, by other names; the last one is pinned. */
async function addChats(portside: Portside, titles: string[]): Promise<void> {
  const { command } = portside;
  const { messages } = await chatIn(portside).stored();
  for (const [index, title] of titles.entries()) {
    const id = crypto.randomUUID();
    await command('forkConversation', { messageId: messages.at(-1)?.id ?? '', conversationId: id });
    await command('setConversation', { id, title, ...(index === titles.length - 1 && { pinned: true }) });
  }
}

it('takes the README’s pictures: a call that is asked about, the answer, earlier chats, the servers', async () => {
  const [model, mcp, portside] = await Promise.all([startDemoModel(), startDemoServer(), openPortside()]);
  try {
    const { panel, options } = portside;
    const { ask, idle } = chatIn(portside);
    await mkdir(folder, { recursive: true });
    const demo = { ...provider(model.baseUrl), name: 'Demo model', model: 'portside-demo' };
    await portside.command('saveProvider', demo);
    await portside.command('saveSettings', { seenHints: [...HINTS] });
    await addServer(portside, server(mcp.url, { name: 'Everything' }));
    await panel.setViewportSize({ width: 400, height: 700 });
    await panel.emulateMedia({ colorScheme: 'light' });
    await ask('Echo “Hello from the side panel”');
    const approval = (tool: string) => panel.getByRole('alertdialog', { name: `Approve ${tool}` });
    await decide(approval('echo'), 'Allow once');
    await idle();
    await panel.getByRole('button', { name: 'New chat' }).click();
    await ask('Add 2 and 40 with the sum tool');
    await approval('get-sum').getByRole('button', { name: 'Allow once' }).waitFor();
    await take(panel, 'approval');
    await decide(approval('get-sum'), 'Allow once');
    await panel.getByRole('article', { name: 'Assistant' }).getByText('The sum of 2 and 40 is 42.').waitFor();
    await unfold(panel);
    const card = panel.getByRole('group', { name: 'Tool call: get-sum' });
    await card.getByRole('button', { name: 'Show details' }).click();
    await idle();
    await take(panel, 'panel');
    await panel.emulateMedia({ colorScheme: 'dark' });
    await take(panel, 'panel-dark');
    await panel.emulateMedia({ colorScheme: 'light' });
    await addChats(portside, ['A week in Lisbon', 'Why the build is slow', 'Notes on the new API']);
    await panel.getByRole('button', { name: 'History' }).click();
    await panel.getByRole('region', { name: 'History' }).getByRole('link').nth(4).waitFor();
    await take(panel, 'history');
    await options.setViewportSize({ width: 960, height: 480 });
    await options.emulateMedia({ colorScheme: 'light' });
    await options.getByRole('link', { name: 'Servers' }).click();
    await options.getByText('Everything').first().waitFor();
    await take(options, 'servers');
  } finally {
    await portside.close();
    await Promise.all([model.stop(), mcp.stop()]);
  }
});
