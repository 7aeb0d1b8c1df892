import { readServerConfig } from '../../../lib/config-file/read-config.ts';
import { AppError } from '../../../lib/errors.ts';
import { isRecord, parseJson } from '../../../lib/json.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { ServerInput } from '../../../lib/protocol/servers.ts';

import { t } from '../../../locales/texts/errors.ts';

/** What a file without chats holds: settings as text, or nothing that is known. */
export type Export =
  /** `servers`: as they are to be added, without what the file leaves open: a missing value is none. */
  ({ type: 'settings' } & Settings) | { type: 'not_json' } | { type: 'unknown' };

export type Settings = Omit<Request<'importSettings'>, 'shown'>;

const SETTINGS = [
  'settings',
  'ownTools',
  'mcpServers',
  'serverSettings',
  'providers',
  'assistants',
  'prompts',
];

/**
 * Recognises an export of Portside's settings. Whether what is in it is as it should be is for the worker to say.
 * @throws AppError `bad_import` or `bad_config` when a server of its settings can't be one
 */
export function readExport(text: string): Export {
  const value = parseJson(text);
  if (value === undefined) return { type: 'not_json' };
  if (!isRecord(value)) return { type: 'unknown' };
  const isOurs = 'portside' in value && SETTINGS.some((key) => key in value);
  return isOurs ? { type: 'settings', text, servers: serversIn(value) } : { type: 'unknown' };
}

function serversIn({ mcpServers, inputs }: { mcpServers?: unknown; inputs?: unknown }): Settings['servers'] {
  if (Object.keys(Object(mcpServers) as object).length === 0) return [];
  const { servers } = readServerConfig(JSON.stringify({ mcpServers, inputs }), []);
  return servers.map(({ key, input, problems, usable }) => {
    if (usable) return { key, input: withoutOpen(input) };
    throw new AppError({
      code: 'bad_import',
      message: t(($) => $.errors.import.badServer, { name: input.name, why: problems.join(' ') }),
      fix: t(($) => $.errors.import.chooseExport),
    });
  });
}

function withoutOpen(input: ServerInput): ServerInput {
  if (input.transport === 'stdio') {
    const { env: _env, ...program } = input;
    return { ...program, args: program.args.map(emptied) };
  }
  const { headers: _headers, oauthClient, ...address } = input;
  const client = emptied(oauthClient?.id ?? '');
  return {
    ...address,
    url: emptied(address.url),
    ...(client !== '' && { oauthClient: { id: client } }),
  };
}

/** Without the inputs that the export left open: an import asks for none. */
const emptied = (text: string): string => text.replace(/\$\{input:[^{}]*\}/g, '');
