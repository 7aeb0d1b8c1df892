import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import { call, startModelServer, stream, text, type ModelServer } from '../../fakes/model-server.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { startSite, type Site } from '../pages/page-site.ts';
import { addServer, chatIn, offered, provider, server } from '../support/scene.ts';

let folder: string;
let portside: Portside;
let model: ModelServer;
let mcp: TestMcpServer;
let site: Site;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portside-wrapped-'));
  [model, mcp, site] = await Promise.all([startModelServer(), startMcpServer(), startSite()]);
  portside = await openPortside({ altered: withoutBrowser });
  await portside.command('saveProvider', provider(model.url));
  const id = await addServer(portside, server(mcp.url, { trusted: true }));
  await portside.command('setTool', { serverId: id, name: 'add', permission: 'allow' });
});
afterAll(async () => {
  await portside?.close();
  await Promise.all([model?.close(), mcp?.close(), site?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The extension as Chromium before 148 runs it, which has `chrome` alone (docs/decisions/browser-namespace.md). */
function withoutBrowser(built: string): string {
  cpSync(built, folder, { recursive: true });
  const change = (file: string, to: (before: string) => string): void =>
    writeFileSync(join(folder, file), to(readFileSync(join(folder, file), 'utf8')));
  const hides = 'delete globalThis.browser;\n';
  writeFileSync(join(folder, 'hide.js'), hides);
  change('background.js', (script) => hides + script);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.html')))
    change(file, (html) => html.replace('<head>', '<head><script src="/hide.js"></script>'));
  return folder;
}

it('where Chromium has no `browser`, tools are called, pages are read, and a worker that ended comes back', async () => {
  const { ask, articles } = chatIn(portside);
  expect(await portside.options.evaluate('typeof browser + typeof chrome.runtime.id')).toBe(
    'undefinedstring',
  );
  model.script(
    stream(call({ id: 'c1', name: offered('add'), arguments: '{"a":2,"b":40}' })),
    stream(text('It is 42.')),
  );
  await ask('What is 2 + 40?');
  await articles('Assistant').getByText('It is 42.').waitFor();

  await portside.endWorker();
  const page = await portside.context.newPage();
  await page.goto(`${site.url}/article`);
  await page.bringToFront();
  await portside.panel.getByRole('button', { name: 'New chat' }).click();
  model.script(
    stream(call({ id: 'c2', name: 'read_page', arguments: '{}' })),
    stream(text('I have read it.')),
  );
  await ask('What is on the page?');
  await articles('Assistant').getByText('I have read it.').waitFor();
  const said = model.requests.flatMap(({ body }) => body.messages).findLast(({ role }) => role === 'tool');
  expect(said?.content).toContain('The keeper’s log');
});
