import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { join } from 'node:path';
import type { NpmServer } from './catalogue.ts';
import type { Program } from './client.ts';

const run = promisify(execFile);

/** Milliseconds for a package with all that it needs, and for a server to listen. */
const INSTALLING = 300_000;
const LISTENING = 60_000;

/** What a server gets besides its own: all that it and npm keep is in `cache`, and it comes out of there. */
export const environment = (cache: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(cache, 'home'),
  npm_config_cache: join(cache, 'npm'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
});

/** The newest version on the registry. @throws Error with npm's words */
export async function newest(name: string): Promise<string> {
  const { stdout } = await run('npm', ['view', name, 'version']);
  return stdout.trim();
}

/** The arguments of npx that start a server, whose package is there then; no install script runs. @throws Error with npm's words */
export async function install(
  { name, command = '' }: NpmServer,
  version: string,
  cache: string,
  cwd: string,
): Promise<string[]> {
  const from = ['-y', `--package=${name}@${version}`];
  const env = { ...process.env, npm_config_cache: join(cache, 'npm'), npm_config_ignore_scripts: 'true' };
  await run('npx', [...from, '--', 'node', '--version'], { cwd, env, timeout: INSTALLING });
  return command === '' ? ['-y', `${name}@${version}`] : [...from, '--', command];
}

/** Starts one that listens. @throws Error with its last words when it does not */
export async function listen(program: Program, port: number, path: string) {
  const { command, args, ...options } = program;
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const close = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL'); // npx, and the server beneath it
  };
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += String(text)));
  for (const until = Date.now() + LISTENING; !(await listens(port)); await setTimeout(200)) {
    if (child.exitCode === null && Date.now() < until) continue;
    close();
    throw new Error(`It does not listen: ${said.trim().slice(-300)}`);
  }
  return { url: `http://127.0.0.1:${port}${path}`, close };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}
