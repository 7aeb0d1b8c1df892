import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import { snapshots } from './open-browsers.ts';

/** Characters of a panel's text, from its end. */
const MOST = 600;

/**
 * What was in the browsers of what failed: a picture of each page and what is in it, the console of pages and worker with
 * the worker's starts, and which chats and runs there are; in `.cache/failures/`.
 * @returns what could be read in the panels, cut
 */
export async function keepBrowsers(title: string): Promise<string> {
  const browsers = await snapshots();
  if (browsers.length === 0) return '';
  const name = title.replaceAll(/[^\p{L}\d.]+/gu, '-');
  const folder = join(root, '.cache', 'failures', name.slice(0, 120));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = browsers.flatMap((browser, index) =>
    Object.entries(browser).map(([file, content]) => writeFile(join(folder, `${index}-${file}`), content)),
  );
  await Promise.all(files);
  process.stderr.write(`What was in the browser when it failed: ${folder}\n`);
  const read = browsers.flatMap((browser) =>
    Object.entries(browser).filter(([file]) => file.endsWith('sidepanel.txt')),
  );
  return read.map(([, text]) => `\n\nIn the panel stood:\n${String(text).slice(-MOST)}`).join('');
}
