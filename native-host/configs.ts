import type { FoundConfig } from '../lib/types/native-host.ts';
import { foldersOf, type Folders } from './install/folders.ts';
import { pathsOf, thisMachine, type Machine } from './install/machine.ts';

/** Characters; what is larger is some other file. */
const LARGEST = 4_000_000;

/** Where applications keep the servers that the user set up for them. */
const APPLICATIONS: { application: string; folder: keyof Folders; path: string[] }[] = [
  { application: 'Claude Desktop', folder: 'roaming', path: ['Claude', 'claude_desktop_config.json'] },
  { application: 'Cursor', folder: 'home', path: ['.cursor', 'mcp.json'] },
  { application: 'VS Code', folder: 'roaming', path: ['Code', 'User', 'mcp.json'] },
  {
    application: 'VS Code Insiders',
    folder: 'roaming',
    path: ['Code - Insiders', 'User', 'mcp.json'],
  },
];

/** The configuration files of other applications on this computer, as they stand there. */
export function findConfigs(machine: Machine = thisMachine()): FoundConfig[] {
  const folders = foldersOf(machine);
  return APPLICATIONS.flatMap(({ application, folder, path }) => {
    const file = pathsOf(machine).join(folders[folder], ...path);
    const text = machine.read(file);
    return text === null || text.length > LARGEST ? [] : [{ application, path: file, text }];
  });
}
