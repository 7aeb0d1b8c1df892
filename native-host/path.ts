import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { userInfo } from 'node:os';

/** A shell whose start-up files ask something, or hang, is not waited for any longer, in milliseconds. */
const TIMEOUT_MS = 5000;
const MARK = '_portside_path_';

/** `isSlow`: the shell did not tell in time, so that these are not all. */
export type FoundPath = { folders: string[]; isSlow: boolean };

/** `isAnew`: what was found before does not do, since something may have been installed meanwhile. */
export type LoginPath = (isAnew?: boolean) => Promise<FoundPath>;

/**
 * The folders in which the user's own terminal would look for commands: a browser that was started from a menu has few
 * of them. What the native host has itself comes after them; if the shell does not tell in time, that is all, and it is
 * asked again the next time.
 * @param over aborted once the result is not wanted any more: a shell that is being asked is ended
 */
export function createLoginPath(over: AbortSignal, env = process.env, timeout = TIMEOUT_MS): LoginPath {
  let kept: Promise<FoundPath> | undefined;
  let isAsking = false;
  const ask = async (): Promise<FoundPath> => {
    const own = foldersIn(env['PATH'] ?? env['Path'] ?? '');
    if (process.platform === 'win32') return { folders: own, isSlow: false };
    isAsking = true;
    const said = over.aborted ? null : await askShell(shellOf(env), env, timeout, over);
    isAsking = false;
    if (said === null) kept = undefined;
    return { folders: [...new Set([...foldersIn(said ?? ''), ...own])], isSlow: said === null };
  };
  return (isAnew = false) => {
    if (isAnew && !isAsking) kept = undefined;
    return (kept ??= ask());
  };
}

export function foldersIn(path: string): string[] {
  return path.split(delimiter).filter((folder) => folder !== '');
}

function shellOf(env: NodeJS.ProcessEnv): string {
  return env['SHELL'] || userInfo().shell || '/bin/sh';
}

/**
 * Its PATH, empty if it has none to tell, null if it was not told in time. Start-up files may print things of their own, so that what is meant stands between marks; `env`
 * says it in one way in all shells, fish too. In a session of its own, the shell can't take the user's terminal.
 */
function askShell(
  shell: string,
  env: NodeJS.ProcessEnv,
  timeout: number,
  over: AbortSignal,
): Promise<string | null> {
  const script = `printf '%s\\n' ${MARK}; /usr/bin/env; printf '%s\\n' ${MARK}`;
  return new Promise((resolve) => {
    const child = spawn(shell, ['-i', '-l', '-c', script], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    let isLate = false;
    const done = (): void => {
      clearTimeout(timer);
      over.removeEventListener('abort', giveUp);
      resolve(isLate ? null : pathIn(text));
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        return; // it ended by itself
      }
    };
    const giveUp = (): void => {
      isLate = true;
      done();
    };
    const timer = setTimeout(giveUp, timeout);
    over.addEventListener('abort', giveUp);
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
