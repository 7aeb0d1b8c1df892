import { NATIVE_HOST } from '../../lib/types/native-host.ts';
import { checkManifest } from '../doctor/manifest.ts';
import { browsersOn, type Browser } from './browsers.ts';
import { foldersOf } from './folders.ts';
import type { Machine } from './machine.ts';
import { launcherPath, manifestPath } from './plan.ts';
import { readRecord } from './record.ts';

export type Status = {
  folder: string;
  version: string;
  /** `hidden`: a manifest that may not be read, so that it is unknown. */
  browsers: { browser: Browser; isSetUp: boolean; hidden?: string }[];
};

/** What is installed, and for which browsers; null: nothing. */
export function statusOf(machine: Machine): Status | null {
  const folders = foldersOf(machine);
  const record = readRecord(machine, folders);
  if (!record) return null;
  const launcher = launcherPath(machine, folders);
  const isStartable = machine.exists(launcher) && !machine.denies(launcher, 'run');
  return {
    folder: folders.portside,
    version: record.version,
    browsers: browsersOn(machine, folders, NATIVE_HOST).map((browser) => {
      const manifest = manifestPath(machine, folders, browser);
      return {
        browser,
        isSetUp:
          isStartable &&
          record.browsers.includes(browser.id) &&
          checkManifest(machine, folders, browser, record.ids).ok,
        ...(machine.denies(manifest, 'read') && { hidden: manifest }),
      };
    }),
  };
}
