import { NATIVE_HOST, type DoctorStep } from '../../lib/types/native-host.ts';
import { nativeHost } from '../../locales/native-host.ts';
import { browsersOn } from '../install/browsers.ts';
import { foldersOf, type Folders } from '../install/folders.ts';
import { LAUNCHER, OLDEST_NODE } from '../install/launcher.ts';
import { pathsOf, type Machine } from '../install/machine.ts';
import { isNewEnough, versionOf } from '../install/node-path.ts';
import { PROGRAM } from '../install/plan.ts';
import { readRecord, recordPath, type InstallRecord } from '../install/record.ts';
import { checkManifest } from './manifest.ts';

const words = nativeHost.doctor;

/**
 * Looks at what was installed: the program, Node, and each browser's manifest. It changes nothing.
 * `version`: of the native host that looks. `folder`: where it is, if it runs from where it was installed: a browser may
 * have another environment than the terminal of the installer.
 */
export function checkInstallation(machine: Machine, version: string, folder?: string): DoctorStep[] {
  const own = foldersOf(machine);
  const folders = { ...own, portside: folder ?? own.portside };
  const record = readRecord(machine, folders);
  if (!record) return [checkRecord(machine, folders)];
  return [
    checkProgram(machine, folders, record, version),
    checkNode(machine, record),
    ...checkBrowsers(machine, folders, record),
  ];
}

/** Why there is none. */
function checkRecord(machine: Machine, folders: Folders): DoctorStep {
  const path = recordPath(machine, folders);
  return machine.denies(path, 'read')
    ? { ok: false, text: words.unreadable(path), fix: nativeHost.readable }
    : { ok: false, text: words.notInstalled, fix: words.again };
}

function checkProgram(
  machine: Machine,
  { portside }: Folders,
  record: InstallRecord,
  version: string,
): DoctorStep {
  const { join } = pathsOf(machine);
  const launcher = join(portside, LAUNCHER[machine.system]);
  const missing = [join(portside, PROGRAM), launcher].find((path) => !machine.exists(path));
  if (missing !== undefined) return { ok: false, text: words.missingFile(missing), fix: words.again };
  if (machine.denies(launcher, 'run'))
    return { ok: false, text: words.notProgram(launcher), fix: words.again };
  if (record.version !== version) {
    return { ok: false, text: words.older(record.version, version), fix: words.again };
  }
  // What runs is written down there.
  if (machine.denies(portside, 'write')) {
    return { ok: false, text: words.unwritable(portside), fix: nativeHost.writable(portside) };
  }
  return { ok: true, text: words.installed(version, portside) };
}

function checkNode(machine: Machine, { node }: InstallRecord): DoctorStep {
  const version = versionOf(machine, node);
  if (version === null) return { ok: false, text: words.noNode(node), fix: words.noNodeFix(OLDEST_NODE) };
  if (!isNewEnough(version)) {
    return { ok: false, text: words.oldNode(version, node), fix: words.noNodeFix(OLDEST_NODE) };
  }
  return { ok: true, text: words.node(version, node) };
}

/** Those that were used here or were set up. */
function checkBrowsers(machine: Machine, folders: Folders, record: InstallRecord): DoctorStep[] {
  const browsers = browsersOn(machine, folders, NATIVE_HOST);
  const steps = browsers
    .filter(({ id, found }) => found !== 'no' || record.browsers.includes(id))
    .map((browser) =>
      browser.found === 'confined' && !record.browsers.includes(browser.id)
        ? { ok: false, text: words.confined(browser.name), fix: words.confinedFix }
        : checkManifest(machine, folders, browser, record.ids),
    );
  return steps.length > 0 ? steps : [{ ok: false, text: words.noBrowser, fix: words.noBrowserFix }];
}
