import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../scripts/paths.ts';
import { runNode } from '../../../scripts/run.ts';
import { findFirefox } from '../../../scripts/setup/programs.mjs';

const folderOf = (title: string): string =>
  join(root, '.cache', 'failures', `fails.test.ts-on-purpose-fails-in-${title}`);

const inExtension = {
  page: 'sidepanel.html',
  said: /worker started[^]*said before it failed/,
  state: { conversations: [], runs: [] },
};
/** What is kept of each browser. */
const browsers = [
  { title: 'a-browser-of-its-file', pictures: 2, ...inExtension },
  { title: 'a-browser-that-it-closes', pictures: 3, ...inExtension },
  ...(findFirefox() ? [{ title: 'Firefox', pictures: 2, ...inExtension }] : []),
  { title: 'the-gallery', pictures: 1, page: 'index.html', said: /said before it failed/, state: undefined },
];

describe('of a browser test that fails', () => {
  let output: string;
  beforeAll(async () => {
    await Promise.all(browsers.map(({ title }) => rm(folderOf(title), { recursive: true, force: true })));
    const args = ['run', '--project', 'e2e', 'tests/e2e/browser/on-purpose/fails.test.ts'];
    ({ output } = await runNode('node_modules/vitest/vitest.mjs', args, {
      env: { PORTSIDE_ON_PURPOSE: '1' },
    }));
  }, 180_000);

  it.each(browsers)(
    'its own browser’s pictures, console and state are kept, and it says where: $title',
    async ({ title, page, pictures, said, state }) => {
      const folder = folderOf(title);
      expect(output).toContain(folder);
      const files = await readdir(folder);
      const read = (name: string) => readFile(join(folder, name), 'utf8');
      expect(files.filter((name) => name.endsWith('.png'))).toHaveLength(pictures);
      expect(files.filter((name) => name.endsWith('console.txt'))).toEqual(['0-console.txt']);
      expect(await read('0-console.txt')).toMatch(said);
      const html = files.filter((name) => name.endsWith(page));
      expect(html).toHaveLength(1);
      expect(await read(html[0] ?? '')).toMatch(/aria-label="⟦?Message/);
      const kept = files.includes('0-state.json') ? JSON.parse(await read('0-state.json')) : undefined;
      expect(kept).toEqual(state);
    },
  );

  it('its panel’s text stands in its error', () => {
    expect(output).toMatch(/AssertionError[^]*In the panel stood:[^]*Try the demo model/);
  });
});
