import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { pdf } from '../../files/made.ts';
import { type RealServer, startExampleApp } from './real-servers.ts';
import { addServer, decide, openScene, type Scene, server } from '../support/scene.ts';

let scene: Scene;
const folder = mkdtempSync(join(tmpdir(), 'portside-apps-'));
const file = join(folder, 'harbour.pdf');
const examples: RealServer[] = [];

beforeAll(async () => {
  writeFileSync(file, pdf([['Tide tables']]));
  scene = await openScene();
});
afterAll(async () => {
  await scene.close();
  await Promise.all(examples.map(({ kill }) => kill()));
  rmSync(folder, { recursive: true });
});

/** Adds an example server. @returns its id */
async function add(name: Parameters<typeof startExampleApp>[0], ...args: string[]): Promise<number> {
  const example = await startExampleApp(name, ...args);
  examples.push(example);
  return addServer(scene.portside, server(`http://127.0.0.1:${example.port}/mcp`, { name }));
}

/** Has the model call a tool, which is allowed before, in a chat of its own. @returns the app that shows the call */
async function show(id: number, tool: string, args: object, allowed: string[] = []): Promise<Locator> {
  const { portside, model, ask, idle, articles } = scene;
  await portside.panel.getByRole('button', { name: 'New chat' }).click();
  for (const name of [tool, ...allowed])
    await portside.command('setTool', { serverId: id, name, permission: 'allow' });
  const name = `mcp__${id}__${tool}`;
  model.script(
    stream(call({ id: 'c1', name, arguments: JSON.stringify(args) })),
    stream(text('There it is.')),
  );
  await ask('Show me');
  await articles('Assistant').getByText('There it is.').waitFor();
  await idle();
  return portside.panel.getByRole('region', { name: 'App of' });
}

const inside = (app: Locator) => app.frameLocator('iframe');

describe('the official example apps', () => {
  it('server-basic-vanillajs: calls its tool again, proposes a message, asks for a link', async () => {
    const { portside } = scene;
    const app = await show(await add('basic-vanillajs'), 'get-time', {});
    await inside(app)
      .locator('#server-time')
      .filter({ hasText: /^20\d\d-/ })
      .waitFor();
    await inside(app).getByRole('button', { name: 'Get Server Time' }).click();
    await app
      .getByRole('group', { name: 'Tool call: get-time' })
      .and(app.locator('[data-status=success]'))
      .waitFor();
    await inside(app).getByRole('button', { name: 'Send Message' }).click();
    const message = app.getByRole('group', { name: 'The app of basic-vanillajs suggests a message' });
    await expect
      .poll(async () => {
        await message
          .getByRole('button', { name: 'Put into my message' })
          .click({ timeout: 1000 })
          .catch(() => undefined);
        return portside.panel.getByRole('textbox', { name: 'Message' }).inputValue();
      })
      .toBe('This is message text.');
    await inside(app).getByRole('button', { name: 'Open Link' }).click();
    const link = app.getByRole('group', { name: 'The app of basic-vanillajs wants to open a page' });
    await link.getByRole('link', { name: 'Open modelcontextprotocol.io' }).waitFor();
  });

  it('server-budget-allocator: draws its data and fills the panel', async () => {
    const app = await show(await add('budget-allocator'), 'get-budget-data', {});
    await inside(app).getByText('Allocated: $').waitFor();
    await app.getByRole('button', { name: 'Fill the panel' }).click();
    await scene.portside.panel.keyboard.press('Escape');
    await app.getByRole('button', { name: 'Fill the panel' }).waitFor();
    const opening = scene.portside.context.waitForEvent('page');
    await app.getByRole('link', { name: 'Open in a tab' }).click();
    const tab = await opening;
    const alone = tab.getByRole('region', { name: 'App of budget-allocator' });
    await inside(alone).getByText('Allocated: $').waitFor();
    await alone.getByRole('button', { name: 'Back into the chat' }).waitFor();
    await tab.close();
  });

  it('server-system-monitor: polls by a tool that models are not offered, once that is allowed', async () => {
    const { portside, model } = scene;
    const app = await show(await add('system-monitor'), 'get-system-info', {});
    expect(JSON.stringify(model.requests.at(-1)?.body.tools)).not.toContain('poll-system-stats');
    await inside(app).locator('#info-hostname').filter({ hasNotText: /^--$/ }).waitFor();
    const asked = app.getByRole('alertdialog', { name: 'Approve poll-system-stats' });
    await asked.waitFor();
    expect(await decide(asked, 'Allow for this chat')).toContain(
      'Asked for by the app above, not by the model.',
    );
    await inside(app).locator('#memory-percent').filter({ hasText: /\d/ }).waitFor();
    expect(portside.complaints()).toEqual([]);
  });

  it('server-pdf: reads a file by its own tools and draws it', async () => {
    const id = await add('pdf', file);
    const url = pathToFileURL(file).href;
    const app = await show(id, 'display_pdf', { url }, ['read_pdf_bytes', 'poll_pdf_commands']);
    await inside(app).getByText('Tide tables').waitFor();
  });
});
