import { NATIVE_HOST } from '../../lib/types/native-host.ts';
import { checkManifest } from '../doctor/manifest.ts';
import { browsersOn, type Browser } from './browsers.ts';
import { foldersOf } from './folders.ts';
import { LAUNCHER } from './launcher.ts';
import { pathsOf, type Machine } from './machine.ts';
import { readRecord } from './record.ts';

export type Status = {
  folder: string;
  version: string;
  browsers: { browser: Browser; isSetUp: boolean }[];
};

/** What is installed, and for which browsers; null: nothing. */
export function statusOf(machine: Machine): Status | null {
  const folders = foldersOf(machine);
  const record = readRecord(machine, folders);
  if (!record) return null;
  const launcher = pathsOf(machine).join(folders.portside, LAUNCHER[machine.system]);
  const isStartable = machine.exists(launcher) && !machine.denies(launcher, 'run');
  return {
    folder: folders.portside,
    version: record.version,
    browsers: browsersOn(machine, folders, NATIVE_HOST).map((browser) => ({
      browser,
      isSetUp:
        isStartable &&
        record.browsers.includes(browser.id) &&
        checkManifest(machine, folders, browser, record.ids).ok,
    })),
  };
}
