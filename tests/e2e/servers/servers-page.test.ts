import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import type { Portside } from '../support/browser.ts';
import { openAdvanced } from '../support/options-page.ts';
import { shareInstallation } from '../support/shared-browser.ts';
import { addServer, server } from '../support/scene.ts';
import { until } from '../support/until.ts';

const shared = shareInstallation();
let portside: Portside;
let mcp: TestMcpServer;
let page: Page;

beforeEach(async () => {
  [portside, mcp] = await Promise.all([shared.next(), startMcpServer()]);
  page = portside.options;
});
afterEach(() => mcp.close());

declare const due: Map<number, () => void>;

/** Runs in the page: timers of more than ten seconds wait in `due` for the test. */
function collectLongTimers(): void {
  const { setTimeout: start, clearTimeout: stop } = window;
  const timers: typeof due = new Map();
  const later = (task: () => void, ms = 0): number => {
    const id = start(ms > 10_000 ? () => undefined : task, ms);
    if (ms > 10_000) timers.set(id, task);
    return id;
  };
  const clear = (id?: number): void => {
    timers.delete(id ?? 0);
    stop(id);
  };
  Object.assign(window, { due: timers, setTimeout: later, clearTimeout: clear });
}

const goTo = (hash: string) => page.evaluate(`location.hash = '${hash}'`);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const row = (name: string) =>
  page.getByRole('list', { name: 'Servers' }).getByRole('listitem', { name, exact: true });
const status = (name: string, word: string) =>
  row(name)
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${word}$`) });
const saved = () => portside.command('listServers');

describe('the form of a server', () => {
  it('has moved the focus to the field at fault by the time it says so, so that no key goes elsewhere', async () => {
    await goTo('#servers/add');
    const focused = page.evaluate(
      () =>
        new Promise((tell) => {
          new MutationObserver(() => {
            if (document.querySelector('[aria-invalid]'))
              tell(document.activeElement?.getAttribute('aria-invalid'));
          }).observe(document, { subtree: true, childList: true, attributes: true });
        }),
    );
    await button('Save').click();
    expect(await focused).toBe('true');
  });

  it('says at the field what is missing, then connects at once and says so', async () => {
    await button('Add server').click();
    await button('Save').click();
    await page.getByText('URL is required').waitFor();
    expect(await field('URL').getAttribute('aria-invalid')).toBe('true');
    await field('URL').fill(mcp.url);
    await openAdvanced(page);
    await field('Name').fill('Tools');
    await button('Save').click();
    await page.getByText('Connected: Tools', { exact: true }).waitFor();
    await status('Tools', 'connected').waitFor();
    await row('Tools')
      .getByText(/^(\d+) of \1 tools$/)
      .waitFor();
    expect(await saved()).toHaveLength(1);
    // The list says the same: once the page was left the sentence is gone.
    await goTo('#models');
    await goTo('#servers');
    await row('Tools').waitFor();
    expect(await page.getByText('Connected: Tools', { exact: true }).count()).toBe(0);
  });

  it('says for a while that a server is connected, longer under the pointer', async () => {
    await goTo('#servers/add');
    await page.evaluate(collectLongTimers);
    await field('URL').fill(mcp.url);
    await button('Save').click();
    const said = page.getByText('Connected: test-server', { exact: true });
    const isTimed = () => page.evaluate(() => due.size > 0);
    await said.waitFor();
    await until('it is said for a while', isTimed);
    await said.hover();
    expect(await isTimed()).toBe(false);
    await row('test-server').hover();
    await page.evaluate(() => due.forEach((task) => task()));
    await said.waitFor({ state: 'detached' });
    expect(await button('Back to the chat').count()).toBe(0);
    await page.reload();
  });

  it('needs an address only, without a path, and calls the server as it calls itself', async () => {
    const { host } = new URL(mcp.url);
    await goTo('#servers/add');
    await page.locator('form input:focus').waitFor();
    expect(await field('Name').isVisible()).toBe(false);
    await page.keyboard.type(host);
    await page.keyboard.press('Enter');
    await page.getByText('Connected: test-server', { exact: true }).waitFor();
    await page.getByText(/^Tools: .*echo/).waitFor();
    expect(await saved()).toMatchObject([{ server: { name: 'test-server', url: mcp.url } }]);
    await button('Back to the chat').waitFor();
  });

  it('saves nothing that does not answer, says what was tried, and saves it anyway when told', async () => {
    portside.expectComplaint(/Failed to load resource/);
    const site = await startMcpServer({ instead: { status: 404 } });
    try {
      const { host, origin } = new URL(site.url);
      await goTo('#servers/add');
      await field('URL').fill(host);
      await button('Save').click();
      await page.getByRole('alert').getByText(`No MCP server answers at ${host}.`).waitFor();
      const tried = page.getByRole('list', { name: 'Addresses tried' }).getByRole('listitem');
      await tried.filter({ hasText: `${origin}/sse` }).waitFor();
      expect(await tried.count()).toBe(3);
      expect(await saved()).toEqual([]);
      await button('Try again').click();
      await tried.first().waitFor();
      await button('Save anyway').click();
      await status(host, 'error').waitFor();
      expect(await saved()).toMatchObject([{ server: { name: host, url: origin } }]);
    } finally {
      await site.close();
    }
  });

  it('understands a command line or an install link that is pasted, and gives it back', async () => {
    const paste = async (text: string) => {
      await page.evaluate((pasted) => {
        const data = new DataTransfer();
        data.setData('text/plain', pasted);
        const target = document.activeElement;
        target?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
        document.execCommand('insertText', false, pasted);
      }, text);
    };
    await goTo('#servers/add');
    await page.locator('form input:focus').waitFor();
    await paste('API_KEY=abc npx -y @scope/server-files "/home/me/My files"');
    await page.getByText('Filled in from what you pasted.').waitFor();
    expect(await field('Command').inputValue()).toBe('npx');
    expect(await field('Arguments').inputValue()).toBe('-y\n@scope/server-files\n/home/me/My files');
    expect(await field('Environment').inputValue()).toBe('API_KEY=abc');
    await page.locator('form input:focus').waitFor();
    await page.keyboard.press('Control+z');
    expect(await field('URL').inputValue()).toContain('API_KEY=abc npx -y');

    await field('URL').fill('');
    await paste('claude mcp add -t sse mine https://a.example/sse -H "X-Key: 1"');
    await button('Undo').waitFor();
    expect(await field('URL').inputValue()).toBe('https://a.example/sse');
    expect(await field('Name').inputValue()).toBe('mine');
    expect(await field('Headers').inputValue()).toBe('X-Key: 1');

    await button('Undo').click();
    await field('URL').fill('');
    const config = btoa('{"url":"https://b.example/mcp"}');
    await paste(`cursor://anysphere.cursor-deeplink/mcp/install?name=linked&config=${config}`);
    await button('Undo').waitFor();
    expect(await field('URL').inputValue()).toBe('https://b.example/mcp');
    expect(await field('Name').inputValue()).toBe('linked');

    await field('URL').focus();
    await paste(
      '{"mcpServers": {"one": {"url": "https://a.example"}, "two": {"command": "npx", "args": ["b"]}}}',
    );
    await page.getByRole('checkbox', { name: 'Import two' }).waitFor();
    expect(await field('mcp.json').inputValue()).toContain('"two"');
  });

  it('warns of a name that another server has, and saves it so that the two are told apart', async () => {
    await addServer(portside, server(mcp.url, { name: 'Tools' }));
    const { host } = new URL(mcp.url);
    await goTo('#servers/add');
    await openAdvanced(page);
    await field('Name').fill('tools');
    await page.getByText('Another server has this name.').waitFor();
    await field('URL').fill(mcp.url);
    await page.getByText(`this one is saved as “tools (${host})”.`).waitFor();
    await button('Save').click();
    await status(`tools (${host})`, 'connected').waitFor();
    await row('Tools').waitFor();
  });

  it('shows only the fields of the chosen transport, and saves a program that nothing can start yet', async () => {
    await goTo('#servers/add');
    expect(await field('Command').count()).toBe(0);
    await openAdvanced(page);
    await field('Transport').selectOption('stdio');
    expect(await field('URL').count()).toBe(0);
    expect(await field('Headers').count()).toBe(0);
    await button('Save').click();
    await page.getByText('Command is required').waitFor();
    await field('Name').fill('Files');
    await field('Command').fill('npx');
    await field('Arguments').fill('-y\n@modelcontextprotocol/server-filesystem\nMy files');
    await field('Environment').fill('no equals sign');
    await button('Save').click();
    await page.getByText('Line 1 is not in the form KEY=value').waitFor();
    await field('Environment').fill('TOKEN=s3cret=');
    await button('Save').click();
    await page.getByText(/^Failed: Portside’s native host/).waitFor();
    await status('Files', 'error').waitFor();
    const [listing] = await saved();
    expect(listing?.server).toMatchObject({
      args: ['-y', '@modelcontextprotocol/server-filesystem', 'My files'],
      envNames: ['TOKEN'],
    });
  });

  it('of a server that exists keeps its id and its secrets, which it never shows again', async () => {
    const headers = { 'X-Key': 's3cret' };
    const id = await addServer(portside, server(mcp.url, { name: 'Old', headers }));
    await goTo(`#servers/${id}`);
    await page.getByText('value stored').waitFor();
    expect(await page.content()).not.toContain('s3cret');
    await field('Name').fill('New');
    await button('Save and reconnect').click();
    await page.getByText('Connected: New', { exact: true }).waitFor();
    const [listing] = await saved();
    expect(listing?.server).toMatchObject({ id, name: 'New', headerNames: ['X-Key'] });
  });

  it('keeps what is typed while it connects, for the next Save', async () => {
    portside.expectComplaint(/Failed to load resource/);
    const silent = await startMcpServer({ instead: 'silence' });
    const id = await addServer(portside, server(mcp.url, { name: 'Old' }));
    await goTo(`#servers/${id}`);
    await field('URL').fill(silent.url);
    await button('Save and reconnect').click();
    await page.getByText('Connecting…').waitFor();
    await field('Name').fill('New');
    await field('Headers').fill('X-Key: s3cret');
    await silent.close();
    await page.getByText(/^Failed: Old/).waitFor();
    expect(await field('URL').inputValue()).toBe(silent.url);
    await goTo('#servers');
    await row('Old').waitFor();
    await goTo(`#servers/${id}`);
    expect(await field('Name').inputValue()).toBe('New');
    expect(await field('Headers').inputValue()).toBe('X-Key: s3cret');
    await field('URL').fill(mcp.url);
    await button('Save and reconnect').click();
    await page.getByText('Connected: New', { exact: true }).waitFor();
    const [listing] = await saved();
    expect(listing?.server).toMatchObject({ id, name: 'New', headerNames: ['X-Key'] });
  });

  it('says before and at saving that what is stored does not go to another origin', async () => {
    const id = await addServer(portside, server(mcp.url, { headers: { 'X-Key': 's3cret' } }));
    await goTo(`#servers/${id}`);
    await field('URL').fill(mcp.url.replace('127.0.0.1', 'localhost'));
    await page.getByText(/^This is another origin: saving removes/).waitFor();
    await button('Save and reconnect').click();
    await page.locator('[aria-invalid]').waitFor();
    expect(await field('Headers').getAttribute('aria-invalid')).toBe('true');
    await field('Headers').fill('X-Key: other');
    await button('Save and reconnect').click();
    await page.getByText('Connected: Test server', { exact: true }).waitFor();
    const [listing] = await saved();
    expect(listing?.server).toMatchObject({ id, url: mcp.url.replace('127.0.0.1', 'localhost') });
  });

  it('offers the address that a server moved to, and goes there only when the user agrees', async () => {
    const elsewhere = mcp.url.replace('127.0.0.1', 'localhost');
    const moved = await startMcpServer({ instead: { redirectTo: elsewhere } });
    try {
      await goTo('#servers/add');
      await openAdvanced(page);
      await field('Name').fill('Moved');
      await field('URL').fill(moved.url);
      await field('Headers').fill('X-Key: s3cret');
      await button('Save').click();
      await button(`Use ${elsewhere}`).waitFor();
      expect(mcp.requests.filter((request) => request.includes('tools/list'))).toEqual([]);
      await button(`Use ${elsewhere}`).click();
      await page.getByText('Connected: Moved', { exact: true }).waitFor();
      const servers = await saved();
      expect(servers.map(({ server: each }) => 'url' in each && each.url)).toEqual([elsewhere]);
    } finally {
      await moved.close();
    }
  });

  it('of a server that moved shows the address that was agreed to, and adds no second one', async () => {
    const elsewhere = mcp.url.replace('127.0.0.1', 'localhost');
    const moved = await startMcpServer({ instead: { redirectTo: elsewhere } });
    try {
      await goTo('#servers/add');
      await openAdvanced(page);
      await field('Name').fill('Moved');
      await field('URL').fill(moved.url);
      await field('Headers').fill('X-Key: s3cret');
      await button('Save').click();
      await button(`Use ${elsewhere}`).waitFor();
      await goTo('#servers');
      await button('Add server').click();
      expect(await field('Name').inputValue()).toBe('');
      await goTo(`#servers/${(await saved())[0]?.server.id}`);
      await field('Headers').fill('X-Key: s3cret');
      await button('Save and reconnect').click();
      await button(`Use ${elsewhere}`).click();
      await page.getByText('Connected: Moved', { exact: true }).waitFor();
      expect(await field('URL').inputValue()).toBe(elsewhere);
      expect(await saved()).toHaveLength(1);
    } finally {
      await moved.close();
    }
  });
});

/** Starts the server again and presses at once, before it is tried again by itself, which takes the button away. */
async function reconnectBy(again: Locator): Promise<void> {
  const pressed = await again.elementHandle();
  await mcp.restart();
  await pressed?.evaluate((element) => (element as HTMLElement).click());
}

describe('the list of servers', () => {
  it('says why a server is not connected, in sight and to who listens, and connects it again', async () => {
    portside.expectComplaint(/Failed to load resource/);
    const id = await addServer(portside, server(mcp.url, { name: 'Tools' }));
    await mcp.stop();
    await portside.command('reconnectServer', { id });
    await status('Tools', 'error').waitFor();
    const link = row('Tools').getByRole('link', { name: 'Tools' });
    const described = await link.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described ?? ''}"]`).textContent()).toMatch(
      /^Tools could not be reached/,
    );
    expect(await link.getAttribute('title')).toMatch(/^Tools could not be reached/);
    await reconnectBy(row('Tools').getByRole('button', { name: 'Reconnect' }));
    await status('Tools', 'connected').waitFor();
    expect(await row('Tools').getByText('could not be reached').count()).toBe(0);
  });

  it('connects all that are lost at once', async () => {
    portside.expectComplaint(/Failed to load resource/);
    const ids = await Promise.all(
      ['One', 'Two'].map((name) => addServer(portside, server(mcp.url, { name }))),
    );
    await mcp.stop();
    for (const id of ids) await portside.command('reconnectServer', { id });
    await status('Two', 'error').waitFor();
    await reconnectBy(button('Reconnect all'));
    await status('One', 'connected').waitFor();
    await status('Two', 'connected').waitFor();
    await button('Reconnect all').waitFor({ state: 'detached' });
  });

  it('switches a server off and on', async () => {
    await addServer(portside, server(mcp.url, { name: 'Tools' }));
    const enabled = row('Tools').getByRole('switch', { name: 'Enabled' });
    await enabled.click();
    await status('Tools', 'disconnected').waitFor();
    await until('it is off', async () => !(await enabled.isChecked()));
    await enabled.click();
    await status('Tools', 'connected').waitFor();
  });

  it('helps who has none', async () => {
    await page.getByText(/^No servers yet\./).waitFor();
    await button('Import').click();
    await page.getByRole('heading', { name: 'Import servers' }).waitFor();
  });
});
