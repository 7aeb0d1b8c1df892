import { NATIVE_HOST } from '../../lib/types/native-host.ts';
import { browsersOn, type Browser, type BrowserId } from './browsers.ts';
import { foldersOf } from './folders.ts';
import { folderAbove, isDenial, pathsOf, type Machine } from './machine.ts';
import { nodeToUse } from './node-path.ts';
import { manifestPath, planInstall, type Plan, type PlannedFile } from './plan.ts';
import { keepRecord, leadsElsewhere, readRecord, type InstallRecord } from './record.ts';
import { removeKey, writeKey } from './windows-registry.ts';
import { t } from '../../locales/texts/terminal.ts';

export type InstallInput = {
  version: string;
  /** The text of the file that is installed. */
  program: string;
  /** The Node that runs the installer. */
  running: string;
  /** Besides those that are found: as the command line names them. */
  browsers: BrowserId[];
  /** Chromium extensions besides our own. */
  ids: string[];
};

export type Installed = {
  folder: string;
  node: string;
  /** Browsers that find the native host now; `fault`: that one does not, since this could not be written, `fix`: what to do. */
  browsers: { browser: Browser; fault?: string; fix?: string }[];
  /** Browsers that can't start it. */
  confined: Browser[];
};

/**
 * Installs the native host for the browsers that have been used here, over an earlier installation.
 * What can't be written for one browser does not keep it from the others. @throws Error in words, for what all need
 */
export function install(machine: Machine, input: InstallInput): Installed {
  const folders = foldersOf(machine);
  const before = readRecord(machine, folders);
  const all = browsersOn(machine, folders, NATIVE_HOST);
  const chosen = all.filter(({ id, found }) => found === 'yes' || input.browsers.includes(id));
  const ids = [...new Set([...(before?.ids ?? []), ...input.ids])];
  const node = nodeToUse(machine, input.running);
  const plan = planInstall(machine, folders, { browsers: chosen, node, program: input.program, ids });
  const made: string[] = before?.folders ?? [];
  const isOwn = ({ path }: PlannedFile): boolean => path.startsWith(folders.portside);
  for (const [path, fault] of writeFiles(machine, plan.files.filter(isOwn), made)) {
    throw new Error(
      [t(($) => $.install.notWritten, { why: fault }), fixOf(machine, fault, path)].join('\n').trim(),
    );
  }
  const others = plan.files.filter((file) => !isOwn(file));
  const faults = writeFiles(machine, others, made);
  for (const key of plan.keys) note(faults, key.key, () => writeKey(machine, key));
  const stale = removeStale(machine, before, plan);
  const results = chosen.map((browser) => {
    const manifest = manifestPath(machine, folders, browser);
    const fault = [manifest, ...browser.keys.slice(0, 1)]
      .map((place) => faults.get(place))
      .find((each) => each !== undefined);
    if (fault === undefined) return { browser };
    return { browser, fault, fix: fixOf(machine, fault, manifest) };
  });
  keepRecord(machine, folders, {
    version: input.version,
    node,
    browsers: results.filter(({ fault }) => fault === undefined).map(({ browser }) => browser.id),
    ids,
    files: [...plan.files.map(({ path }) => path), ...stale.files],
    folders: made,
    keys: [...plan.keys, ...stale.keys],
  });
  return {
    folder: folders.portside,
    node,
    browsers: results,
    confined: all.filter((browser) => browser.found === 'confined' && !chosen.includes(browser)),
  };
}

/** Tries; what is refused is a fault of that place alone. */
export function note(faults: Map<string, string>, place: string, attempt: () => void): void {
  try {
    attempt();
  } catch (error) {
    faults.set(place, error instanceof Error ? error.message : String(error));
  }
}

/** @returns what could not be written, and why */
function writeFiles(machine: Machine, files: PlannedFile[], made: string[]): Map<string, string> {
  const faults = new Map<string, string>();
  for (const { path, content, executable } of files) {
    note(faults, path, () => {
      makeFolders(machine, pathsOf(machine).dirname(path), made);
      machine.write(path, content, executable);
    });
  }
  return faults;
}

/** Makes a folder and those around it; what was made is added to `made`. */
function makeFolders(machine: Machine, path: string, made: string[]): void {
  if (machine.exists(path)) return;
  makeFolders(machine, pathsOf(machine).dirname(path), made);
  machine.makeFolder(path);
  if (!made.includes(path)) made.push(path);
}

/** What to do about a file that can't be written, where the system forbids it. */
function fixOf(machine: Machine, why: string, file: string): string {
  return isDenial(why) ? t(($) => $.writable, { folder: folderAbove(machine, file) }) : '';
}

/** Removes what an earlier version wrote and this one does not. @returns what could not be, to be tried the next time */
function removeStale(
  machine: Machine,
  before: InstallRecord | null,
  plan: Plan,
): Pick<InstallRecord, 'files' | 'keys'> {
  const files = new Set(plan.files.map(({ path }) => path));
  const keys = new Set(plan.keys.map(({ key }) => key));
  const faults = new Map<string, string>();
  const stale = {
    files: before?.files.filter((path) => !files.has(path) && !leadsElsewhere(machine, before, path)) ?? [],
    keys: before?.keys.filter(({ key }) => !keys.has(key)) ?? [],
  };
  for (const path of stale.files) note(faults, path, () => machine.removeFile(path));
  for (const key of stale.keys) note(faults, key.key, () => removeKey(machine, key));
  return {
    files: stale.files.filter((path) => faults.has(path)),
    keys: stale.keys.filter(({ key }) => faults.has(key)),
  };
}
