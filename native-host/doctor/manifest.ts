import { CHROMIUM_IDS, FIREFOX_ID, NATIVE_HOST, type DoctorStep } from '../../lib/types/native-host.ts';
import type { Browser } from '../install/browsers.ts';
import type { Folders } from '../install/folders.ts';
import { folderAbove, type Machine } from '../install/machine.ts';
import { launcherPath, manifestIn, manifestPath } from '../install/plan.ts';
import { isKeySet } from '../install/windows-registry.ts';
import { t } from '../../locales/texts/terminal.ts';

/** Whether one browser finds our manifest, and whether that leads to the launcher and lets the extension in. */
export function checkManifest(
  machine: Machine,
  folders: Folders,
  browser: Browser,
  ids: readonly string[],
): DoctorStep {
  const { name, family } = browser;
  const path = manifestPath(machine, folders, browser);
  const folder = folderAbove(machine, path);
  const fix = machine.denies(folder, 'write') ? t(($) => $.writable, { folder }) : t(($) => $.doctor.again);
  const broken = (what: string): DoctorStep => ({ ok: false, text: what, fix });
  const text = machine.read(path);
  if (text === null && machine.denies(path, 'read')) {
    return {
      ok: false,
      text: t(($) => $.doctor.unreadableManifest, { browser: name, path }),
      fix: t(($) => $.readable),
    };
  }
  if (text === null) return broken(t(($) => $.doctor.noManifest, { browser: name, path }));
  const manifest = manifestIn(text);
  if (!manifest) return broken(t(($) => $.doctor.notJson, { browser: name, path }));
  const launcher = launcherPath(machine, folders);
  const wrong = (['name', 'type', 'path'] as const).find(
    (field) => manifest[field] !== { name: NATIVE_HOST, type: 'stdio', path: launcher }[field],
  );
  if (wrong !== undefined) return broken(t(($) => $.doctor.wrong, { browser: name, field: wrong, path }));
  const [allowed, wanted] =
    family === 'firefox'
      ? [manifest.allowed_extensions, [FIREFOX_ID]]
      : [manifest.allowed_origins, [...CHROMIUM_IDS, ...ids].map((id) => `chrome-extension://${id}/`)];
  const missing = wanted.find((id) => !Array.isArray(allowed) || !allowed.includes(id));
  if (missing !== undefined) return broken(t(($) => $.doctor.notAllowed, { browser: name, id: missing }));
  const [key] = browser.keys;
  if (key !== undefined && !isKeySet(machine, { key, value: path }))
    return broken(t(($) => $.doctor.noKey, { browser: name, key }));
  return { ok: true, text: t(($) => $.doctor.manifest, { browser: name }) };
}
