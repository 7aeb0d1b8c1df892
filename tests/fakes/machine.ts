import { type Machine, pathsOf, type System } from '../../native-host/install/machine.ts';

const HOME: Record<System, string> = {
  linux: '/home/me',
  darwin: '/Users/me',
  win32: 'C:\\Users\\me',
};

type FakeMachine = Machine & {
  files: Map<string, string | Uint8Array>;
  folders: Set<string>;
  executables: Set<string>;
  /** Every program that was run, with its arguments. */
  ran: string[][];
  /** Default values of registry keys, as `reg.exe add` wrote them. */
  registry: Map<string, string>;
};

/**
 * A computer in memory. `folders`: what is there, below the user's home; `versions`: what Node says at a path;
 * `refuses`: folders that can't be written to, `hides`: that can't be looked into; both may change.
 */
export function fakeMachine(
  system: System,
  given: {
    folders?: string[];
    env?: Record<string, string>;
    versions?: Record<string, string>;
    links?: Record<string, string>;
    refuses?: string[];
    hides?: string[];
  } = {},
): FakeMachine {
  const home = HOME[system];
  const { join, dirname, basename } = pathsOf({ system });
  const files = new Map<string, string | Uint8Array>();
  const folders = new Set<string>();
  const executables = new Set<string>();
  const registry = new Map<string, string>();
  const ran: string[][] = [];
  const versions = given.versions ?? {};
  const add = (path: string): void => {
    if (folders.has(path)) return;
    folders.add(path);
    if (dirname(path) !== path) add(dirname(path));
  };
  [home, ...(given.folders ?? []).map((path) => join(home, path))].forEach(add);
  const isIn = (path: string, places: string[] = []): boolean =>
    places.some((each) => path.startsWith(join(home, each)));
  const refuse = (path: string): void => {
    if (isIn(path, given.refuses)) throw new Error(`EACCES: ${path}`);
  };
  const reg = ([action = '', key = '', ...rest]: string[]): { code: number; output: string } => {
    if (action === 'add') registry.set(key, rest[rest.indexOf('/d') + 1] ?? '');
    const value = registry.get(key);
    if (action === 'delete') registry.delete(key);
    return {
      code: value === undefined ? 1 : 0,
      output: `\r\n${key}\r\n    (Standard)    REG_SZ    ${value}\r\n`,
    };
  };
  return {
    system,
    home,
    env: { ...given.env },
    files,
    folders,
    executables,
    ran,
    registry,
    exists: (path) =>
      !isIn(path, given.hides) &&
      (files.has(path) || folders.has(path) || path in versions || path in (given.links ?? {})),
    denies: (path, what) =>
      what === 'run'
        ? system !== 'win32' && files.has(path) && !executables.has(path)
        : isIn(path, { read: given.hides, write: given.refuses }[what]),
    read: (path) => {
      const content = isIn(path, given.hides) ? undefined : files.get(path);
      return content === undefined ? null : String(content);
    },
    list: (folder) =>
      isIn(folder, given.hides)
        ? []
        : [...files.keys(), ...folders]
            .filter((path) => dirname(path) === folder)
            .map((path) => basename(path)),
    write: (path, content, executable) => {
      refuse(path);
      if (!folders.has(dirname(path))) throw new Error(`ENOENT: ${path}`);
      files.set(path, content);
      if (executable) executables.add(path);
    },
    makeFolder: (path) => {
      refuse(path);
      folders.add(path);
    },
    removeFile: (path) => {
      refuse(path);
      if (isIn(path, given.hides)) throw new Error(`EACCES: ${path}`);
      files.delete(path);
    },
    removeFolder: (path) => {
      const inside = [...files.keys(), ...folders].some((each) => dirname(each) === path && each !== path);
      if (!inside) folders.delete(path);
    },
    realPath: (path) => given.links?.[path] ?? path,
    run: (program, args) => {
      ran.push([program, ...args]);
      if (program.endsWith('reg.exe')) return reg(args);
      const version = versions[program];
      return version === undefined ? { code: null, output: '' } : { code: 0, output: `v${version}\n` };
    },
  };
}
