import { NATIVE_HOST } from '../../lib/types/native-host.ts';
import { checkManifest } from '../doctor/manifest.ts';
import { browsersOn, type Browser } from './browsers.ts';
import { foldersOf } from './folders.ts';
import type { Machine } from './machine.ts';
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
  return {
    folder: folders.portside,
    version: record.version,
    browsers: browsersOn(machine, folders, NATIVE_HOST).map((browser) => ({
      browser,
      isSetUp:
        record.browsers.includes(browser.id) && checkManifest(machine, folders, browser, record.ids).ok,
    })),
  };
}
