import { isTexts, parseJson, recordOf } from '../../lib/json.ts';
import type { BrowserId } from './browsers.ts';
import { foldersOf, type Folders } from './folders.ts';
import { pathsOf, type Machine } from './machine.ts';
import { launcherPath, manifestIn, type RegistryKey } from './plan.ts';

/** What an installation wrote, so that exactly that can be removed again. */
export type InstallRecord = {
  version: string;
  /** The path of the Node that the launcher names. */
  node: string;
  browsers: BrowserId[];
  /** Ids of Chromium extensions that were allowed besides our own. */
  ids: string[];
  files: string[];
  /** Made for it, inner ones last. */
  folders: string[];
  keys: RegistryKey[];
};

const NAME = 'installed.json';

export function recordPath(machine: Machine, folders: Folders): string {
  return pathsOf(machine).join(folders.portside, NAME);
}

export function keepRecord(machine: Machine, folders: Folders, record: InstallRecord): void {
  machine.write(recordPath(machine, folders), `${JSON.stringify(record, null, 2)}\n`);
}

/** null: nothing is installed, or what is unknown. */
export function readRecord(machine: Machine, folders: Folders): InstallRecord | null {
  const text = machine.read(recordPath(machine, folders));
  if (text === null) return null;
  const record = parseJson(text);
  return isInstallRecord(record) ? record : null;
}

/** Whether one of the files is a manifest that starts what another installation wrote by now. */
export function leadsElsewhere(machine: Machine, { files }: InstallRecord, path: string): boolean {
  const launcher = manifestIn(machine.read(path))?.path;
  const own = launcherPath(machine, foldersOf(machine));
  return launcher !== undefined && launcher !== own && !files.includes(launcher);
}

function isInstallRecord(value: unknown): value is InstallRecord {
  const record: Partial<Record<keyof InstallRecord, unknown>> = recordOf(value);
  return (
    typeof record.version === 'string' &&
    typeof record.node === 'string' &&
    isTexts(record.browsers) &&
    isTexts(record.ids) &&
    isTexts(record.files) &&
    isTexts(record.folders) &&
    Array.isArray(record.keys) &&
    record.keys.every(isKey)
  );
}

function isKey(value: unknown): value is RegistryKey {
  const { key, value: named } = recordOf(value);
  return typeof key === 'string' && typeof named === 'string';
}
