import { afterAll, beforeAll, expect, it } from 'vitest';
import { registryPage } from '../../fakes/registry-answers.ts';
import type { Portside } from '../support/browser.ts';
import { listen } from './real-servers.ts';
import { borrowPortside } from '../support/shared-browser.ts';

let portside: Portside;
beforeAll(async () => void (portside = await borrowPortside()));
afterAll(() => portside.close());

const page = () => portside.options;
const button = (name: string) => page().getByRole('button', { name, exact: true });
const field = (name: string) => page().getByRole('textbox', { name, exact: true });
const entry = (name: string) => page().getByRole('listitem', { name, exact: true });
const show = (hash: string) => page().evaluate(`location.hash = '${hash}'`);
const servers = async () =>
  (await portside.command('listServers')).map(({ server, status }) => ({ ...server, state: status.state }));

it('a registry is asked when the user searches, and a server of it opens its form, switched off', async () => {
  const asked: string[] = [];
  const registry = await listen(({ url = '', headers }, response) => {
    asked.push(`${url} ${headers.cookie ?? ''}`.trim());
    const { metadata: _next, ...last } = registryPage;
    const more = { servers: [{ server: { name: 'com.example/more', remotes: [] } }] };
    const body = url.includes('cursor=') ? { ...last, ...more } : registryPage;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await show('#servers');
  await button('MCP registry').click();
  await field('Name contains').fill('git ');
  await page().getByText('Advanced', { exact: true }).click();
  expect(await field('Registry address').inputValue()).toBe('https://registry.modelcontextprotocol.io');
  await field('Registry address').fill('nowhere');
  await button('Search').click();
  await page().locator('[aria-invalid="true"]').waitFor();
  expect(asked).toEqual([]);
  await field('Registry address').fill(`${registry.origin}/`);
  await button('Search').click();
  await page().getByText('4 servers, and more').waitFor();
  expect(asked).toEqual(['/v0.1/servers?version=latest&limit=30&search=git']);
  await entry('com.example/bundle').getByText('Nothing here that Portside can').waitFor();
  await entry('io.github.modelcontextprotocol/filesystem').getByText('deprecated').waitFor();
  // What another registry lists is no more of this.
  await page().getByText('Advanced', { exact: true }).click();
  await field('Registry address').fill(`${registry.origin}/other`);
  await button('Show more').waitFor({ state: 'detached' });
  await field('Registry address').fill(`${registry.origin}/`);
  await button('Show more').click();
  await page().getByText('5 servers', { exact: true }).waitFor();
  expect(asked[1]).toContain('search=git&cursor=com.pulsemcp.mirror%2Fgithub%3A0.6.2');

  await button('Add Notion by mcp.notion.com').first().click();
  await page().getByRole('heading', { level: 1, name: 'Add server' }).waitFor();
  expect(await field('URL').inputValue()).toBe('https://mcp.notion.com/mcp');
  expect(await page().getByRole('switch', { name: 'Enabled' }).isChecked()).toBe(false);
  await page().getByRole('link', { name: 'Cancel' }).click();

  await show('#servers/registry');
  await page().getByText('Advanced', { exact: true }).click();
  expect(await field('Registry address').inputValue()).toBe(`${registry.origin}/`);
  await button('Search').click();
  await button('Add filesystem by npx').click();
  await field('target_dir: Path to access').fill('/srv');
  await field('LOG_LEVEL: Logging level').fill('');
  expect(await page().getByRole('checkbox', { name: 'Connect after import' }).isChecked()).toBe(false);
  await button('Import').click();
  await page().getByText('1 server added').waitFor();
  expect(await servers()).toMatchObject([
    {
      name: 'filesystem',
      enabled: false,
      state: 'disconnected',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem@1.0.2', '/srv'],
      envNames: [],
    },
  ]);
  await registry.close();
});

it('a registry that answers with something else, or not at all, is said to', async () => {
  let isUp = true;
  const other = await listen(
    (_request, response) => void (isUp ? response.end('<!doctype html>') : response.writeHead(503).end()),
  );
  await show('#servers/registry');
  await page().getByText('Advanced', { exact: true }).click();
  await field('Registry address').fill(other.origin);
  await button('Search').click();
  await page().getByText('is no list of a registry.').waitFor();
  isUp = false;
  await button('Search').click();
  await page().getByText('HTTP 503').waitFor();
  await other.close();
});

it('a well-known server fills in the form', async () => {
  await show('#servers/add');
  await page().getByRole('list', { name: 'Well-known servers' }).getByText('DeepWiki').click();
  expect(await field('URL').inputValue()).toBe('https://mcp.deepwiki.com/mcp');
  expect(await field('Name').inputValue()).toBe('DeepWiki');
});
