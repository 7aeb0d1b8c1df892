import type { FromNativeHost } from '../../lib/types/native-host.ts';
import type { System } from './machine.ts';
import { t } from '../../locales/texts/terminal.ts';

/** What browsers start, beside the program. */
export const LAUNCHER: Record<System, string> = {
  linux: 'portside-native-host',
  darwin: 'portside-native-host',
  win32: 'portside-native-host.bat',
};

/** What the launcher says to the browser when there is no Node: a whole native message. */
export const NO_NODE = 'no-node.frame';

/** The oldest Node that the native host runs with. */
export const OLDEST_NODE = 20;

/** The command of the program that is the native host, and not its installer. */
export const HOST_COMMAND = 'host';

type Launched = { node: string; folder: string };

/**
 * The launcher’s text. It names Node by its path, since a browser’s PATH is a poor one and version switchers are
 * functions of a shell; when that Node is gone, it looks where others usually are.
 */
export function launcherFor(system: System, launched: Launched): string {
  return system === 'win32' ? batchFile(launched) : shellScript(launched);
}

/** The message that stands in `NO_NODE`. `node`: the path that is gone. */
export function noNodeFrame(node: string): Uint8Array {
  const frame: FromNativeHost = { type: 'no_node', node };
  const json = Buffer.from(JSON.stringify(frame));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json]);
}

/** Where the usual ways to install Node put it, newest version last where there are several. */
const USUAL = [
  '"$(command -v node)"',
  '"$HOME"/.volta/bin/node',
  '"$HOME"/.local/share/mise/shims/node',
  '"$HOME"/.asdf/shims/node',
  '"${NVM_DIR:-$HOME/.nvm}"/versions/node/*/bin/node',
  '"$HOME"/.local/share/fnm/node-versions/*/installation/bin/node',
  '"$HOME/Library/Application Support"/fnm/node-versions/*/installation/bin/node',
  '/opt/homebrew/bin/node',
  '/usr/local/bin/node',
  '/usr/bin/node',
];

// Nothing but the native host may read stdin, where the browser's messages come.
function shellScript({ node, folder }: Launched): string {
  return `#!/bin/sh
# ${t(($) => $.launcher)}
folder=${quoted(folder)}
node=${quoted(node)}
if [ -x "$node" ]; then exec "$node" "$folder/portside-native-host.mjs" ${HOST_COMMAND} "$@"; fi
for other in ${USUAL.join(' ')}; do
  [ -x "$other" ] || continue
  "$other" -e 'process.exit(parseInt(process.versions.node) < ${OLDEST_NODE} ? 1 : 0)' </dev/null >/dev/null 2>&1 || continue
  exec "$other" "$folder/portside-native-host.mjs" ${HOST_COMMAND} "$@"
done
cat "$folder/${NO_NODE}"
echo ${quoted(t(($) => $.noNode, { node }))} >&2
exit 127
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function batchFile({ node }: Launched): string {
  const lines = [
    '@echo off',
    `rem ${t(($) => $.launcher)}`,
    // What is not ASCII is read as UTF-8 from here on.
    'chcp 65001 >nul',
    `set "NODE=${node.replaceAll('%', '%%')}"`,
    'if not exist "%NODE%" for %%n in (node.exe) do set "NODE=%%~$PATH:n"',
    'if not exist "%NODE%" set "NODE=%ProgramFiles%\\nodejs\\node.exe"',
    `if not exist "%NODE%" (type "%~dp0${NO_NODE}" & exit /b 127)`,
    `"%NODE%" "%~dp0portside-native-host.mjs" ${HOST_COMMAND} %*`,
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}
