import { NATIVE_HOST } from '../../lib/types/native-host.ts';
import { NOTES } from '../running-notes.ts';
import { browsersOn } from './browsers.ts';
import { foldersOf, type Folders } from './folders.ts';
import { note } from './install.ts';
import { pathsOf, type Machine } from './machine.ts';
import { launcherPath, manifestIn, planInstall } from './plan.ts';
import { keepRecord, leadsElsewhere, readRecord, recordPath, type InstallRecord } from './record.ts';
import { isKeySet, removeKey } from './windows-registry.ts';

export type Uninstalled = {
  /** Files and registry keys. */
  removed: string[];
  /** Those that could not be, and why; they stay on the record, if that can be kept. */
  left: { place: string; why: string }[];
};

/** Removes what was installed, each by itself, and nothing else. null: nothing was installed */
export function uninstall(machine: Machine): Uninstalled | null {
  const folders = foldersOf(machine);
  const own = recordPath(machine, folders);
  const record = readRecord(machine, folders) ?? found(machine, folders);
  // What may not be looked for counts as there: it is on the record.
  const installed = record.files.filter(
    (path) =>
      machine.denies(path, 'read') || (machine.exists(path) && !leadsElsewhere(machine, record, path)),
  );
  const files = [...installed, ...notesIn(machine, folders)];
  if (files.length === 0 && record.keys.length === 0 && !machine.exists(own)) return null;
  const faults = new Map<string, string>();
  for (const key of record.keys) note(faults, key.key, () => removeKey(machine, key));
  for (const path of files) note(faults, path, () => machine.removeFile(path));
  const isLeft = (place: string): boolean => faults.has(place);
  const remaining = { files: files.filter(isLeft), keys: record.keys.filter(({ key }) => isLeft(key)) };
  note(faults, own, () => {
    if (faults.size === 0) machine.removeFile(own);
    else keepRecord(machine, folders, { ...record, ...remaining });
  });
  record.folders.toReversed().forEach(machine.removeFolder);
  const places = [...files, ...record.keys.map(({ key }) => key)];
  return {
    removed: places.filter((place) => !isLeft(place)),
    left: [...faults].map(([place, why]) => ({ place, why })),
  };
}

/** What is there of an installation whose record can't be read: our own files, and what leads to our launcher. */
function found(machine: Machine, folders: Folders): InstallRecord {
  const launcher = launcherPath(machine, folders);
  const browsers = browsersOn(machine, folders, NATIVE_HOST);
  const plan = planInstall(machine, folders, { browsers, node: '', program: '', ids: [] });
  const isOurs = (path: string): boolean =>
    pathsOf(machine).dirname(path) === folders.portside || manifestIn(machine.read(path))?.path === launcher;
  return {
    version: '',
    node: '',
    browsers: [],
    ids: [],
    files: plan.files.map(({ path }) => path).filter(isOurs),
    folders: [folders.portside],
    keys: plan.keys.filter((key) => isKeySet(machine, key)),
  };
}

/** What a native host that still runs has written down; it writes no more once the folder is gone. */
function notesIn(machine: Machine, { portside }: Folders): string[] {
  const names = machine.list(portside).filter((name) => NOTES.test(name));
  return names.map((name) => pathsOf(machine).join(portside, name));
}
