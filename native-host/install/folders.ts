import { pathsOf, type Machine } from './machine.ts';
import { t } from '../../locales/texts/terminal.ts';

/** Where a system keeps what belongs to one person. */
export type Folders = {
  home: string;
  /** Settings of programs; browsers' profiles among them. */
  config: string;
  /** Windows: what wanders with the user from computer to computer. Elsewhere the same as `config`. */
  roaming: string;
  /** Of the native host: its program, the launcher, the policy. */
  portside: string;
};

/** The folders of the user who installs. An environment variable counts where its system has one. @throws Error in words */
export function foldersOf(machine: Machine): Folders {
  const { system, home, env } = machine;
  const { join, isAbsolute } = pathsOf(machine);
  if (!isAbsolute(home)) throw new Error(t(($) => $.noHome, { home: home || 'none' }));
  const given = (name: string, ...otherwise: string[]): string => {
    const path = env[name];
    return path !== undefined && isAbsolute(path) ? path : join(home, ...otherwise);
  };
  if (system === 'win32') {
    const config = given('LOCALAPPDATA', 'AppData', 'Local');
    const roaming = given('APPDATA', 'AppData', 'Roaming');
    return { home, config, roaming, portside: join(config, 'Portside') };
  }
  if (system === 'darwin') {
    const config = join(home, 'Library', 'Application Support');
    return { home, config, roaming: config, portside: join(config, 'Portside') };
  }
  const config = given('XDG_CONFIG_HOME', '.config');
  return {
    home,
    config,
    roaming: config,
    portside: join(given('XDG_DATA_HOME', '.local', 'share'), 'portside'),
  };
}
