import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { userInfo } from 'node:os';

/** A shell whose start-up files ask something, or hang, is not waited for any longer, in milliseconds. */
const PATIENCE = 5000;
const MARK = '_portside_path_';

/**
 * The folders in which the person's own terminal would look for commands: a browser that was started from a menu has few
 * of them. What the native host has itself comes after them; if the shell does not tell in time, that is all.
 */
export async function loginPath(env = process.env, timeout = PATIENCE): Promise<string[]> {
  const own = foldersIn(env['PATH'] ?? env['Path'] ?? '');
  if (process.platform === 'win32') return own;
  const said = await askShell(shellOf(env), env, timeout);
  return [...new Set([...foldersIn(said), ...own])];
}

export function foldersIn(path: string): string[] {
  return path.split(delimiter).filter((folder) => folder !== '');
}

function shellOf(env: NodeJS.ProcessEnv): string {
  return env['SHELL'] || userInfo().shell || '/bin/sh';
}

/**
 * Its PATH, or nothing. Start-up files may print things of their own, so that what is meant stands between marks; `env`
 * says it in one way in all shells, fish too. In a session of its own, the shell can't take anybody's terminal.
 */
function askShell(shell: string, env: NodeJS.ProcessEnv, timeout: number): Promise<string> {
  const script = `printf '%s\\n' ${MARK}; /usr/bin/env; printf '%s\\n' ${MARK}`;
  return new Promise((resolve) => {
    const child = spawn(shell, ['-i', '-l', '-c', script], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    const done = (): void => {
      clearTimeout(timer);
      resolve(pathIn(text));
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        return; // it ended by itself
      }
    };
    const timer = setTimeout(done, timeout);
    child.on('error', done);
    child.on('exit', () => setImmediate(done));
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.split(MARK).length > 2) done();
    });
  });
}

function pathIn(text: string): string {
  const [, listed = ''] = text.split(MARK);
  return /^PATH=(.*)$/m.exec(listed)?.[1] ?? '';
}
