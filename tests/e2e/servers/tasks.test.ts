import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call, startModelServer, stream, text } from '../../fakes/model-server.ts';
import { unfenced } from '../../fakes/rows.ts';
import { startTaskServer } from '../../fakes/task-server.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { addServer, chatIn, offered, provider, server, unfold, until } from '../support/scene.ts';

const notified = ({ options }: Portside) => options.evaluate<object>('chrome.notifications.getAll()');

it('a task outlives its chat’s panel, the worker and the browser, and the user is notified of what came of it', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'portside-tasks-'));
  const [model, tasks] = await Promise.all([startModelServer(), startTaskServer('modern')]);
  onTestFinished(async () => {
    await Promise.all([model.close(), tasks.close()]);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  model.script(
    stream(call({ id: 'c1', name: offered('research'), arguments: '{}' })),
    stream(text('There are three.')),
  );
  tasks.set({ statusMessage: 'Gathering sources' });

  const before = await openPortside({ profile });
  await before.command('saveSettings', { notify: true, makeTitles: false });
  await before.command('saveProvider', provider(model.url));
  const serverId = await addServer(before, server(tasks.url));
  await before.command('setTool', { serverId, name: 'research', permission: 'allow' });
  const chat = chatIn(before);
  await chat.ask('Look into it');
  await chat.toolCall('research').getByText('Gathering sources').waitFor();

  await before.endWorker();
  const polled = tasks.asked('tasks/get').length;
  tasks.set({ statusMessage: 'Analysing content' });
  await tasks.until(() => tasks.asked('tasks/get').length > polled);
  await chat.toolCall('research').getByText('Analysing content').waitFor();
  await before.close();

  const closed = tasks.asked('tasks/get').length;
  const after = await openPortside({ profile });
  await after.panel.getByRole('button', { name: 'New chat' }).click();
  await tasks.until(() => tasks.asked('tasks/get').length > closed);
  expect(model.requests).toHaveLength(1);
  tasks.set({ status: 'completed', result: { content: [{ type: 'text', text: 'Found three.' }] } });
  await until('the user is notified', async () => Object.keys(await notified(after)).length === 1);

  await after.panel.getByRole('button', { name: 'History' }).click();
  await after.panel.getByRole('link', { name: 'Look into it' }).click();
  const again = chatIn(after);
  await again.articles('Assistant').getByText('There are three.').waitFor();
  await unfold(after.panel);
  await again.toolCall('research').getByText('success', { exact: true }).waitFor();
  expect(unfenced(String(model.requests[1]?.body.messages.at(-1)?.content))).toBe('Found three.');
  expect(tasks.asked('tools/call')).toHaveLength(1);
  await after.close();
}, 60_000);
