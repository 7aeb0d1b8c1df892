import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { openBrowsers, type OpenBrowser } from './open-browsers.ts';
import { readRows } from './rows.ts';

/**
 * What stands in the browsers that are open, when something failed: a picture of each page and what is in it, the console
 * of pages and worker with the worker's starts, and which chats and runs there are; in `.cache/failures/`.
 */
export async function keepBrowsers(title: string): Promise<void> {
  if (openBrowsers.size === 0) return;
  const name = title.replaceAll(/[^\p{L}\d.]+/gu, '-');
  const folder = join(root, '.cache', 'failures', name.slice(0, 120));
  await mkdir(folder, { recursive: true });
  for (const [index, browser] of [...openBrowsers].entries()) await keep(browser, folder, index);
  process.stderr.write(`What stood in the browser when it failed: ${folder}\n`);
}

/** What can't be had any more is left out: the test has said what was wrong. */
async function keep({ pages, options, log }: OpenBrowser, folder: string, browser: number): Promise<void> {
  const write = (name: string, text: string | Uint8Array) =>
    writeFile(join(folder, `${browser}-${name}`), text);
  const attempts: Promise<unknown>[] = [write('console.txt', `${log.join('\n')}\n`)];
  for (const [index, { url, picture, html }] of (await pages()).entries()) {
    const name = `${index}-${url.split('/').at(-1)?.replace(/\W.*/, '') ?? ''}`;
    attempts.push(
      picture().then((png) => write(`${name}.png`, png)),
      html().then((text) => write(`${name}.html`, text)),
    );
  }
  attempts.push(
    Promise.all([readRows(options, 'conversations'), readRows(options, 'runs')]).then(
      ([conversations, runs]) => write('state.json', JSON.stringify({ conversations, runs }, null, 2)),
    ),
  );
  await Promise.allSettled(attempts);
}
