import type { Folders } from './folders.ts';
import { pathsOf, type Machine, type System } from './machine.ts';

export type BrowserId = 'chrome' | 'chromium' | 'edge' | 'brave' | 'vivaldi' | 'firefox';

/** How one browser keeps things on one system. */
type BrowserPaths = {
  /** Folders of which one is there once the browser has run: which of the user's folders, and the path in it. */
  profiles: [folder: keyof Folders, ...path: string[]][];
  /** Where its manifests lie. On Windows they may lie anywhere, and the registry says where. */
  manifests?: [folder: keyof Folders, ...path: string[]];
  /** Under `HKCU\Software`. */
  keys?: string[];
  /** Folders of its Snap or Flatpak edition, which may start no program outside of it. */
  confined?: [folder: keyof Folders, ...path: string[]][];
};

type BrowserRow = {
  id: BrowserId;
  name: string;
  /** Chromium's manifests name origins, Firefox's the ids of extensions. */
  family: 'chromium' | 'firefox';
  places: Record<System, BrowserPaths>;
};

/** A browser that looks for its manifests in the folder of its profiles. */
function chromium(
  id: BrowserId,
  name: string,
  paths: { linux: string[]; darwin: string[]; win32: string[]; keys: string[]; confined: string[][] },
): BrowserRow {
  const hosts = 'NativeMessagingHosts';
  return {
    id,
    name,
    family: 'chromium',
    places: {
      linux: {
        profiles: [['config', ...paths.linux]],
        manifests: ['config', ...paths.linux, hosts],
        confined: paths.confined.map((path) => ['home', ...path]),
      },
      darwin: { profiles: [['config', ...paths.darwin]], manifests: ['config', ...paths.darwin, hosts] },
      win32: { profiles: [['config', ...paths.win32, 'User Data']], keys: paths.keys },
    },
  };
}

const flatpak = (app: string): string[] => ['.var', 'app', app, 'config'];

/**
 * The browsers that Portside runs in.
 * https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host-location
 * https://learn.microsoft.com/microsoft-edge/extensions/developer-guide/native-messaging
 * https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_manifests#manifest_location
 */
export const BROWSERS: readonly BrowserRow[] = [
  chromium('chrome', 'Chrome', {
    linux: ['google-chrome'],
    darwin: ['Google', 'Chrome'],
    win32: ['Google', 'Chrome'],
    keys: ['Google\\Chrome'],
    confined: [flatpak('com.google.Chrome')],
  }),
  chromium('chromium', 'Chromium', {
    linux: ['chromium'],
    darwin: ['Chromium'],
    win32: ['Chromium'],
    keys: ['Chromium'],
    confined: [['snap', 'chromium', 'common', 'chromium'], flatpak('org.chromium.Chromium')],
  }),
  chromium('edge', 'Edge', {
    linux: ['microsoft-edge'],
    darwin: ['Microsoft Edge'],
    win32: ['Microsoft', 'Edge'],
    keys: ['Microsoft\\Edge'],
    confined: [flatpak('com.microsoft.Edge')],
  }),
  // These two have read their own key in some versions, and that of the browser they are made from in others.
  chromium('brave', 'Brave', {
    linux: ['BraveSoftware', 'Brave-Browser'],
    darwin: ['BraveSoftware', 'Brave-Browser'],
    win32: ['BraveSoftware', 'Brave-Browser'],
    keys: ['BraveSoftware\\Brave-Browser', 'Google\\Chrome', 'Chromium'],
    confined: [['snap', 'brave'], flatpak('com.brave.Browser')],
  }),
  chromium('vivaldi', 'Vivaldi', {
    linux: ['vivaldi'],
    darwin: ['Vivaldi'],
    win32: ['Vivaldi'],
    keys: ['Vivaldi', 'Google\\Chrome', 'Chromium'],
    confined: [flatpak('com.vivaldi.Vivaldi')],
  }),
  {
    id: 'firefox',
    name: 'Firefox',
    family: 'firefox',
    places: {
      linux: {
        // Since 147 new profiles lie in the folder for settings. The Snap starts native hosts through a desktop portal.
        profiles: [
          ['home', '.mozilla', 'firefox'],
          ['config', 'mozilla', 'firefox'],
          ['home', 'snap', 'firefox', 'common', '.mozilla'],
        ],
        manifests: ['home', '.mozilla', 'native-messaging-hosts'],
        confined: [['home', '.var', 'app', 'org.mozilla.firefox']],
      },
      darwin: { profiles: [['config', 'Firefox']], manifests: ['config', 'Mozilla', 'NativeMessagingHosts'] },
      win32: { profiles: [['roaming', 'Mozilla', 'Firefox']], keys: ['Mozilla'] },
    },
  },
];

export type Browser = Pick<BrowserRow, 'id' | 'name' | 'family'> & {
  /** It has been used here; `confined`: only in an edition that can't start the native host. */
  found: 'yes' | 'confined' | 'no';
  /** Where its manifest belongs, on systems where that is a folder. */
  manifests?: string;
  /** In the registry, where its manifest is named; of Windows only. */
  keys: string[];
};

/** Every browser of the table, as it is on this computer. */
export function browsersOn(machine: Machine, folders: Folders, host: string): Browser[] {
  const { join } = pathsOf(machine);
  const at = ([folder, ...path]: [keyof Folders, ...string[]]): string => join(folders[folder], ...path);
  return BROWSERS.map(({ id, name, family, places }) => {
    const { profiles, manifests, keys = [], confined = [] } = places[machine.system];
    const isThere = (paths: BrowserPaths['profiles']): boolean =>
      paths.some((path) => machine.exists(at(path)));
    return {
      id,
      name,
      family,
      found: isThere(profiles) ? 'yes' : isThere(confined) ? 'confined' : 'no',
      ...(manifests && { manifests: at(manifests) }),
      keys: keys.map((key) => `HKCU\\Software\\${key}\\NativeMessagingHosts\\${host}`),
    };
  });
}
