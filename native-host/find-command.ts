import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';

/** The file that a command means: itself if it names a folder (from `cwd`), else the first of its name in `path`. */
export async function findCommand(command: string, path: string[], cwd = '/'): Promise<string | undefined> {
  const names = process.platform === 'win32' ? withExtensions(command) : [command];
  const folders = isPath(command) ? [cwd] : path;
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
