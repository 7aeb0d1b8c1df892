import * as configErrors from '../../../locales/errors/config-file.ts';
import type { Server } from '../../types/setup.ts';
import { openInAddress, openInArguments } from './open-secrets.ts';

/** What is kept apart from the servers' rows, by server id. */
export type ServerSecrets = Record<
  number,
  { headers?: Record<string, string>; env?: Record<string, string>; clientSecret?: string }
>;

/** VS Code's way to leave a value open: its dialog, and Portside's import, ask for it. */
type Input = { type: 'promptString'; id: string; description: string; password: true };

/**
 * All servers as an `mcp.json`, whose `mcpServers` most programs read.
 * @param secrets without them their values stay open, as `${input:..}`, and so does what an address or an argument calls
 * a key or a token
 */
export function exportConfig(servers: Server[], secrets?: ServerSecrets): string {
  const inputs: Input[] = [];
  const names = new Set<string>();
  const entries = servers.map((server) => {
    const name = freeName(server.name, names);
    names.add(name);
    const open = (key: string): string => {
      const id = freeId(`${slug(name)}-${server.id}-${slug(key)}`, inputs);
      inputs.push({
        type: 'promptString',
        id,
        description: configErrors.exported.secret(key, name),
        password: true,
      });
      return `\${input:${id}}`;
    };
    return [name, entryOf(server, secrets && (secrets[server.id] ?? {}), open)];
  });
  const config = { mcpServers: Object.fromEntries(entries), ...(inputs.length > 0 && { inputs }) };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function entryOf(
  server: Server,
  secrets: ServerSecrets[number] | undefined,
  open: (key: string) => string,
): Record<string, unknown> {
  const values = (keys: string[], known: Record<string, string> = {}): Record<string, string> =>
    Object.fromEntries(keys.map((key) => [key, (Object.hasOwn(known, key) && known[key]) || open(key)]));
  if (server.transport === 'stdio') {
    const { command, args, cwd, envNames } = server;
    return {
      type: 'stdio',
      command,
      args: secrets ? args : openInArguments(args, open),
      ...(cwd !== undefined && { cwd }),
      ...(envNames.length > 0 && { env: values(envNames, secrets?.env) }),
    };
  }
  const { url, headerNames, oauthClient } = server;
  return {
    type: server.transport === 'sse' ? 'sse' : 'http',
    url: secrets ? url : openInAddress(url, open),
    ...(headerNames.length > 0 && { headers: values(headerNames, secrets?.headers) }),
    ...(oauthClient && {
      oauth: {
        clientId: oauthClient.id,
        ...(oauthClient.hasSecret && {
          clientSecret: secrets?.clientSecret ?? open(configErrors.exported.clientSecret),
        }),
      },
    }),
  };
}

/** Names are the keys of the file: a second server of the same name gets a number. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}

function freeId(id: string, inputs: Input[]): string {
  const taken = new Set(inputs.map((input) => input.id));
  let free = id;
  for (let number = 2; taken.has(free); number++) free = `${id}-${number}`;
  return free;
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');
