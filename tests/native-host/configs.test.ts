import { expect, it } from 'vitest';
import { partsOf, readArguments } from '../../native-host/arguments.ts';
import { findConfigs } from '../../native-host/configs.ts';
import type { System } from '../../native-host/install/machine.ts';
import { fakeMachine } from '../fakes/machine.ts';

const paths: Record<System, [application: string, path: string][]> = {
  linux: [
    ['Claude Desktop', '/home/me/.config/Claude/claude_desktop_config.json'],
    ['Cursor', '/home/me/.cursor/mcp.json'],
    ['VS Code', '/home/me/.config/Code/User/mcp.json'],
  ],
  darwin: [
    ['Claude Desktop', '/Users/me/Library/Application Support/Claude/claude_desktop_config.json'],
    ['Cursor', '/Users/me/.cursor/mcp.json'],
    ['VS Code', '/Users/me/Library/Application Support/Code/User/mcp.json'],
  ],
  win32: [
    ['Claude Desktop', 'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['Cursor', 'C:\\Users\\me\\.cursor\\mcp.json'],
    ['VS Code', 'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json'],
  ],
};

it.each(Object.keys(paths) as System[])(
  'finds what other applications were configured with on %s',
  (system) => {
    const machine = fakeMachine(system);
    for (const [application, path] of paths[system]) machine.files.set(path, `// of ${application}`);
    expect(findConfigs(machine)).toEqual(
      paths[system].map(([application, path]) => ({ application, path, text: `// of ${application}` })),
    );
  },
);

it('leaves out files that are not there, or far too large for what they should be', () => {
  const machine = fakeMachine('linux');
  machine.files.set('/home/me/.cursor/mcp.json', ' '.repeat(4_000_001));
  expect(findConfigs(machine)).toEqual([]);
});

it.each([
  ['npx -y server', ['npx', '-y', 'server']],
  [`"/opt/my node/bin/node" 'it is' a"b c"d ""`, ['/opt/my node/bin/node', 'it is', 'ab cd', '']],
  [`echo $HOME;ls`, ['echo', '$HOME;ls']],
])('takes the command line %s apart as a shell would, and runs nothing of it', (line, parts) => {
  expect(partsOf(line)).toEqual(parts);
});

it.each([
  [['reinstall'], 'Unknown command: reinstall.'],
  [['--all'], 'Unknown option: --all.'],
  [['install', '--all'], 'Unknown option: --all.'],
  [
    ['install', 'extra'],
    'Unexpected “extra”. Only options can follow the command, such as --browser firefox.',
  ],
  [['doctor', '--server'], '--server needs a value.'],
  [['doctor', '--server', 'stdio:'], '--server "stdio:" does not name a program.'],
  [['doctor', '--server', ' '], '--server " " does not name a program.'],
  [['install', '--browser', 'lynx'], 'Unknown browser: lynx.'],
  [['install', '--extension-id', '*'], '* is not a Chromium extension ID'],
])('refuses the arguments %j', (given, why) => {
  expect(() => readArguments(given)).toThrow(why);
});

it('takes a program for the doctor as npm start writes it too', () => {
  const given = ['doctor', '--server', 'stdio:npx -y server', '--server', 'uvx server'];
  expect(readArguments(given).servers).toEqual(['npx -y server', 'uvx server']);
});

it('takes whatever a browser adds when it starts the native host', () => {
  expect(readArguments(['host', 'chrome-extension://abc/', '--parent-window=0'])).toMatchObject({
    command: 'host',
  });
});
