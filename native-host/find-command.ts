import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';

/** The file that a command means: itself if it names a folder (from `cwd`), else the first of its name in `path`. */
export async function findCommand(command: string, path: string[], cwd = '/'): Promise<string | undefined> {
  const named = fromHome(command);
  const names = process.platform === 'win32' ? withExtensions(named) : [named];
  const folders = isPath(named) ? [cwd] : path;
  for (const folder of folders) {
    for (const name of names) {
      const file = resolve(folder, name);
      if (await isProgram(file)) return file;
    }
  }
  return undefined;
}

export function isPath(command: string): boolean {
  return process.platform === 'win32' ? /[\\/]/.test(command) : command.includes('/');
}

/** A path that begins with `~`, as a shell would expand it. */
export const fromHome = (path: string): string => path.replace(/^~(?=$|[\\/])/, () => homedir());

/** Whether something is there that is no program; undefined: nothing is. */
export async function misfit(file: string): Promise<'folder' | 'not_executable' | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return undefined;
  return found.isDirectory() ? 'folder' : 'not_executable';
}

/** As Windows tries them. */
function withExtensions(command: string): string[] {
  const known = (process.env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const has = known.some((each) => each.toLowerCase() === extname(command).toLowerCase());
  return has ? [command] : known.map((extension) => command + extension);
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

export const isBatch = (file: string): boolean => /\.(?:cmd|bat)$/i.test(file);

/**
 * What to run in place of a batch file, which only a shell could: npm's own (`npx.cmd`) and those it makes for packages
 * start Node with a script, which their text names. Undefined for any other.
 */
export async function scriptIn(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, script] = /(?:CLI_JS=|")%(?:~dp0|dp0%)\\?([^"%]+\.[cm]?js)"/i.exec(text) ?? [];
  return script === undefined ? undefined : join(dirname(file), ...script.split('\\'));
}
