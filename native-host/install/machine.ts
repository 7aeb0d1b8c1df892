import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32, type PlatformPath } from 'node:path';

export type System = 'linux' | 'darwin' | 'win32';

type Access = 'read' | 'write' | 'run';

/** What the installer sees and changes of a computer. Paths are absolute, in the system's own form. */
export type Machine = {
  system: System;
  home: string;
  env: Record<string, string | undefined>;
  exists: (path: string) => boolean;
  /** Whether the user may not do this there, as far as that is known without doing it. */
  denies: (path: string, what: Access) => boolean;
  /** null when it can't be read. */
  read: (path: string) => string | null;
  /** The names of what is in a folder; none when it can't be read. */
  list: (folder: string) => string[];
  /** Puts the whole file in place at once; its folder has to be there. @throws Error of the file system */
  write: (path: string, content: string | Uint8Array, executable?: boolean) => void;
  /** @throws Error of the file system */
  makeFolder: (path: string) => void;
  /** @throws Error of the file system, but not when there is none */
  removeFile: (path: string) => void;
  /** Leaves a folder that holds something. */
  removeFolder: (path: string) => void;
  /** Where a path leads through links; the path itself when it leads nowhere. */
  realPath: (path: string) => string;
  /** Runs a program to its end, without a shell and without input. `code` is null when it did not run. */
  run: (program: string, args: string[]) => { code: number | null; output: string };
};

export const pathsOf = ({ system }: Pick<Machine, 'system'>): PlatformPath =>
  system === 'win32' ? win32 : posix;

/** The folder of a file, or the nearest above it that is there. */
export function folderAbove(machine: Machine, file: string): string {
  const { dirname } = pathsOf(machine);
  let folder = dirname(file);
  while (!machine.exists(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

/** This computer. Systems that are neither Windows nor macOS are treated as Linux. */
export function thisMachine(): Machine {
  const { platform } = process;
  return {
    system: platform === 'win32' || platform === 'darwin' ? platform : 'linux',
    home: homedir(),
    env: process.env,
    exists: existsSync,
    denies,
    read: (path) => orNull(() => readFileSync(path, 'utf8')),
    list: (folder) => orNull(() => readdirSync(folder)) ?? [],
    write: (path, content, executable = false) => {
      const written = `${path}.${process.pid}.new`;
      writeFileSync(written, content);
      if (executable) chmodSync(written, 0o755);
      renameSync(written, path);
    },
    makeFolder: (path) => void mkdirSync(path),
    removeFile: (path) => rmSync(path, { force: true }),
    removeFolder: (path) => void orNull(() => rmdirSync(path)),
    realPath: (path) => orNull(() => realpathSync(path)) ?? path,
    run: (program, args) => {
      const { status, stdout } = spawnSync(program, args, {
        stdio: ['ignore', 'pipe', 'ignore'],
        encoding: 'utf8',
        timeout: 10_000,
        windowsHide: true,
      });
      return { code: status, output: stdout ?? '' };
    },
  };
}

/** Of a file in an unreadable folder, it is the folder that says so. */
function denies(path: string, what: Access): boolean {
  try {
    accessSync(path, { read: constants.R_OK, write: constants.W_OK, run: constants.X_OK }[what]);
    return false;
  } catch (error) {
    return error instanceof Error && isDenial(error.message);
  }
}

/** Whether what the file system said, in Node's words, is that the user has no right to it. */
export const isDenial = (why: string): boolean => /^(?:EACCES|EPERM|EROFS)\b/.test(why);

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
