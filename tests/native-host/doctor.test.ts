import { describe, expect, it } from 'vitest';
import { checkInstallation } from '../../native-host/doctor/installation.ts';
import { install } from '../../native-host/install/install.ts';
import { fakeMachine } from '../fakes/machine.ts';

type Fake = ReturnType<typeof fakeMachine>;

const NODE = '/usr/local/bin/node';
const AGAIN = 'Run: node portside-native-host.mjs install';
const READABLE =
  'Make it and its parent folders readable for your user: after an installation with sudo they may belong to root.';
const folder = '/home/me/.local/share/portside';
const manifest = '/home/me/.config/chromium/NativeMessagingHosts/app.portside.native_host.json';

type Given = { versions: Record<string, string>; refuses: string[]; hides: string[] };

function installed(): Fake & Given {
  const given: Given = { versions: { [NODE]: '24.21.0' }, refuses: [], hides: [] };
  const machine = fakeMachine('linux', { folders: ['.config/chromium', '.mozilla/firefox'], ...given });
  install(machine, { version: '1.0.0', program: '', running: NODE, browsers: [], ids: [] });
  return { ...machine, ...given };
}

function change(machine: Fake, value: object): void {
  machine.files.set(manifest, JSON.stringify({ ...JSON.parse(machine.read(manifest) ?? ''), ...value }));
}

describe('the doctor', () => {
  it('says ok to each part of an installation that is whole', () => {
    expect(checkInstallation(installed(), '1.0.0')).toEqual([
      { ok: true, text: `Native host 1.0.0 is installed in ${folder}` },
      { ok: true, text: `Node 24.21.0 found at ${NODE}` },
      { ok: true, text: 'Chromium: manifest present and valid, Portside allowed' },
      { ok: true, text: 'Firefox: manifest present and valid, Portside allowed' },
    ]);
  });

  it.each<[string, (machine: ReturnType<typeof installed>) => void, string, string]>([
    [
      'a manifest that is gone',
      (machine) => machine.files.delete(manifest),
      `Chromium: there is no manifest at ${manifest}`,
      AGAIN,
    ],
    [
      'a manifest that is no JSON',
      (machine) => machine.files.set(manifest, '{'),
      `Chromium: the manifest ${manifest} is not valid JSON`,
      AGAIN,
    ],
    [
      'a manifest that is JSON, but no object',
      (machine) => machine.files.set(manifest, 'null'),
      `Chromium: “name” is wrong in the manifest ${manifest}`,
      AGAIN,
    ],
    [
      'a manifest that leads elsewhere',
      (machine) => change(machine, { path: '/tmp/other' }),
      `Chromium: “path” is wrong in the manifest ${manifest}`,
      AGAIN,
    ],
    [
      'an extension that is not allowed',
      (machine) => change(machine, { allowed_origins: ['chrome-extension://other/'] }),
      'Chromium: the manifest does not allow Portside (chrome-extension://ephgklnhdognomfbgjpabjaceaipchgc/)',
      AGAIN,
    ],
    [
      'Node that is gone',
      (machine) => delete machine.versions[NODE],
      `Node is no longer at ${NODE}`,
      `Install Node 20 or newer, then run: node portside-native-host.mjs install`,
    ],
    [
      'Node that is too old',
      (machine) => (machine.versions[NODE] = '18.20.1'),
      `Node 18.20.1 at ${NODE} is too old`,
      `Install Node 20 or newer, then run: node portside-native-host.mjs install`,
    ],
    [
      'a launcher that is gone',
      (machine) => machine.files.delete(`${folder}/portside-native-host`),
      `${folder}/portside-native-host is missing`,
      AGAIN,
    ],
    [
      'a launcher that may not be run',
      (machine) => machine.executables.clear(),
      `${folder}/portside-native-host can’t be run: permission denied`,
      AGAIN,
    ],
    [
      'a manifest that may not be read',
      (machine) => machine.hides.push('.config/chromium/NativeMessagingHosts'),
      `Chromium: the manifest ${manifest} can’t be read: permission denied`,
      READABLE,
    ],
    [
      'its own folder, where it may not write',
      (machine) => machine.refuses.push('.local/share/portside'),
      `${folder} can’t be written to: permission denied`,
      `Make ${folder} writable for your user: after an installation with sudo it may belong to root.`,
    ],
  ])('finds %s, and nothing else', (_, harm, text, fix) => {
    const machine = installed();
    harm(machine);
    expect(checkInstallation(machine, '1.0.0').filter(({ ok }) => !ok)).toEqual([{ ok: false, text, fix }]);
  });

  it('finds a browser that came after the installation', () => {
    const machine = installed();
    machine.folders.add('/home/me/.config/vivaldi');
    expect(checkInstallation(machine, '1.0.0').filter(({ ok }) => !ok)).toMatchObject([
      { text: expect.stringContaining('Vivaldi: there is no manifest'), fix: AGAIN },
    ]);
  });

  it('finds what was installed beside the native host that runs, whatever the browser’s environment says', () => {
    const machine = installed();
    machine.env['XDG_DATA_HOME'] = '/elsewhere';
    expect(checkInstallation(machine, '1.0.0', folder).every(({ ok }) => ok)).toBe(true);
  });

  it('finds an installation of another version', () => {
    expect(checkInstallation(installed(), '2.0.0')).toContainEqual({
      ok: false,
      text: 'Native host 1.0.0 is installed, and this is 2.0.0',
      fix: AGAIN,
    });
  });

  it.each([
    ['nothing that was installed', undefined],
    ['an unreadable record', '{"version": 1}'],
  ])('finds %s', (_, record) => {
    const machine = fakeMachine('linux');
    if (record !== undefined) machine.files.set(`${folder}/installed.json`, record);
    expect(checkInstallation(machine, '1.0.0')).toEqual([
      { ok: false, text: 'The native host is not installed', fix: AGAIN },
    ]);
  });

  it('tells what may not be read from what is not there', () => {
    const machine = installed();
    machine.hides.push('.local');
    expect(checkInstallation(machine, '1.0.0')).toEqual([
      { ok: false, text: `${folder}/installed.json can’t be read: permission denied`, fix: READABLE },
    ]);
  });

  it('finds a registry key that names no manifest of ours, and reads a path in another code page as the same', () => {
    const machine = fakeMachine('win32', {
      folders: ['AppData\\Local\\Chromium\\User Data'],
      versions: { 'C:\\node.exe': '24.0.0' },
    });
    install(machine, { version: '1.0.0', program: '', running: 'C:\\node.exe', browsers: [], ids: [] });
    const [[key = '', value = ''] = []] = machine.registry;
    const faults = (): unknown[] => checkInstallation(machine, '1.0.0').filter(({ ok }) => !ok);
    machine.registry.set(key, value.toUpperCase());
    expect(faults()).toEqual([]);
    machine.registry.set(key, 'C:\\other.json');
    expect(faults()).toEqual([
      { ok: false, text: `Chromium: the registry key ${key} does not name the manifest`, fix: AGAIN },
    ]);
  });
});
