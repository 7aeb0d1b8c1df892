/** What the native host, its installer and its doctor say: in a terminal, and on the page that shows what the doctor found. */
export const nativeHost = {
  description: 'Runs the stdio MCP servers of Portside.',
  launcher: 'Written by portside-native-host install, and written anew by the next one.',
  noNode: (node: string): string =>
    `Portside's native host needs Node, which is no longer at ${node}. Run "npx portside-native-host install" again.`,
  usage: (
    browsers: string,
  ): string => `Runs the stdio MCP servers of Portside, the assistant in the browser's side panel.

  portside-native-host install      sets it up for the browsers of this computer, for you alone
  portside-native-host uninstall    removes what install wrote
  portside-native-host status       says for which browsers it is set up
  portside-native-host doctor       checks each part and says how to fix what is broken
  portside-native-host --version    says which version this is

  --browser NAME        install: also for a browser that has not been used yet: ${browsers}
  --extension-id ID     install: also for a Chromium extension with this id
  --server "COMMAND"    doctor: also starts this server and asks it for an answer; may be given again`,
  noHome: (home: string): string =>
    `Your home folder is not known: ${home === '' ? 'HOME is empty' : `“${home}” is not a whole path`}. Set HOME, then try again.`,
  readable:
    'Make it, and the folders that it is in, readable for you: after an installation with sudo they may belong to root.',
  writable: (folder: string): string =>
    `Make ${folder} writable for you: after an installation with sudo it may belong to root.`,
  unknownOption: (option: string): string => `There is no option ${option}.`,
  noOption: (word: string): string =>
    `What is “${word}”? What follows the command are options, such as --browser firefox.`,
  noProgram: (value: string): string =>
    `--server ${JSON.stringify(value)} names no program. Give its command, as in --server "npx -y some-server".`,
  unknownCommand: (command: string): string => `There is no command ${command}.`,
  needsValue: (option: string): string => `${option} needs a value.`,
  badId: (id: string): string => `${id} is no id of a Chromium extension: those have 32 letters from a to p.`,
  unknownBrowser: (name: string): string => `There is no browser ${name}.`,
  oldNode: (version: string, oldest: number): string =>
    `This is Node ${version}, and the native host needs ${oldest} or newer.`,
  install: {
    done: (version: string, folder: string): string => `Portside's native host ${version} is in ${folder}`,
    node: (node: string): string => `It runs with ${node}`,
    registered: 'set up',
    failed: (why: string): string => `not set up: ${why}`,
    confined:
      'not set up: it is a Snap or Flatpak, which may start no program outside of it. Install it as a package of your system or from its maker instead.',
    noBrowser:
      'No browser was found that it could be set up for. Start yours once, then install again, or name it with --browser.',
    ready: 'Portside notices by itself. The browser does not need a restart.',
    notWritten: (why: string): string => `The native host could not be installed: ${why}`,
  },
  uninstall: {
    nothing: 'The native host is not installed for you, so there is nothing to remove.',
    removed: 'Removed:',
    left: 'Could not be removed:',
    leftFix:
      'Make these, and the folders that they are in, writable for you, then run: npx portside-native-host uninstall',
    kept: (path: string): string => `Kept, since it is yours: ${path}`,
  },
  status: {
    none: 'The native host is not installed. Run: npx portside-native-host install',
    installed: (version: string, folder: string): string => `Native host ${version} in ${folder}`,
    notFound: 'not found here',
    notSetUp: 'found, not set up. Run: npx portside-native-host install',
  },
  doctor: {
    again: 'Run: npx portside-native-host install',
    installed: (version: string, folder: string): string =>
      `Native host ${version} is installed in ${folder}`,
    notInstalled: 'The native host is not installed',
    older: (installed: string, version: string): string =>
      `Native host ${installed} is installed, and this is ${version}`,
    missingFile: (path: string): string => `${path} is missing`,
    notProgram: (path: string): string => `${path} can’t be run: permission denied`,
    unreadable: (path: string): string => `${path} can’t be read: permission denied`,
    unwritable: (path: string): string => `${path} can’t be written to: permission denied`,
    node: (version: string, path: string): string => `Node ${version} found at ${path}`,
    noNode: (path: string): string => `Node is no longer at ${path}`,
    oldNode: (version: string, path: string): string => `Node ${version} at ${path} is too old`,
    noNodeFix: (oldest: number): string =>
      `Install Node ${oldest} or newer, then run: npx portside-native-host install`,
    manifest: (browser: string): string => `${browser}: manifest present and valid, Portside allowed`,
    noManifest: (browser: string, path: string): string => `${browser}: there is no manifest at ${path}`,
    unreadableManifest: (browser: string, path: string): string =>
      `${browser}: the manifest ${path} can’t be read: permission denied`,
    notJson: (browser: string, path: string): string => `${browser}: the manifest ${path} is no JSON`,
    wrong: (browser: string, field: string, path: string): string =>
      `${browser}: “${field}” is wrong in the manifest ${path}`,
    notAllowed: (browser: string, id: string): string =>
      `${browser}: the manifest does not allow Portside (${id})`,
    noKey: (browser: string, key: string): string =>
      `${browser}: the registry key ${key} does not name the manifest`,
    confined: (browser: string): string =>
      `${browser}: a Snap or Flatpak, which may start no program outside of it`,
    confinedFix: 'Install it as a package of your system or from its maker instead.',
    noBrowser: 'No browser that Portside runs in was found',
    noBrowserFix:
      'Start yours once, then run: npx portside-native-host install. Or name it: npx portside-native-host install --browser chromium',
    handshake: (version: string): string => `Handshake done: native host ${version} answers`,
    noHandshake: (why: string): string => `The native host does not answer: ${why}`,
    noHandshakeFix:
      'Run: npx portside-native-host install. If that does not help, report it with the lines above.',
    silent: (seconds: number): string => `nothing came within ${seconds} s`,
    ended: (code: number | null): string => `it ended${code === null ? '' : ` with code ${code}`}`,
    noHello: (type: string): string => `it began with “${type}” instead of “hello”`,
    otherProtocol: (theirs: number, ours: number): string => `it speaks protocol ${theirs}, and this ${ours}`,
    policy: (file: string, commands: string[]): string =>
      `A policy allows ${commands.length > 0 ? `only ${commands.join(', ')}` : 'nothing to be started'} (${file})`,
    brokenPolicy: (file: string, problem: string): string => `The policy ${file} can't be read: ${problem}`,
    brokenPolicyFix: 'Mend the file or delete it: until then nothing may be started.',
    healthy: 'Everything is in order.',
    faults: (count: number): string => `${count} ${count === 1 ? 'fault' : 'faults'} found.`,
  },
};
