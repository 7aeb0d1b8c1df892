import { createHash, generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/setup/programs.mjs';
import { readSetup } from '../../../scripts/start/extension.ts';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import { call, type ModelServer, startModelServer, stream, text } from '../../fakes/model-server.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { chatIn, offered, provider, until } from '../support/scene.ts';

/** Where the browser reads policies, of a key of this run alone: no other browser that runs here is managed by them. */
const folder = /chrome/.test(findChromium() ?? '')
  ? '/etc/opt/chrome/policies/managed'
  : '/etc/chromium/policies/managed';
const file = join(folder, `portside-test-${process.pid}.json`);
const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
  type: 'spki',
  format: 'der',
});
const id = createHash('sha256')
  .update(key)
  .digest('hex')
  .slice(0, 32)
  .replaceAll(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));

const setPolicy = (policy: object): void =>
  writeFileSync(file, JSON.stringify({ '3rdparty': { extensions: { [id]: policy } } }));

function whyNot(): string {
  try {
    mkdirSync(folder, { recursive: true });
    setPolicy({});
    return '';
  } catch (error) {
    return ` (skipped: no policy can be written to ${folder}: ${String(error)})`;
  }
}
const skipped = whyNot();

const REFUSED = /^Your organisation/;

/** The built extension under the id of that key. */
function withOwnKey(built: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'portside-fleet-'));
  cpSync(built, copy, { recursive: true });
  const manifest = join(copy, 'manifest.json');
  const entries = JSON.parse(readFileSync(manifest, 'utf8')) as object;
  writeFileSync(manifest, JSON.stringify({ ...entries, key: key.toString('base64') }));
  return copy;
}

describe.skipIf(skipped)(`a browser that an organisation manages${skipped}`, () => {
  let portside: Portside;
  let model: ModelServer;
  let mcp: TestMcpServer;
  let copy = '';
  const page = () => portside.options;
  const show = (hash: string) => page().evaluate(`location.hash = '${hash}'`);
  const policy = () => ({
    providers: [
      { name: 'Gateway', preset: 'custom', baseUrl: model.url, model: 'fake-model', apiKey: 'org-key' },
    ],
    mcpServers: { Wiki: { type: 'http', url: mcp.url, trusted: true } },
    prompts: [{ name: 'standup', text: 'What did I do yesterday?' }],
    settings: { theme: 'dark', system: '' },
    ownProviders: false,
    tools: { forbidden: ['Wiki/write_note'] },
    sites: { forbidden: ['127.0.0.1'] },
    importers: { allowed: ['ChatGPT'] },
  });

  beforeAll(async () => {
    [model, mcp] = await Promise.all([startModelServer(), startMcpServer()]);
    setPolicy(policy());
    portside = await openPortside({ altered: (built) => (copy = withOwnKey(built)) });
  });
  afterAll(async () => {
    rmSync(file, { force: true });
    await portside?.close();
    await Promise.all([model?.close(), mcp?.close()]);
    rmSync(copy, { recursive: true, force: true });
  });

  it('asks with what it set up, and the worker refuses what it forbids', async () => {
    const { ask, articles } = chatIn(portside);
    await until('the server is connected', async () =>
      (await portside.command('listServers')).some(({ status }) => status.state === 'connected'),
    );
    model.script(
      stream(call({ id: 'c1', name: offered('write_note'), arguments: '{"text":"a"}' })),
      stream(text('It was not written.')),
    );
    await ask('Write it down');
    await articles('Assistant').getByText('It was not written.').waitFor();
    expect(model.requests[0]?.headers.authorization).toBe('Bearer org-key');
    const sent = JSON.stringify(model.requests[0]?.body);
    expect(sent).toContain(offered('look_up'));
    expect(sent).not.toContain(offered('write_note'));
    expect(JSON.stringify(model.requests[1]?.body)).toContain('organisation');
    expect(mcp.executions).toEqual([]);

    // A worker that starts under a policy is there for the first that asks it.
    await portside.endWorker();
    await portside.command('listServers');
    const [own] = (await readSetup(page())).providers;
    const refusals = [
      () => portside.command('saveProvider', provider(model.url)),
      () => portside.command('saveProvider', { ...provider(model.url), id: own?.id ?? 0 }),
      () => portside.command('removeProvider', { id: own?.id ?? 0 }),
      () => portside.command('removeServer', { id: 1 }),
      () => portside.command('saveSettings', { theme: 'light' }),
      () => portside.command('importServers', { servers: [] }),
    ];
    for (const refusal of refusals) await expect(refusal()).rejects.toThrow(REFUSED);
    const messages = [{ role: 'user', content: 'Hi' }];
    const { outcomes } = await portside.command('importChats', {
      chats: [{ messages }, { messages }],
      from: ['Claude', 'ChatGPT'],
    });
    expect(outcomes).toMatchObject([{ error: { code: 'set_by_organisation' } }, { outcome: 'new' }]);

    const site = await portside.context.newPage();
    await site.goto(mcp.url);
    const tabs = await page().evaluate<{ id: number }[]>(
      `chrome.tabs.query({ url: '${new URL(mcp.url).origin}/*' })`,
    );
    const attaching = portside.command('attachPage', {
      conversationId: 'c',
      part: 'page',
      tabId: tabs[0]?.id ?? -1,
    });
    await expect(attaching).rejects.toThrow(REFUSED);
    await site.close();
  });

  it('says so in the settings, and follows the policy as it changes, until it is gone', async () => {
    const set = 'Set by your organisation';
    await show('#models');
    const gateway = page().getByRole('region', { name: 'Gateway' });
    await gateway.getByText(set).waitFor();
    expect(await gateway.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await show('#prompts');
    await page().getByRole('listitem', { name: 'standup' }).getByText(set).waitFor();
    await show('#general');
    const dark = page().getByRole('radio', { name: 'Dark' });
    await expect.poll(() => dark.isDisabled()).toBe(true);
    expect(await dark.isChecked()).toBe(true);
    await show('#permissions');
    await page().getByText('Sites blocked: 127.0.0.1').waitFor();

    setPolicy({ ...policy(), sites: {}, settings: { theme: 'drak' } });
    await page().getByRole('alert').getByText('settings.theme').waitFor();
    setPolicy({});
    await page().getByRole('alert').waitFor({ state: 'detached' });
    await until('what it set up is gone', async () => {
      const { providers, servers, prompts, fleet } = await readSetup(page());
      return providers.length + servers.length + prompts.length === 0 && fleet === undefined;
    });
    await show('#general');
    await expect.poll(() => dark.isEnabled()).toBe(true);
  });
});
