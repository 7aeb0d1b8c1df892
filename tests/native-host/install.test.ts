import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHROMIUM_IDS, FIREFOX_ID } from '../../lib/types/native-host.ts';
import { runInstall, runStatus, runUninstall } from '../../native-host/commands.ts';
import { checkInstallation } from '../../native-host/doctor/installation.ts';
import { install, type InstallInput } from '../../native-host/install/install.ts';
import { launcherFor } from '../../native-host/install/launcher.ts';
import type { System } from '../../native-host/install/machine.ts';
import { nodeToUse } from '../../native-host/install/node-path.ts';
import { statusOf } from '../../native-host/install/status.ts';
import { uninstall } from '../../native-host/install/uninstall.ts';
import wxtConfig from '../../wxt.config.ts';
import { fakeMachine } from '../fakes/machine.ts';

const NAME = 'app.portside.native_host';
const ORIGIN = `chrome-extension://${CHROMIUM_IDS[0]}/`;

const NODE: Record<System, string> = {
  linux: '/home/me/.nvm/versions/node/v24.21.0/bin/node',
  darwin: '/opt/homebrew/bin/node',
  win32: 'C:\\Program Files\\nodejs\\node.exe',
};

/** Where each browser was used, below the home, and what has to be there afterwards. */
type Row = { browser: string; profile: string; manifest: string; keys?: string[] };

const rows: Record<System, Row[]> = {
  linux: [
    ['Chrome', '.config/google-chrome'],
    ['Chromium', '.config/chromium'],
    ['Edge', '.config/microsoft-edge'],
    ['Brave', '.config/BraveSoftware/Brave-Browser'],
    ['Vivaldi', '.config/vivaldi'],
  ]
    .map(([browser = '', profile = '']) => ({
      browser,
      profile,
      manifest: `/home/me/${profile}/NativeMessagingHosts/${NAME}.json`,
    }))
    .concat(
      ['.mozilla/firefox', '.config/mozilla/firefox', 'snap/firefox/common/.mozilla'].map((profile) => ({
        browser: 'Firefox',
        profile,
        manifest: `/home/me/.mozilla/native-messaging-hosts/${NAME}.json`,
      })),
    ),
  darwin: [
    ['Chrome', 'Google/Chrome', 'Google/Chrome/NativeMessagingHosts'],
    ['Chromium', 'Chromium', 'Chromium/NativeMessagingHosts'],
    ['Edge', 'Microsoft Edge', 'Microsoft Edge/NativeMessagingHosts'],
    ['Brave', 'BraveSoftware/Brave-Browser', 'BraveSoftware/Brave-Browser/NativeMessagingHosts'],
    ['Vivaldi', 'Vivaldi', 'Vivaldi/NativeMessagingHosts'],
    ['Firefox', 'Firefox', 'Mozilla/NativeMessagingHosts'],
  ].map(([browser = '', profile = '', manifests = '']) => ({
    browser,
    profile: `Library/Application Support/${profile}`,
    manifest: `/Users/me/Library/Application Support/${manifests}/${NAME}.json`,
  })),
  win32: (
    [
      ['Chrome', 'Local\\Google\\Chrome\\User Data', ['Google\\Chrome']],
      ['Chromium', 'Local\\Chromium\\User Data', ['Chromium']],
      ['Edge', 'Local\\Microsoft\\Edge\\User Data', ['Microsoft\\Edge']],
      [
        'Brave',
        'Local\\BraveSoftware\\Brave-Browser\\User Data',
        ['BraveSoftware\\Brave-Browser', 'Google\\Chrome', 'Chromium'],
      ],
      ['Vivaldi', 'Local\\Vivaldi\\User Data', ['Vivaldi', 'Google\\Chrome', 'Chromium']],
      ['Firefox', 'Roaming\\Mozilla\\Firefox', ['Mozilla']],
    ] as const
  ).map(([browser, profile, keys]) => ({
    browser,
    profile: `AppData\\${profile}`,
    manifest: `C:\\Users\\me\\AppData\\Local\\Portside\\${NAME}.${browser === 'Firefox' ? 'firefox' : 'chromium'}.json`,
    keys: keys.map((key) => `HKCU\\Software\\${key}\\NativeMessagingHosts\\${NAME}`),
  })),
};
const table = (Object.keys(rows) as System[]).flatMap((system) =>
  rows[system].map((row) => ({ system, ...row })),
);

const LAUNCHER: Record<System, string> = {
  linux: '/home/me/.local/share/portside/portside-native-host',
  darwin: '/Users/me/Library/Application Support/Portside/portside-native-host',
  win32: 'C:\\Users\\me\\AppData\\Local\\Portside\\portside-native-host.bat',
};

const inputFor = (system: System, more: Partial<InstallInput> = {}): InstallInput => ({
  version: '1.2.3',
  program: '// the program',
  running: NODE[system],
  browsers: [],
  ids: [],
  ...more,
});
const withNode = (system: System) => ({ versions: { [NODE[system]]: '24.21.0' } });

describe('install', () => {
  it.each(table)(
    'sets up $browser on $system, in $profile',
    ({ system, browser, profile, manifest, keys }) => {
      const machine = fakeMachine(system, { folders: [profile], ...withNode(system) });
      const done = install(machine, inputFor(system));
      expect(done.browsers.map((each) => each.browser.name)).toEqual([browser]);
      expect(JSON.parse(String(machine.files.get(manifest)))).toEqual({
        name: NAME,
        description: expect.any(String),
        path: LAUNCHER[system],
        type: 'stdio',
        ...(browser === 'Firefox' ? { allowed_extensions: [FIREFOX_ID] } : { allowed_origins: [ORIGIN] }),
      });
      expect([...machine.executables]).toEqual([LAUNCHER[system]]);
      expect([...machine.registry]).toEqual((keys ?? []).map((key) => [key, manifest]));
      expect(checkInstallation(machine, '1.2.3').filter(({ ok }) => !ok)).toEqual([]);
    },
  );

  it.each(['linux', 'darwin', 'win32'] as const)('leaves %s as it was after uninstall', (system) => {
    const folders = rows[system].map(({ profile }) => profile);
    const machine = fakeMachine(system, { folders, ...withNode(system) });
    const before = [...machine.folders].toSorted();
    install(machine, inputFor(system));
    install(machine, inputFor(system, { version: '1.2.4' }));
    expect(machine.files.size).toBeGreaterThan(4);
    uninstall(machine);
    expect([...machine.files.keys()]).toEqual([]);
    expect([...machine.registry]).toEqual([]);
    expect([...machine.folders].toSorted()).toEqual(before);
    expect(uninstall(machine)).toBeNull();
  });

  it('uninstalls the rest when something can’t be removed, says what, and removes that the next time', () => {
    const refuses: string[] = [];
    const machine = fakeMachine('linux', { folders: ['.config/chromium', '.config/vivaldi'], refuses });
    install(machine, inputFor('linux'));
    refuses.push('.config/chromium');
    const manifest = `/home/me/.config/chromium/NativeMessagingHosts/${NAME}.json`;
    const done = uninstall(machine);
    expect(done?.left).toEqual([{ place: manifest, why: expect.stringContaining('EACCES') }]);
    expect(done?.removed).toContain(`/home/me/.config/vivaldi/NativeMessagingHosts/${NAME}.json`);
    expect(machine.exists(LAUNCHER.linux)).toBe(false);
    refuses.pop();
    expect(uninstall(machine)).toEqual({ removed: [manifest], left: [] });
    expect([...machine.files.keys()]).toEqual([]);
    expect(uninstall(machine)).toBeNull();
  });

  it('does not take a manifest in a folder that can’t be looked into for removed', () => {
    const hides: string[] = [];
    const machine = fakeMachine('linux', { folders: ['.config/chromium'], hides });
    install(machine, inputFor('linux'));
    hides.push('.config/chromium/NativeMessagingHosts');
    const said: string[] = [];
    expect(runUninstall(machine, (line) => said.push(line))).toBe(false);
    const manifest = `/home/me/.config/chromium/NativeMessagingHosts/${NAME}.json`;
    expect(said.join('\n')).toContain(`Could not be removed:\n  ${manifest}\n    EACCES`);
    hides.pop();
    expect(uninstall(machine)).toEqual({ removed: [manifest], left: [] });
  });

  it.each(['linux', 'win32'] as const)(
    'uninstalls on %s without a record that can be read, and leaves what is another’s',
    (system) => {
      const folders = rows[system].map(({ profile }) => profile);
      const machine = fakeMachine(system, { folders, ...withNode(system) });
      install(machine, inputFor(system));
      const own = [...machine.files.keys()].find((path) => path.endsWith('installed.json')) ?? '';
      machine.files.set(own, '{"version": "1.2');
      const others = `/home/me/.config/vivaldi/NativeMessagingHosts/${NAME}.json`;
      if (system === 'linux') machine.files.set(others, '{"path": "/opt/another"}');
      expect(uninstall(machine)?.left).toEqual([]);
      expect([...machine.files.keys()]).toEqual(system === 'linux' ? [others] : []);
      expect([...machine.registry]).toEqual([]);
    },
  );

  it('counts a browser whose manifest is gone, or leads elsewhere, as not set up', () => {
    const machine = fakeMachine('linux', { folders: ['.config/chromium'], ...withNode('linux') });
    install(machine, inputFor('linux'));
    const isSetUp = () =>
      statusOf(machine)?.browsers.find(({ browser }) => browser.id === 'chromium')?.isSetUp;
    expect(isSetUp()).toBe(true);
    machine.files.set(`/home/me/.config/chromium/NativeMessagingHosts/${NAME}.json`, '{}');
    expect(isSetUp()).toBe(false);
  });

  it.each(['', 'home'])('installs nothing for a home folder that is no whole path: “%s”', (home) => {
    const machine = { ...fakeMachine('linux'), home };
    expect(() => install(machine, inputFor('linux'))).toThrow('Your home folder is unknown');
    expect(machine.files.size).toBe(0);
  });

  it('asks reg.exe of Windows itself, for the user alone', () => {
    const machine = fakeMachine('win32', {
      folders: ['AppData\\Local\\Microsoft\\Edge\\User Data'],
      env: { SystemRoot: 'D:\\Windows' },
    });
    install(machine, inputFor('win32'));
    expect(machine.ran).toContainEqual([
      'D:\\Windows\\System32\\reg.exe',
      'add',
      `HKCU\\Software\\Microsoft\\Edge\\NativeMessagingHosts\\${NAME}`,
      '/ve',
      '/t',
      'REG_SZ',
      '/d',
      `C:\\Users\\me\\AppData\\Local\\Portside\\${NAME}.chromium.json`,
      '/f',
    ]);
  });

  it('leaves a registry key that leads elsewhere by now', () => {
    const machine = fakeMachine('win32', { folders: ['AppData\\Local\\Chromium\\User Data'] });
    install(machine, inputFor('win32'));
    const [key = ''] = machine.registry.keys();
    machine.registry.set(key, 'C:\\other.json');
    uninstall(machine);
    expect(machine.registry.get(key)).toBe('C:\\other.json');
  });

  it('leaves a manifest that leads to another installation by now, also when its browser is gone', () => {
    const machine = fakeMachine('linux', {
      folders: ['.config/chromium', '.config/vivaldi'],
      ...withNode('linux'),
    });
    const manifest = (browser: string) => `/home/me/.config/${browser}/NativeMessagingHosts/${NAME}.json`;
    install(machine, inputFor('linux'));
    machine.env['XDG_DATA_HOME'] = '/home/me/other';
    install(machine, inputFor('linux'));
    const theirs = ['chromium', 'vivaldi'].map((browser) => machine.files.get(manifest(browser)) ?? '');
    delete machine.env['XDG_DATA_HOME'];
    machine.folders.delete('/home/me/.config/vivaldi');
    install(machine, inputFor('linux'));
    expect(machine.files.get(manifest('vivaldi'))).toBe(theirs[1]);
    machine.files.set(manifest('chromium'), theirs[0] ?? '');
    expect(uninstall(machine)?.removed).not.toContain(manifest('chromium'));
    expect(machine.files.get(manifest('chromium'))).toBe(theirs[0]);
    expect(machine.exists(LAUNCHER.linux)).toBe(false);
  });

  it('is removed whole while a native host runs, which has written down what it runs', () => {
    const machine = fakeMachine('linux', { folders: ['.config/chromium'], ...withNode('linux') });
    install(machine, inputFor('linux'));
    const folder = dirname(LAUNCHER.linux);
    machine.write(`${folder}/running-7.json`, '{}');
    const said: string[] = [];
    expect(runUninstall(machine, (line) => said.push(line))).toBe(true);
    expect(said.join('\n')).not.toContain('Kept');
    expect(machine.exists(folder)).toBe(false);
  });

  it('sets nothing up for browsers that were never used, but for one that is named', () => {
    const machine = fakeMachine('linux', withNode('linux'));
    expect(install(machine, inputFor('linux')).browsers).toEqual([]);
    const named = install(machine, inputFor('linux', { browsers: ['vivaldi'] }));
    expect(named.browsers.map(({ browser }) => browser.id)).toEqual(['vivaldi']);
    expect(machine.exists(`/home/me/.config/vivaldi/NativeMessagingHosts/${NAME}.json`)).toBe(true);
  });

  it('names a browser that is a Snap or Flatpak, and sets it up nowhere', () => {
    const machine = fakeMachine('linux', {
      folders: ['snap/chromium/common/chromium', '.var/app/com.brave.Browser/config'],
    });
    const { browsers, confined } = install(machine, inputFor('linux'));
    expect(browsers).toEqual([]);
    expect(confined.map(({ name }) => name)).toEqual(['Chromium', 'Brave']);
    const faults = checkInstallation(machine, '1.2.3').filter(({ text }) => /Snap or Flatpak/.test(text));
    expect(faults).toHaveLength(2);
  });

  it('sets up the others when one browser’s folder can’t be written to, and says which', () => {
    const machine = fakeMachine('linux', {
      folders: ['.config/chromium', '.config/vivaldi'],
      refuses: ['.config/chromium'],
      ...withNode('linux'),
    });
    const { browsers } = install(machine, inputFor('linux'));
    expect(browsers.map(({ browser, fault }) => [browser.name, fault])).toEqual([
      ['Chromium', expect.stringContaining('EACCES')],
      ['Vivaldi', undefined],
    ]);
    const setUp = statusOf(machine)?.browsers.filter(({ isSetUp }) => isSetUp);
    expect(setUp?.map(({ browser }) => browser.name)).toEqual(['Vivaldi']);
    const fixes = checkInstallation(machine, '1.2.3').flatMap(({ fix }) => fix ?? []);
    expect(fixes).toEqual([expect.stringMatching(/^Make \/home\/me\/\.config\/chromium writable for you/)]);
  });

  it('says of a folder that can’t be written to what to do, and installs nothing where that is its own', async () => {
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    const refuses = ['.config/chromium'];
    const machine = fakeMachine('linux', {
      folders: ['.config/chromium', '.local/share'],
      refuses,
      ...withNode('linux'),
    });
    expect(await runInstall(machine, inputFor('linux'), say)).toBe(false);
    const fix = (folder: string): string =>
      `Make ${folder} writable for your user: after an installation with sudo it may belong to root.`;
    expect(said.join('\n')).toMatch(/Chromium\s+not set up: EACCES/);
    expect(said.join('\n')).toContain(fix('/home/me/.config/chromium'));
    uninstall(machine);
    refuses.splice(0, 1, '.local/share');
    await expect(runInstall(machine, inputFor('linux'), say)).rejects.toThrow(
      /^The native host could not be installed: EACCES: .*\nMake \/home\/me\/\.local\/share writable for you/,
    );
    expect(machine.files.size).toBe(0);
  });

  it.each([runStatus, runUninstall])('%o does not take what may not be read for what is not there', (run) => {
    const hides: string[] = [];
    const machine = fakeMachine('linux', { folders: ['.config/chromium'], hides, ...withNode('linux') });
    install(machine, inputFor('linux'));
    hides.push('.local');
    const said: string[] = [];
    expect(run(machine, (line) => said.push(line))).toBe(false);
    expect(said[0]).toBe('/home/me/.local/share/portside/installed.json can’t be read: permission denied');
    expect(said[1]).toMatch(/^Make it .* readable for your user/);
    expect(machine.files.size).toBe(5);
  });

  it('says in its status which browser’s folder may not be read, and that of no other', () => {
    const hides: string[] = [];
    const folders = ['.config/chromium', '.config/vivaldi'];
    const machine = fakeMachine('linux', { folders, hides, ...withNode('linux') });
    install(machine, inputFor('linux'));
    hides.push('.config/chromium');
    const said: string[] = [];
    runStatus(machine, (line) => said.push(line));
    const text = said.join('\n');
    expect(text).toMatch(
      new RegExp(
        `Chromium\\s+/home/me/\\.config/chromium/.*${NAME}\\.json can’t be read: permission denied\\n\\s+Make it .* readable`,
      ),
    );
    expect(text.match(/can’t be read/g)).toHaveLength(1);
    expect(text).toMatch(/Vivaldi\s+set up/);
  });

  it('removes nothing of an earlier version by force: what can’t be removed stays, and the rest is installed', () => {
    const refuses: string[] = [];
    const machine = fakeMachine('linux', {
      folders: ['.config/chromium', '.config/vivaldi'],
      refuses,
      ...withNode('linux'),
    });
    install(machine, inputFor('linux'));
    machine.folders.delete('/home/me/.config/vivaldi');
    refuses.push('.config/vivaldi');
    expect(install(machine, inputFor('linux', { version: '2.0.0' })).browsers).toMatchObject([
      { browser: { id: 'chromium' } },
    ]);
    expect(statusOf(machine)?.version).toBe('2.0.0');
  });

  it('allows further extensions, and keeps allowing them after an update', () => {
    const machine = fakeMachine('linux', { folders: ['.config/chromium'], ...withNode('linux') });
    const id = 'abcdefghijklmnopabcdefghijklmnop';
    install(machine, inputFor('linux', { ids: [id] }));
    install(machine, inputFor('linux', { version: '2.0.0' }));
    const manifest = machine.read(`/home/me/.config/chromium/NativeMessagingHosts/${NAME}.json`);
    expect(JSON.parse(manifest ?? '')).toMatchObject({
      allowed_origins: [ORIGIN, `chrome-extension://${id}/`],
    });
    expect(statusOf(machine)).toMatchObject({ version: '2.0.0' });
  });

  it('follows the folders that the user’s environment names', () => {
    const machine = fakeMachine('linux', {
      folders: ['settings/chromium'],
      env: { XDG_CONFIG_HOME: '/home/me/settings', XDG_DATA_HOME: '/home/me/data' },
    });
    expect(install(machine, inputFor('linux')).folder).toBe('/home/me/data/portside');
    expect(machine.exists(`/home/me/settings/chromium/NativeMessagingHosts/${NAME}.json`)).toBe(true);
  });

  it('allows the id that unpacked builds have, and Firefox’s', () => {
    const manifestOf = wxtConfig.manifest as (env: { browser: string }) => {
      key?: string;
      browser_specific_settings?: { gecko: { id: string } };
    };
    const hash = createHash('sha256').update(
      Buffer.from(manifestOf({ browser: 'chrome' }).key ?? '', 'base64'),
    );
    const letters = Array.from(hash.digest('hex').slice(0, 32)).map(
      (digit) => 'abcdefghijklmnop'[parseInt(digit, 16)],
    );
    expect(CHROMIUM_IDS[0]).toBe(letters.join(''));
    expect(FIREFOX_ID).toBe(manifestOf({ browser: 'firefox' }).browser_specific_settings?.gecko.id);
  });
});

describe('the launcher', () => {
  it('of Windows looks for Node where it was, on the PATH and where it usually is, and says when there is none', () => {
    const text = launcherFor('win32', { node: 'C:\\100% Node\\node.exe', folder: 'unused' });
    expect(text.split('\r\n')).toEqual([
      '@echo off',
      expect.stringMatching(/^rem /),
      'chcp 65001 >nul',
      'set "NODE=C:\\100%% Node\\node.exe"',
      'if not exist "%NODE%" for %%n in (node.exe) do set "NODE=%%~$PATH:n"',
      'if not exist "%NODE%" set "NODE=%ProgramFiles%\\nodejs\\node.exe"',
      'if not exist "%NODE%" (type "%~dp0no-node.frame" & exit /b 127)',
      '"%NODE%" "%~dp0portside-native-host.mjs" host %*',
      '',
    ]);
  });

  it('of the others takes paths as they are, whatever is in them', () => {
    const text = launcherFor('linux', { node: "/it's/$HOME/`node`", folder: '/a b' });
    expect(text).toContain(`node='/it'\\''s/$HOME/\`node\`'\n`);
    expect(text).toContain("folder='/a b'\n");
  });
});

describe('the Node that is chosen', () => {
  it('is where a version switcher’s link leads now', () => {
    const machine = fakeMachine('linux', {
      links: { '/run/user/1000/fnm_multishells/1_2/bin/node': '/home/me/.local/share/fnm/v24/bin/node' },
    });
    expect(nodeToUse(machine, '/run/user/1000/fnm_multishells/1_2/bin/node')).toBe(
      '/home/me/.local/share/fnm/v24/bin/node',
    );
  });

  const packaged = '/home/me/portside/node_modules/node/bin/node';

  it('is the user’s own, when a package brought the one that runs', () => {
    const machine = fakeMachine('linux', {
      env: { PATH: '/home/me/portside/node_modules/.bin:/opt/old/bin:/usr/bin' },
      versions: { '/opt/old/bin/node': '18.20.0', '/usr/bin/node': '20.1.0' },
      links: { '/home/me/portside/node_modules/.bin/node': packaged },
    });
    expect(nodeToUse(machine, packaged)).toBe('/usr/bin/node');
  });

  it('is a package’s, when there is no other that is new enough', () => {
    const machine = fakeMachine('linux', {
      env: { PATH: '/opt/old/bin' },
      versions: { '/opt/old/bin/node': '18.20.0' },
    });
    expect(nodeToUse(machine, packaged)).toBe(packaged);
  });
});
