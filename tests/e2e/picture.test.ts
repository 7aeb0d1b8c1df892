import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDemoModel } from '../../demo/model.ts';
import { startDemoServer } from '../../demo/server.ts';
import { openPortside } from './browser.ts';
import { addServer, decide, provider, server, unfold } from './scene.ts';

/** `npm run pictures` renews the README's picture; a plain test run takes it too, but leaves the checkout alone. */
const folder = join(import.meta.dirname, '../..', process.env['PORTSIDE_PICTURES'] ? 'docs' : '.cache');

it('takes the README’s picture: a question, a real tool call on server-everything, and the answer', async () => {
  const [model, mcp, portside] = await Promise.all([startDemoModel(), startDemoServer(), openPortside()]);
  try {
    const { panel } = portside;
    const demo = { ...provider(model.baseUrl), name: 'Demo model', model: 'portside-demo' };
    await portside.command('saveProvider', demo);
    const everything = server(mcp.url, { name: 'Everything' });
    await addServer(portside, everything);
    await panel.setViewportSize({ width: 400, height: 600 });
    await panel.emulateMedia({ colorScheme: 'light' });
    await panel.getByRole('textbox', { name: 'Message' }).fill('Add 2 and 40 with the sum tool');
    await panel.getByRole('button', { name: 'Send' }).click();
    await decide(panel.getByRole('alertdialog', { name: 'Approve get-sum' }), 'Allow once');
    await panel.getByRole('article', { name: 'Assistant' }).getByText('The sum of 2 and 40 is 42.').waitFor();
    await unfold(panel);
    const card = panel.getByRole('group', { name: 'Tool call: get-sum' });
    await card.getByRole('button', { name: 'Show details' }).click();
    await panel.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await mkdir(folder, { recursive: true });
    const picture = await panel.screenshot({ path: join(folder, 'panel.png'), animations: 'disabled' });
    expect(picture.byteLength).toBeGreaterThan(10_000);
  } finally {
    await portside.close();
    await Promise.all([model.stop(), mcp.stop()]);
  }
});
