import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { launchBrowser } from '../../../scripts/browser.ts';
import { buildExtension } from '../../../scripts/build.ts';
import { runNode } from '../../../scripts/run.ts';
import { command } from '../../../scripts/start/extension.ts';

it('npm run bench measures what the panel costs, in a browser, and what is loaded is within its budget', async () => {
  const parts = ['size', 'enter', 'answer', 'act'];
  const { code, output } = await runNode('tests/bench/bench.ts', ['--tiny', '--json', ...parts]);
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) }); // shows what it said
  const figures = JSON.parse(output) as { name: string; value: number; unit: string; target?: number }[];
  expect(figures.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  expect(figures.filter(({ target }) => target !== undefined)).toHaveLength(16);
  // What is no time is the same everywhere.
  expect(figures.filter(({ unit, value, target = value }) => unit === 'kB' && value > target)).toEqual([]);
}, 180_000);

it('npm run bench:panel measures an extension’s panel as a black box', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'portside-panel-'));
  const extension = await buildExtension({ browser: 'chrome', granted: true });
  const [port, tokens] = [String(await freePort()), '50'];
  const { options, close } = await launchBrowser({ extension, headless: true, profile });
  const baseUrl = `http://127.0.0.1:${port}/${tokens}/burst/v1`;
  await command(options, 'saveProvider', { name: 'Bench', preset: 'custom', baseUrl, model: 'bench' });
  await command(options, 'saveSettings', { makeTitles: false });
  await close();
  const args = { extension, profile, port, tokens, rounds: '1' };
  const flags = Object.entries(args).flatMap(([name, value]) => [`--${name}`, value]);
  const { code, output } = await runNode('tests/bench/any-panel.ts', [...flags, '--json']);
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
  const values = (JSON.parse(output) as { value: number }[]).map(({ value }) => value);
  expect([values.length, values.filter((value) => !(value > 0))]).toEqual([4, []]);
  await rm(profile, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
