import { NATIVE_HOST, type DoctorStep } from '../../lib/types/native-host.ts';
import { browsersOn } from '../install/browsers.ts';
import { foldersOf, type Folders } from '../install/folders.ts';
import { LAUNCHER, OLDEST_NODE } from '../install/launcher.ts';
import { pathsOf, type Machine } from '../install/machine.ts';
import { isNewEnough, versionOf } from '../install/node-path.ts';
import { PROGRAM } from '../install/plan.ts';
import { readRecord, recordPath, type InstallRecord } from '../install/record.ts';
import { checkManifest } from './manifest.ts';
import { t } from '../../locales/texts/terminal.ts';

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
    ? { ok: false, text: t(($) => $.doctor.unreadable, { path }), fix: t(($) => $.readable) }
    : { ok: false, text: t(($) => $.doctor.notInstalled), fix: t(($) => $.doctor.again) };
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
  if (missing !== undefined)
    return {
      ok: false,
      text: t(($) => $.doctor.missingFile, { path: missing }),
      fix: t(($) => $.doctor.again),
    };
  if (machine.denies(launcher, 'run'))
    return {
      ok: false,
      text: t(($) => $.doctor.notProgram, { path: launcher }),
      fix: t(($) => $.doctor.again),
    };
  if (record.version !== version) {
    return {
      ok: false,
      text: t(($) => $.doctor.older, { installed: record.version, version }),
      fix: t(($) => $.doctor.again),
    };
  }
  // What runs is written down there.
  if (machine.denies(portside, 'write')) {
    return {
      ok: false,
      text: t(($) => $.doctor.unwritable, { path: portside }),
      fix: t(($) => $.writable, { folder: portside }),
    };
  }
  return { ok: true, text: t(($) => $.doctor.installed, { version, folder: portside }) };
}

function checkNode(machine: Machine, { node }: InstallRecord): DoctorStep {
  const version = versionOf(machine, node);
  if (version === null)
    return {
      ok: false,
      text: t(($) => $.doctor.noNode, { path: node }),
      fix: t(($) => $.doctor.noNodeFix, { oldest: OLDEST_NODE }),
    };
  if (!isNewEnough(version)) {
    return {
      ok: false,
      text: t(($) => $.doctor.oldNode, { version, path: node }),
      fix: t(($) => $.doctor.noNodeFix, { oldest: OLDEST_NODE }),
    };
  }
  return { ok: true, text: t(($) => $.doctor.node, { version, path: node }) };
}

/** Those that were used here or were set up. */
function checkBrowsers(machine: Machine, folders: Folders, record: InstallRecord): DoctorStep[] {
  const browsers = browsersOn(machine, folders, NATIVE_HOST);
  const steps = browsers
    .filter(({ id, found }) => found !== 'no' || record.browsers.includes(id))
    .map((browser) =>
      browser.found === 'confined' && !record.browsers.includes(browser.id)
        ? {
            ok: false,
            text: t(($) => $.doctor.confined, { browser: browser.name }),
            fix: t(($) => $.doctor.confinedFix),
          }
        : checkManifest(machine, folders, browser, record.ids),
    );
  return steps.length > 0
    ? steps
    : [{ ok: false, text: t(($) => $.doctor.noBrowser), fix: t(($) => $.doctor.noBrowserFix) }];
}
