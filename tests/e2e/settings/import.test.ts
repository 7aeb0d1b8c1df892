import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import type { Portside } from '../support/browser.ts';
import { shareInstallation } from '../support/shared-browser.ts';
import { server } from '../support/scene.ts';

const shared = shareInstallation();
let portside: Portside;
let mcp: TestMcpServer;
let page: Page;

beforeEach(async () => {
  [portside, mcp] = await Promise.all([
    shared.next(),
    startMcpServer({ requireHeader: { name: 'authorization', value: 'Bearer s3cret' } }),
  ]);
  page = portside.options;
  await page.evaluate("location.hash = '#servers/import'");
});
afterEach(() => mcp.close());

const source = () => page.getByRole('textbox', { name: 'mcp.json' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
const added = () => page.getByRole('list', { name: 'Servers added' }).getByRole('listitem');
const savedServers = async () =>
  (await portside.command('listServers')).map(({ server: { name, enabled }, status }) => [
    name,
    enabled,
    status.state,
  ]);

/** VS Code's form: a server that works once its key is given, a program, and one that can't be added. */
const config = () => `{
  // from the team's wiki
  "inputs": [{ "type": "promptString", "id": "key", "description": "Key of the tools", "password": true }],
  "servers": {
    "tools": { "type": "http", "url": "${mcp.url}", "headers": { "Authorization": "Bearer \${input:key}" } },
    "program": { "command": "npx", "args": ["-y", "server", "--key=\${input:key}"], "disabled": true },
    "socket": { "url": "wss://socket.test" },
  },
}`;

describe('an import', () => {
  it('asks for what the file leaves open, adds what is chosen, and connects it', async () => {
    await source().fill(config());
    await page.getByText('3 servers found').waitFor();
    expect(await box('Import socket').isDisabled()).toBe(true);
    await page.getByText('Its address does not start with https:// or http://.').waitFor();
    await box('Import program').uncheck();
    await page.getByText('1 selected').waitFor();
    await button('Import').click();
    await page.getByText('Enter a value, or deselect the servers').waitFor();
    const key = page.getByLabel('Key of the tools');
    expect(await key.getAttribute('type')).toBe('password');
    await key.fill('s3cret');
    await button('Import').click();
    await added().filter({ hasText: 'tools' }).getByText('Connected').waitFor();
    expect(await savedServers()).toEqual([['tools', true, 'connected']]);
  });

  it('is opened by the chat with the mcp.json that was pasted there as a URL', async () => {
    const { panel, context } = portside;
    const baseUrl = 'http://demo.localhost/v1';
    await portside.command('saveProvider', { preset: 'demo', name: 'Demo', baseUrl, model: 'portside-demo' });
    await panel.getByRole('button', { name: 'Connect a server' }).click();
    const url = panel.getByRole('textbox', { name: 'URL' });
    await url.fill('ftp://example.com');
    await url.press('Enter');
    await panel.getByText('Only URLs that start with https:// or http:// work.').waitFor();
    await url.fill('');
    const opened = context.waitForEvent('page');
    await url.evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', text);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, config());
    const settings = await opened;
    await settings.getByText('3 servers found').waitFor();
    expect(await settings.getByRole('textbox', { name: 'mcp.json' }).inputValue()).toBe(config());
    await settings.close();
    await url.waitFor({ state: 'detached' });
  });

  it('is opened by the chat with an install link, whose page is no server', async () => {
    const { panel, context } = portside;
    const baseUrl = 'http://demo.localhost/v1';
    await portside.command('saveProvider', { preset: 'demo', name: 'Demo', baseUrl, model: 'portside-demo' });
    await panel.getByRole('button', { name: 'Connect a server' }).click();
    const opened = context.waitForEvent('page');
    const url = panel.getByRole('textbox', { name: 'URL' });
    await url.fill(`https://cursor.com/en/install-mcp?name=linked&config=${btoa('{"command":"npx -y b"}')}`);
    await url.press('Enter');
    const settings = await opened;
    await settings.getByRole('checkbox', { name: 'Import linked' }).waitFor();
    await settings.close();
  });

  it('is not needed for a server that wants a token, which the chat asks for', async () => {
    const { panel } = portside;
    portside.expectComplaint(/Failed to load resource/);
    const baseUrl = 'http://demo.localhost/v1';
    await portside.command('saveProvider', { preset: 'demo', name: 'Demo', baseUrl, model: 'portside-demo' });
    await panel.getByRole('button', { name: 'Connect a server' }).click();
    const go = panel.getByRole('button', { name: 'Continue' });
    await go.click();
    await panel.getByText('Enter the server’s URL first.').waitFor();
    await panel.getByRole('textbox', { name: 'URL' }).fill(mcp.url);
    await go.click();
    const token = panel.getByLabel('Access token');
    await panel.getByText('Enter the token that its provider gave you').waitFor();
    await token.fill('s3cret');
    await token.press('Enter');
    await token.waitFor({ state: 'detached' });
    expect(await savedServers()).toEqual([[expect.anything(), true, 'connected']]);
  });

  it('leaves no error in the chat of a server that was added in the settings meanwhile', async () => {
    const { panel } = portside;
    portside.expectComplaint(/Failed to load resource/);
    const baseUrl = 'http://demo.localhost/v1';
    await portside.command('saveProvider', { preset: 'demo', name: 'Demo', baseUrl, model: 'portside-demo' });
    await panel.getByRole('button', { name: 'Connect a server' }).click();
    await panel.getByRole('textbox', { name: 'URL' }).fill(mcp.url);
    await panel.getByRole('button', { name: 'Continue' }).click();
    await panel.getByLabel('Access token').waitFor();
    await page.evaluate("location.hash = '#servers/add'");
    await page.getByLabel('URL', { exact: true }).fill(mcp.url);
    await button('Save').click();
    await page.getByText('Add what it asks for under Headers').waitFor();
    await page.getByLabel('Headers', { exact: true }).fill('Authorization: Bearer s3cret');
    await button('Try again').click();
    await panel.getByRole('textbox', { name: 'URL' }).waitFor({ state: 'detached' });
    expect(await panel.getByRole('alert').count()).toBe(0);
  });

  it('says of each server why it is not connected', async () => {
    portside.expectComplaint(/Failed to load resource/);
    await source().fill(config());
    await box('Import program').uncheck();
    await page.getByLabel('Key of the tools').fill('wrong');
    await button('Import').click();
    await added()
      .filter({ hasText: 'tools' })
      .getByText(/^Failed: /)
      .waitFor();
  });

  it('says so on the narrowest page too, with nothing out of sight', async () => {
    portside.expectComplaint(/Failed to load resource/);
    await page.setViewportSize({ width: 320, height: 640 });
    const name = 'a-name-without-a-place-to-break'.repeat(3);
    await source().fill(JSON.stringify({ mcpServers: { [name]: { url: mcp.url } } }));
    await button('Import').click();
    const line = added().filter({ hasText: name });
    const outcome = line.getByText(/^Failed: /);
    await outcome.waitFor();
    for (const part of [line.getByRole('link'), outcome]) {
      const place = await part.boundingBox();
      expect(place?.width).toBeGreaterThan(150);
      expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(320);
    }
    expect(
      await page.evaluate(
        "[document.documentElement, document.querySelector('main')].map((part) => part.scrollWidth - part.clientWidth)",
      ),
    ).toEqual([0, 0]);
  });

  it('adds servers switched off when they are not to be connected', async () => {
    await source().fill(config());
    await page.getByLabel('Key of the tools').fill('s3cret');
    await box('Connect after import').uncheck();
    await button('Import').click();
    await added().filter({ hasText: 'program' }).getByText('Switched off').waitFor();
    expect(await savedServers()).toEqual([
      ['tools', false, 'disconnected'],
      ['program', false, 'disconnected'],
    ]);
    expect(mcp.requests).toEqual([]);
    const listed = JSON.stringify(await portside.command('listServers'));
    expect([listed.includes('--key=${input:key}'), listed.includes('s3cret')]).toEqual([true, false]);
  });

  it('takes a file that is chosen, or dropped anywhere on the page', async () => {
    const name = 'mcp.json';
    const text = '{"mcpServers": {"chosen": {"url": "https://a.test"}}}';
    await page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await box('Import chosen').waitFor();
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(text.replace('chosen', 'dropped'))}], 'mcp.json'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('h1').dispatchEvent(drop);
      if (!drop.defaultPrevented) throw new Error('The browser opens the file instead.');
    }`);
    await box('Import dropped').waitFor();
    expect(await source().inputValue()).toContain('dropped');
  });

  it('says where a file is not JSON, and goes on when that is mended', async () => {
    await source().fill('{\n  "mcpServers": {\n    "a" {}\n  }\n}');
    await page.getByText('on line 3, column 9, a colon is missing').waitFor();
    await source().fill('{"mcpServers": {"a": {"url": "https://a.test"}}}');
    await page.getByText('1 server found').waitFor();
  });

  it('does not take a server that is there already, unless told to', async () => {
    await portside.command('addServer', server('https://b.test', { name: 'Tools', enabled: false }));
    await source().fill(config());
    await page.getByText('Already added as Tools. If you select it, it is added a second time.').waitFor();
    expect(await box('Import tools').isChecked()).toBe(false);
  });
});

describe('an export', () => {
  async function exported(): Promise<string> {
    const [file] = await Promise.all([page.waitForEvent('download'), button('Download mcp.json').click()]);
    expect(file.suggestedFilename()).toBe('mcp.json');
    return readFile(await file.path(), 'utf8');
  }

  it('is a file that can be imported again, and holds secrets only if they are wanted', async () => {
    const headers = { Authorization: 'Bearer s3cret' };
    await portside.command('addServer', server(mcp.url, { name: 'Tools', headers }));
    await page.evaluate("location.hash = '#servers'");
    const without = await exported();
    expect(without).not.toContain('s3cret');
    await box('Include secrets').check();
    await page.getByText('in plain text').waitFor();
    expect(await exported()).toContain('s3cret');
    await page.evaluate("location.hash = '#servers/import'");
    await source().fill(without);
    await box('Import Tools').check();
    await page.getByLabel('Authorization for Tools').waitFor();
  });
});
