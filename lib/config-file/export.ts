import { addressWith, withAnswers } from '../types/answers.ts';
import type { Server } from '../types/server.ts';
import { openInAddress, openInArguments } from './blank-secrets.ts';
import { t } from '../../locales/texts/errors.ts';

/** What is kept apart from the servers' rows, by server id. */
export type ServerSecrets = Record<
  number,
  {
    headers?: Record<string, string>;
    env?: Record<string, string>;
    answers?: Record<string, string>;
    clientSecret?: string;
  }
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
  const keys = keysOf(servers);
  const entries = servers.map((server, index) => {
    const name = keys[index] ?? '';
    const open = (secret: string): string => {
      const key = secret.replace(/^(input|env):/, '');
      const id = freeId(`${slug(name)}-${server.id}-${slug(key)}`, inputs);
      inputs.push({
        type: 'promptString',
        id,
        description: t(($) => $.errors.configFile.exported.secret, { key, name }),
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
  const answers = values(server.answerNames ?? [], secrets?.answers);
  if (server.transport === 'stdio') {
    const { command, args, cwd, envNames } = server;
    return {
      type: 'stdio',
      command,
      args: (secrets ? args : openInArguments(args, open)).map((arg) => withAnswers(arg, answers)),
      ...(cwd !== undefined && { cwd }),
      ...(envNames.length > 0 && { env: values(envNames, secrets?.env) }),
    };
  }
  const { url, headerNames, oauthClient } = server;
  return {
    type: server.transport === 'sse' ? 'sse' : 'http',
    url: secrets ? addressWith(url, answers) : withAnswers(openInAddress(url, open), answers),
    ...(headerNames.length > 0 && { headers: values(headerNames, secrets?.headers) }),
    ...(oauthClient && {
      oauth: {
        clientId: withAnswers(oauthClient.id, answers),
        ...(oauthClient.hasSecret && {
          clientSecret: secrets?.clientSecret ?? open(t(($) => $.errors.configFile.exported.clientSecret)),
        }),
      },
    }),
  };
}

/** What a file calls the servers, in their order: by their names, of which a second one of the same gets a number. */
export function keysOf(servers: Server[]): string[] {
  const taken = new Set<string>();
  for (const { name } of servers) {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
    taken.add(free);
  }
  return [...taken];
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
