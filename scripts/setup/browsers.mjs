import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { giveUp, runQuietly, say } from './command.mjs';
import { findChromium, findFirefox, findOnPath } from './programs.mjs';

const isRoot = process.getuid?.() === 0;
const minute = 60_000;

/** On a closed network apt would otherwise wait for minutes. */
const aptTimeouts = [
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=20',
  '-o',
  'Acquire::https::Timeout=20',
];

const chromiumPackages = ['chromium', 'fonts-liberation'];

/** What the browser tests need besides a Chromium. */
const testPrograms = [
  { name: 'Firefox', packages: ['firefox-esr'], find: findFirefox },
  ...['Xvfb', 'openbox', 'xdotool'].map((name) => ({
    name,
    packages: [name.toLowerCase()],
    find: () => findOnPath([name]),
  })),
];

/** A Chromium that runs: an installed one, else from apt (as root, where there is one), else playwright's download. */
export async function provideChromium(root, node) {
  const found = findChromium();
  if (found && existsSync(found)) return found;
  if (found)
    giveUp(`PORTSIDE_BROWSER names ${found}, which does not exist.`, 'Correct the path, or unset it.');
  await aptInstall(chromiumPackages);
  return (
    findChromium() ??
    (await downloaded(root)) ??
    (await download(root, node)) ??
    giveUp(
      'there is no Chromium, Chrome or Edge here, and none could be fetched.',
      'Install one (Debian, Ubuntu: sudo apt install chromium; elsewhere https://www.google.com/chrome),\n' +
        'or set PORTSIDE_BROWSER to the path of one. Then run the same command again.',
    )
  );
}

/**
 * Installs what the tests need, where that is possible: a Chromium at once with what goes beside it. What stays missing
 * of the latter is said here, once.
 */
export async function provideTestPrograms() {
  if (process.platform === 'linux') {
    const missing = missingTestPrograms().flatMap(({ packages }) => packages);
    await aptInstall(findChromium() ? missing : [...chromiumPackages, ...missing]);
  }
  for (const { name } of missingTestPrograms())
    say(`${name} is not installed: the tests that need it are skipped.`);
}

function missingTestPrograms() {
  return testPrograms.filter(({ find }) => find() === undefined);
}

async function aptInstall(packages) {
  if (!isRoot || packages.length === 0 || !findOnPath(['apt-get'])) return;
  say(`installing ${packages.join(', ')} (apt-get)…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runQuietly('apt-get', ['-q', ...aptTimeouts, 'update'], { env, timeout: 3 * minute });
  const install = ['-q', ...aptTimeouts, 'install', '-y', '--no-install-recommends', ...packages];
  const { code, output } = await runQuietly('apt-get', install, { env, timeout: 8 * minute });
  if (code !== 0) say(`apt-get could not: ${output.split('\n').at(-1)}`);
}

async function downloaded(root) {
  const entry = join(root, 'node_modules', 'playwright-core', 'index.mjs');
  const { chromium } = await import(pathToFileURL(entry).href);
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : undefined;
}

/** Asks the download host for a sign of life first: on a closed network its own retries last for minutes. */
async function download(root, node) {
  const reachable = await fetch('https://cdn.playwright.dev', {
    method: 'HEAD',
    signal: AbortSignal.timeout(8000),
  }).then(
    () => true,
    () => false,
  );
  if (!reachable) return undefined;
  say('downloading Chromium (playwright), about 200 MB…');
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js');
  const args = [cli, 'install', ...(isRoot ? ['--with-deps'] : []), '--no-shell', 'chromium'];
  const { code, output } = await runQuietly(node, args, { timeout: 8 * minute });
  if (code !== 0) say(`the download failed: ${output.split('\n').at(-1)}`);
  return downloaded(root);
}
