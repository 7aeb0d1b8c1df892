import { execSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { isAlive } from '../../../native-host/processes.ts';
import { root } from '../../../scripts/paths.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { openHome, type NativeHome } from '../support/native-home.ts';
import { GUARDED_MS } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { openAdvanced } from '../support/options-page.ts';

const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
let person: NativeHome;
let portside: Portside;
let page: Page;

beforeAll(async () => {
  person = await openHome('.config/chromium');
  portside = await openPortside({ profile: join(person.home, '.config/chromium') });
  page = portside.options;
  // A narrow page has no foot.
  await page.setViewportSize({ width: 1100, height: 800 });
});
afterAll(async () => {
  await portside.close();
  person.remove();
});

const goTo = (hash: string) => page.evaluate(`location.hash = '${hash}'`);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const check = () => page.getByRole('complementary', { name: 'Native host check' });
const foot = () => page.getByRole('navigation', { name: 'Settings' });

it('takes a user from no native host to one that is whole, with nothing to restart', async () => {
  await goTo('#servers/add');
  await openAdvanced(page);
  await field('Transport').selectOption('stdio');
  const command = 'node portside-native-host.mjs install';
  await check().getByText(command, { exact: true }).waitFor();
  await check().getByRole('link', { name: 'Installation and doctor' }).click();
  await page.getByText('problem: The browser can’t find the native host’s manifest').waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the installer' }).click();
  const installer = await saving;
  await installer.saveAs(join(person.home, installer.suggestedFilename()));
  const env = { HOME: person.home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  execSync(command, { cwd: person.home, env });
  await page.getByText(/^ok: Native host .* answers, with Node/).waitFor();
  await page.getByText(/^ok: Chromium: manifest present and valid, Portside allowed$/).waitFor();
  await foot()
    .getByRole('link', { name: /^Native host \d/ })
    .waitFor();
  expect(await page.getByText('problem:').count()).toBe(0);
  await page.getByText('No policy file').waitFor();
});

it('checks a program before it is saved, says what is wrong, and connects it when it is saved', async () => {
  await goTo('#servers/add');
  await openAdvanced(page);
  await field('Transport').selectOption('stdio');
  await field('Name').fill('Everything');
  await field('Command').fill('no-such-program');
  await button('Run check').click();
  await check().getByText('no-such-program was not found').waitFor();
  await check()
    .getByText(/^Searched: .*\/bin/)
    .waitFor();
  await field('Command').fill(process.execPath);
  await field('Arguments').fill(`${everything}\nstdio`);
  await button('Run check').click();
  await check()
    .getByText(/^ok: It answers: mcp-servers\/everything/)
    .waitFor();
  await button('Save').click();
  await page.getByText('Connected: Everything', { exact: true }).waitFor();
});

it.each([
  ['left', () => goTo('#servers')],
  ['taken away', () => page.reload()],
])('ends the program that it checks when the page is %s', async (_, leave) => {
  const noted = join(person.home, 'pid');
  await goTo('#servers/add');
  await openAdvanced(page);
  await field('Transport').selectOption('stdio');
  await field('Command').fill('/bin/sh');
  await field('Arguments').fill(`-c\necho $$ >"${noted}"; exec cat >"${noted}.out"`);
  await button('Run check').click();
  // What it reads is written there.
  await vi.waitUntil(() => existsSync(`${noted}.out`) && statSync(`${noted}.out`).size > 0, {
    timeout: 20_000,
  });
  const pid = Number(readFileSync(noted, 'utf8'));
  expect(isAlive(pid)).toBe(true);
  await leave();
  await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 });
  rmSync(`${noted}.out`);
});

it('shows all that an imported server starts, and starts it only once that is allowed', async () => {
  mkdirSync(join(person.home, '.cursor'));
  const config = {
    mcpServers: {
      Notes: { command: process.execPath, args: [everything, 'stdio', 'two\nlines'], env: { KEY: 's3cret' } },
    },
  };
  writeFileSync(join(person.home, '.cursor/mcp.json'), JSON.stringify(config));
  await goTo('#servers/import');
  await button('Look on this computer').click();
  await button('Use the file of Cursor').click();
  await page.getByRole('checkbox', { name: 'Import Notes' }).check();
  await button('Import').click();
  const launch = page.getByRole('region', { name: 'Notes starts this program on your computer' });
  await launch.getByText(everything).waitFor();
  await launch.getByText('two⏎lines', { exact: true }).waitFor();
  await launch.getByText('KEY', { exact: true }).waitFor();
  expect(await page.content()).not.toContain('s3cret');
  const start = launch.getByRole('button', { name: 'Allow and start' });
  // In the first moment it takes no press, nor where something lay over it, such as a page's popup.
  await new Promise((resolve) => setTimeout(resolve, GUARDED_MS));
  await start.dispatchEvent('pointerover', { pointerType: 'mouse' });
  await start.click();
  expect(await launch.count()).toBe(1);
  await until('it may be started', async () => {
    await start.click({ timeout: 1000 }).catch(() => {});
    return (await launch.count()) === 0;
  });
  const row = page.getByRole('list', { name: 'Servers added' }).getByRole('listitem', { name: 'Notes' });
  await row.getByRole('status').filter({ hasText: 'Connected' }).waitFor();
});

it('starts nothing for the doctor that the user declined, and says so', async () => {
  const started = join(person.home, 'started');
  const { id } = await portside.command('addServer', {
    name: 'Declined',
    enabled: true,
    toolTimeout: 30_000,
    trusted: false,
    oneAtATime: false,
    transport: 'stdio',
    command: '/bin/sh',
    args: ['-c', `echo 1 >"${started}"`],
  });
  await goTo(`#servers/${id}`);
  const launch = page.getByRole('region', { name: 'Declined starts this program on your computer' });
  await launch.getByRole('button', { name: 'Switch off' }).click();
  await launch.waitFor({ state: 'detached' });
  await goTo('#native-host');
  const servers = page.getByRole('main').getByRole('list', { name: 'Servers' });
  const declined = servers.getByRole('listitem', { name: 'Declined', exact: true });
  await declined.getByText('Not checked yet').waitFor();
  await button('Check servers').click();
  await declined.getByText('Waiting for you: review its command on its page first.').waitFor();
  await servers
    .getByText(/^ok: It answers: mcp-servers\/everything/)
    .first()
    .waitFor();
  expect(existsSync(started)).toBe(false);
});

it('starts each server for the doctor, and shows what the policy restricts', async () => {
  writeFileSync(join(person.home, '.local/share/portside/policy.json'), '{"commands": ["uvx"]}');
  await goTo('#native-host');
  await button('Check servers').click();
  const servers = page.getByRole('main').getByRole('list', { name: 'Servers' });
  await servers.getByText('is not allowed by the policy').first().waitFor();
  rmSync(join(person.home, '.local/share/portside/policy.json'));
  await button('Check servers').click();
  for (const name of ['Everything', 'Notes']) {
    await servers
      .getByRole('listitem', { name, exact: true })
      .getByText(/^ok: It answers: mcp-servers\/everything/)
      .waitFor();
  }
});
