import { NATIVE_HOST } from '../../lib/types/native-host.ts';
import { browsersOn, type Browser, type BrowserId } from './browsers.ts';
import { foldersOf } from './folders.ts';
import { pathsOf, type Machine } from './machine.ts';
import { nodeToUse } from './node-path.ts';
import { manifestPath, planInstall, type Plan } from './plan.ts';
import { keepRecord, readRecord, type InstallRecord } from './record.ts';
import { removeKey, writeKey } from './registry.ts';

export type InstallInput = {
  version: string;
  /** The text of the file that is installed. */
  program: string;
  /** The Node that runs the installer. */
  running: string;
  /** Besides those that are found: somebody asked for them. */
  browsers: BrowserId[];
  /** Chromium extensions besides our own. */
  ids: string[];
};

export type Installed = {
  folder: string;
  node: string;
  /** Browsers that find the native host now; `fault`: that one does not, since this could not be written. */
  browsers: { browser: Browser; fault?: string }[];
  /** Browsers that can't start it. */
  confined: Browser[];
};

/**
 * Installs the native host for the browsers that have been used here, over an earlier installation.
 * What can't be written for one browser does not keep it from the others. @throws Error of the file system, for what all need
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
  const faults = new Map<string, string>();
  for (const { path, content, executable } of plan.files) {
    const attempt = (): void => {
      makeFolders(machine, pathsOf(machine).dirname(path), made);
      machine.write(path, content, executable);
    };
    if (path.startsWith(folders.portside)) attempt();
    else note(faults, path, attempt);
  }
  for (const key of plan.keys) note(faults, key.key, () => writeKey(machine, key));
  removeStale(machine, before, plan);
  const results = chosen.map((browser) => {
    const places = [manifestPath(machine, folders, browser), ...browser.keys.slice(0, 1)];
    const fault = places.map((place) => faults.get(place)).find((each) => each !== undefined);
    return { browser, ...(fault !== undefined && { fault }) };
  });
  keepRecord(machine, folders, {
    version: input.version,
    node,
    browsers: results.filter(({ fault }) => fault === undefined).map(({ browser }) => browser.id),
    ids,
    files: plan.files.map(({ path }) => path),
    folders: made,
    keys: plan.keys,
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

/** Makes a folder and those around it; what was made is added to `made`. */
function makeFolders(machine: Machine, path: string, made: string[]): void {
  if (machine.exists(path)) return;
  makeFolders(machine, pathsOf(machine).dirname(path), made);
  machine.makeFolder(path);
  if (!made.includes(path)) made.push(path);
}

/** What an earlier version wrote and this one does not. */
function removeStale(machine: Machine, before: InstallRecord | null, plan: Plan): void {
  const files = new Set(plan.files.map(({ path }) => path));
  const keys = new Set(plan.keys.map(({ key }) => key));
  before?.files.filter((path) => !files.has(path)).forEach(machine.removeFile);
  before?.keys.filter(({ key }) => !keys.has(key)).forEach((key) => removeKey(machine, key));
}
