import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import { snapshots } from './open-browsers.ts';

/**
 * What was in the browsers of what failed: a picture of each page and what is in it, the console of pages and worker with
 * the worker's starts, and which chats and runs there are; in `.cache/failures/`.
 */
export async function keepBrowsers(title: string): Promise<void> {
  const browsers = await snapshots();
  if (browsers.length === 0) return;
  const name = title.replaceAll(/[^\p{L}\d.]+/gu, '-');
  const folder = join(root, '.cache', 'failures', name.slice(0, 120));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = browsers.flatMap((browser, index) =>
    Object.entries(browser).map(([file, content]) => writeFile(join(folder, `${index}-${file}`), content)),
  );
  await Promise.all(files);
  process.stderr.write(`What was in the browser when it failed: ${folder}\n`);
}
