import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { unzip } from 'unzipit';
import { entryOf } from '../lib/changelog.ts';
import { buildNativeHost } from './build-native-host.ts';
import { requireReleasable } from './changelog.ts';
import { root } from './paths.ts';
import { runNode } from './run.ts';
import { sizesOf } from './sizes.ts';

/** `npm run zip`: all that a release consists of, in .output/release; CONTRIBUTING.md, Releases, says what for. */
const { values } = parseArgs({ options: { verify: { type: 'boolean' }, tag: { type: 'string' } } });
const folder = join(root, '.output/release');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string };

try {
  if (values.tag !== undefined) requireReleasable(read('CHANGELOG.md'), version, values.tag);
  await release();
  if (values.verify) await verify();
  await requireSizes();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await zip(['-b', 'chrome'], ['chrome-store.zip'], { PORTSIDE_STORE: '1' });
  await zip(['-b', 'firefox'], ['firefox.zip']);
  // The last: its build is measured, and its sources are all of them, since WXT leaves out what Firefox has no use for.
  await zip(['-b', 'chrome'], ['chrome.zip', 'sources.zip']);
  await buildNativeHost();
  npm(join(root, 'native-host'), 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  writeFileSync(join(folder, `${name}-${version}-sbom.json`), billOfMaterials());
  const files = readdirSync(folder).toSorted();
  const sums = files.map((file) => `${sha256(readFileSync(join(folder, file)))}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  writeFileSync(join(folder, 'NOTES.md'), `${entryOf(read('CHANGELOG.md'), version)}\n`);
}

async function zip(args: string[], made: string[], env: Record<string, string> = {}): Promise<void> {
  const { code, output } = await runNode('node_modules/wxt/bin/wxt.mjs', ['zip', ...args], {
    env: { PORTSIDE_GRANTED: '0', PORTSIDE_STORE: '0', NO_COLOR: '1', ...env },
  });
  if (code !== 0) throw new Error(`wxt zip ${args.join(' ')} failed.\n${output.trim()}`);
  for (const each of made) {
    const file = `${name}-${version}-${each}`;
    renameSync(join(root, '.output', file), join(folder, file));
  }
}

/** What the packages hold of others, as npm lists it, without what differs from one listing to the next. */
function billOfMaterials(): string {
  const listed = npm(root, 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only');
  const { serialNumber: _, ...bill } = JSON.parse(listed) as {
    serialNumber: string;
    metadata: { timestamp?: string; component: { name: string } };
  };
  delete bill.metadata.timestamp;
  bill.metadata.component.name = name; // npm takes the folder's
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function npm(cwd: string, ...args: string[]): string {
  // Windows has npm as a .cmd, which only a shell starts.
  return execFileSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Prints how large everything is. @throws Error when something is larger than its budget */
async function requireSizes(): Promise<void> {
  const loaded = await sizesOf(join(root, '.output/chrome-mv3'));
  const packed = readdirSync(folder).map((file) => ({
    name: file,
    kB: readFileSync(join(folder, file)).length / 1000,
    budget: undefined,
  }));
  const rows = [...loaded.map((each) => ({ ...each, name: `${each.name}, gzip` })), ...packed];
  for (const { name: row, kB, budget } of rows) {
    const limit = budget === undefined ? '' : `of ${budget}${kB > budget ? ': TOO LARGE' : ''}`;
    process.stdout.write(`${row.padEnd(40)} ${kB.toFixed(1).padStart(8)} kB ${limit}\n`);
  }
  const over = loaded.filter(({ kB, budget }) => budget !== undefined && kB > budget);
  if (over.length > 0)
    throw new Error(
      `Over its budget: ${over.map(({ name: each }) => each).join(', ')}. See CONTRIBUTING.md, Releases.`,
    );
}

/** Makes everything again, elsewhere and out of the sources' zip alone. @throws Error when a byte differs */
async function verify(): Promise<void> {
  const again = join(root, '.cache/from-sources');
  rmSync(again, { recursive: true, force: true });
  const { entries } = await unzip(readFileSync(join(folder, `${name}-${version}-sources.zip`)));
  for (const [path, entry] of Object.entries(entries)) {
    mkdirSync(dirname(join(again, path)), { recursive: true });
    writeFileSync(join(again, path), new Uint8Array(await entry.arrayBuffer()));
  }
  symlinkSync(join(root, 'node_modules'), join(again, 'node_modules'), 'junction');
  spawnSync(process.execPath, ['scripts/zip.ts'], { cwd: again, stdio: 'ignore' });
  const sums = (of: string) => readFileSync(join(of, '.output/release/SHA256SUMS'), 'utf8');
  if (!existsSync(join(again, '.output/release/SHA256SUMS')))
    throw new Error(`The sources’ zip makes no release. Run node scripts/zip.ts in ${again} to see why.`);
  if (sums(again) !== sums(root)) throw new Error(`Made twice, it differs:\n${sums(root)}\n${sums(again)}`);
  process.stdout.write('Made twice, the second time out of the sources’ zip: the same bytes.\n');
}
