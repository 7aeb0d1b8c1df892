import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMcpServer } from '../../fakes/mcp-server.ts';
import { startModelServer, stream, text } from '../../fakes/model-server.ts';
import { openPortside } from '../support/browser.ts';
import { addByHand } from '../support/options-page.ts';
import { chatIn, provider, server, until } from '../support/scene.ts';

const secrets = {
  apiKey: `sk-${crypto.randomUUID()}`,
  header: `header-${crypto.randomUUID()}`,
  client: `client-${crypto.randomUUID()}`,
  variable: `vàriable-${crypto.randomUUID()}`,
};

/** Which of the secrets stand in which files of a folder, in any encoding that a browser writes. */
async function foundIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  const found: string[] = [];
  for (const { parentPath, name } of files) {
    const bytes = await readFile(join(parentPath, name));
    for (const [what, secret] of Object.entries(secrets))
      for (const encoding of ['utf8', 'utf16le', 'latin1'] as const)
        if (bytes.includes(Buffer.from(secret, encoding))) found.push(`${what} in ${name} (${encoding})`);
  }
  return found;
}

it('no secret stands in a file of the profile, and all of them are used after the browser was closed', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'portside-secrets-'));
  const requireHeader = { name: 'x-key', value: secrets.header };
  const [model, mcp] = await Promise.all([startModelServer(), startMcpServer({ requireHeader })]);
  onTestFinished(async () => {
    await Promise.all([model.close(), mcp.close()]);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  model.script(stream(text('Hello.')), stream(text('Hello again.')));
  const keys = () => model.requests.map(({ headers }) => headers.authorization);
  const isConnected = async ({ command }: Awaited<ReturnType<typeof openPortside>>) =>
    (await command('listServers')).some(({ status }) => status.state === 'connected');

  const before = await openPortside({ profile });
  await before.command('saveProvider', { ...provider(model.url), apiKey: secrets.apiKey });
  // As a user types it: browsers write down what stands in the forms of their tabs.
  const headers = `x-key: ${secrets.header}`;
  await addByHand(before.options, { name: 'Guarded', transport: 'Streamable HTTP', url: mcp.url, headers });
  const common = { name: 'Off', toolTimeout: 1000, trusted: false, oneAtATime: false, enabled: false };
  const oauthClient = { id: 'me', secret: secrets.client };
  await before.command('addServer', { ...server('http://127.0.0.1:9/mcp'), ...common, oauthClient });
  const env = { TOKEN: secrets.variable };
  await before.command('addServer', { ...common, transport: 'stdio', command: 'node', args: [], env });
  await chatIn(before).ask('Hello');
  await until('the model was asked', () => keys().length === 1);
  await chatIn(before).idle();
  await before.close();
  expect(await foundIn(profile)).toEqual([]);

  const after = await openPortside({ profile });
  await until('the server is connected', () => isConnected(after));
  await chatIn(after).ask('Hello again');
  await until('the model was asked again', () => keys().length === 2);
  expect(keys()).toEqual([`Bearer ${secrets.apiKey}`, `Bearer ${secrets.apiKey}`]);
  await chatIn(after).idle();
  const { text: exported } = await after.command('exportServers', { withSecrets: true });
  expect(exported).toContain(secrets.variable);
  await after.close();
  expect(await foundIn(profile)).toEqual([]);
});
