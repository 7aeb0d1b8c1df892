import { CHROMIUM_IDS, FIREFOX_ID, NATIVE_HOST } from '../../lib/types/native-host.ts';
import type { Browser } from './browsers.ts';
import type { Folders } from './folders.ts';
import { launcherFor, LAUNCHER, NO_NODE, noNodeFrame } from './launcher.ts';
import { pathsOf, type Machine } from './machine.ts';
import { t } from '../../locales/texts/terminal.ts';

/** The one file that the native host is, beside its launcher and its policy. */
export const PROGRAM = 'portside-native-host.mjs';

export type PlannedFile = { path: string; content: string | Uint8Array; executable?: true };
export type RegistryKey = { key: string; value: string };

/** All that an installation consists of. */
export type Plan = { files: PlannedFile[]; keys: RegistryKey[] };

/** What a manifest says, as browsers read it. */
export type Manifest = {
  name: string;
  description: string;
  path: string;
  type: 'stdio';
  allowed_origins?: string[];
  allowed_extensions?: string[];
};

/** What to write to have these browsers find the native host. `ids`: of Chromium extensions, besides our own. */
export function planInstall(
  machine: Pick<Machine, 'system'>,
  folders: Folders,
  input: { browsers: Browser[]; node: string; program: string; ids: string[] },
): Plan {
  const { join } = pathsOf(machine);
  const { browsers, node, program } = input;
  const own = (name: string): string => join(folders.portside, name);
  const launcher = launcherPath(machine, folders);
  const manifests = new Map(
    browsers.map((browser) => [
      manifestPath(machine, folders, browser),
      manifestOf(browser.family, launcher, input.ids),
    ]),
  );
  const keys = browsers.flatMap((browser) =>
    browser.keys.map((key): [string, string] => [key, manifestPath(machine, folders, browser)]),
  );
  return {
    files: [
      { path: own(PROGRAM), content: program },
      { path: own(NO_NODE), content: noNodeFrame(node) },
      {
        path: launcher,
        content: launcherFor(machine.system, { node, folder: folders.portside }),
        executable: true,
      },
      ...[...manifests].map(([path, manifest]) => ({
        path,
        content: `${JSON.stringify(manifest, null, 2)}\n`,
      })),
    ],
    keys: [...new Map(keys)].map(([key, value]) => ({ key, value })),
  };
}

/** What the browsers start. */
export function launcherPath(machine: Pick<Machine, 'system'>, folders: Folders): string {
  return pathsOf(machine).join(folders.portside, LAUNCHER[machine.system]);
}

/** What stands in a file that should be a manifest; null when that is no JSON, or not there. */
export function manifestIn(text: string | null): Partial<Manifest> | null {
  try {
    return text === null ? null : (Object(JSON.parse(text)) as Partial<Manifest>);
  } catch {
    return null;
  }
}

/** Where a browser’s manifest belongs. On Windows one serves all browsers of a family. */
export function manifestPath(machine: Pick<Machine, 'system'>, folders: Folders, browser: Browser): string {
  const { join } = pathsOf(machine);
  return browser.manifests === undefined
    ? join(folders.portside, `${NATIVE_HOST}.${browser.family}.json`)
    : join(browser.manifests, `${NATIVE_HOST}.json`);
}

/** The manifest for a family of browsers. `launcher` is absolute. */
export function manifestOf(family: Browser['family'], launcher: string, ids: string[]): Manifest {
  return {
    name: NATIVE_HOST,
    description: t(($) => $.description),
    path: launcher,
    type: 'stdio',
    ...(family === 'firefox'
      ? { allowed_extensions: [FIREFOX_ID] }
      : {
          allowed_origins: [...new Set([...CHROMIUM_IDS, ...ids])].map((id) => `chrome-extension://${id}/`),
        }),
  };
}
