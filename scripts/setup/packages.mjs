import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { giveUp, runQuietly, say } from './command.mjs';

/** wxt, vite and our own `.ts` scripts need this much. */
const oldestNode = [22, 12];

/** Installs the packages unless node_modules already holds what package-lock.json asks for. */
export async function installPackages(root) {
  const record = join(root, 'node_modules', '.portside-lock');
  const wanted = `${createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')} ${process.platform}-${process.arch}\n`;
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted) return;
  say('installing the packages (npm), about a minute…');
  let outcome = await npm(root, ['ci']);
  if (outcome.code !== 0 && outcome.output.includes('code EUSAGE')) {
    // A lockfile made where the registry lacks other platforms' optional packages is no good to `npm ci`.
    outcome = await npm(root, ['install', '--no-save']);
  }
  if (outcome.code !== 0 && isRecent(process.versions.node)) {
    // The `node` package's own install script may fail where this process's Node will do.
    outcome = await npm(root, ['install', '--no-save', '--ignore-scripts']);
  }
  if (outcome.code !== 0) {
    giveUp(
      'npm could not install the packages:',
      `${outcome.output.split('\n').slice(0, 5).join('\n')}\n` +
        'Check that this computer reaches the npm registry (npm ping), then run the same command again.',
    );
  }
  writeFileSync(record, wanted);
}

/** The Node that runs the rest: the one that the `node` package brought, else this one if it is recent enough. */
export async function findNode(root) {
  const ending = process.platform === 'win32' ? '.exe' : '';
  const own = join(root, 'node_modules', 'node', 'bin', `node${ending}`);
  if (existsSync(own) && (await runQuietly(own, ['--version'], { timeout: 20_000 })).code === 0) return own;
  if (isRecent(process.versions.node)) return process.execPath;
  return giveUp(
    `Node ${process.versions.node} is too old here, and the newer one among the packages does not run.`,
    'Delete node_modules and run the same command again, or install Node 24 from https://nodejs.org.',
  );
}

function isRecent(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

/**
 * npm as the user has it, on the user's Node: an npm script has node_modules/.bin in front on its PATH, and the
 * Node in there is about to be replaced.
 */
function npm(root, args) {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
  const env = { ...process.env, PATH: path };
  const quiet = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  if (cli && node) return runQuietly(node, [cli, ...quiet], { env, cwd: root });
  return runQuietly('npm', quiet, { env, cwd: root, shell: process.platform === 'win32' });
}
