import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';
import { runNode } from '../../scripts/run.ts';

const folder = join(root, '.cache', 'failures', 'fails.test.ts-fails-on-purpose');

it('a browser test that fails leaves pictures, consoles, the worker’s starts and what is stored, and says where', async () => {
  await rm(folder, { recursive: true, force: true });
  const args = ['run', '--project', 'e2e', 'tests/e2e/on-purpose/fails.test.ts'];
  const { code, output } = await runNode('node_modules/vitest/vitest.mjs', args, {
    env: { PORTSIDE_ON_PURPOSE: '1' },
  });
  expect(code).toBe(1);
  expect(output).toContain(folder);
  const files = await readdir(folder);
  expect(files.filter((name) => name.endsWith('.png'))).toHaveLength(2);
  expect(files).toEqual(expect.arrayContaining(['0-console.txt', '0-state.json']));
  const console = await readFile(join(folder, '0-console.txt'), 'utf8');
  expect(console).toMatch(/worker started[^]*said before it failed/);
  const panel = files.find((name) => name.endsWith('sidepanel.html')) ?? '';
  expect(await readFile(join(folder, panel), 'utf8')).toContain('aria-label="Message"');
  expect(JSON.parse(await readFile(join(folder, '0-state.json'), 'utf8'))).toEqual({
    conversations: [],
    runs: [],
  });
}, 60_000);
