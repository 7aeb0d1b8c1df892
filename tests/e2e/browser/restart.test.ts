import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMcpServer } from '../../fakes/mcp-server.ts';
import { call, startModelServer, stream, text } from '../../fakes/model-server.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { addServer, decide, offered, provider, server, until } from '../support/scene.ts';

const badge = ({ options }: Portside) => options.evaluate<string>(`chrome.action.getBadgeText({})`);

it('a call that waits for the user still waits after the browser was closed, and the badge says so', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'portside-restart-'));
  const [model, mcp] = await Promise.all([startModelServer(), startMcpServer()]);
  onTestFinished(async () => {
    await Promise.all([model.close(), mcp.close()]);
    await rm(profile, { recursive: true, force: true });
  });
  model.script(
    stream(call({ id: 'c1', name: offered('write_note'), arguments: '{"text":"kept"}' })),
    stream(text('Written.')),
  );

  const before = await openPortside({ profile });
  await before.command('saveProvider', provider(model.url));
  await addServer(before, server(mcp.url));
  await before.panel.getByRole('textbox', { name: 'Message' }).fill('Write it down');
  await before.panel.getByRole('button', { name: 'Send' }).click();
  await until('the badge says that a call waits', async () => (await badge(before)) === '1');
  await before.close();
  expect(mcp.executions).toEqual([]);

  const after = await openPortside({ profile });
  await until('the badge says so again', async () => (await badge(after)) === '1');
  expect(await after.options.evaluate(`chrome.action.getTitle({})`)).toBe(
    'Open Portside: 1 tool call is waiting for you',
  );
  await decide(after.panel.getByRole('alertdialog'), 'Allow once');
  await until('the answer goes on', () => model.requests.length === 2);
  expect(mcp.executions).toMatchObject([{ tool: 'write_note', args: { text: 'kept' } }]);
  await until('the badge is empty', async () => (await badge(after)) === '');
  await after.close();
});
