// Dependency-free: runs before anything is installed, on Node 20.
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const chromiumNames = [
  'chromium',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'msedge',
  'chromium-browser',
];

const macApplications = ['/Applications', join(homedir(), 'Applications')];

/** The browser to use: `PORTSIDE_BROWSER`, else an installed Chromium, Chrome or Edge. */
export function findChromium() {
  const usual = {
    darwin: ['Chromium', 'Google Chrome', 'Microsoft Edge'].flatMap((name) =>
      macApplications.map((folder) => join(folder, `${name}.app/Contents/MacOS/${name}`)),
    ),
    win32: windowsFolders().flatMap((folder) =>
      ['Chromium', 'Google\\Chrome', 'Microsoft\\Edge'].map((name) =>
        join(folder, name, 'Application', name.endsWith('Edge') ? 'msedge.exe' : 'chrome.exe'),
      ),
    ),
  }[process.platform];
  return process.env.PORTSIDE_BROWSER || findOnPath(chromiumNames) || (usual ?? []).find(isProgram);
}

/** `PORTSIDE_FIREFOX`, else an installed Firefox. */
export function findFirefox() {
  const usual = {
    darwin: macApplications.map((folder) => join(folder, 'Firefox.app/Contents/MacOS/firefox')),
    win32: windowsFolders().map((folder) => join(folder, 'Mozilla Firefox', 'firefox.exe')),
  }[process.platform];
  return (
    process.env.PORTSIDE_FIREFOX || findOnPath(['firefox-esr', 'firefox']) || (usual ?? []).find(isProgram)
  );
}

/** The first of these programs on the PATH. */
export function findOnPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return names
    .flatMap((name) => folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))))
    .find(isProgram);
}

function windowsFolders() {
  const { ProgramFiles, LOCALAPPDATA, 'ProgramFiles(x86)': programFiles32 } = process.env;
  return [ProgramFiles, programFiles32, LOCALAPPDATA].filter((folder) => folder !== undefined);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Not there, or not ours to run: not a candidate.
  }
}
