import { readServerConfig } from '../../../lib/config-file/read-config.ts';
import type { ConfiguredServer, ServerConfig } from '../../../lib/config-file/server-config.ts';
import type { ServerInput } from '../../../lib/protocol/servers.ts';
import type { Server } from '../../../lib/types/server.ts';
import { keepDraft } from '../form/use-draft.ts';
import { emptyImport } from '../import/import-input.ts';
import { go } from '../route.ts';
import { draftOf, type ServerDraft } from './input.ts';

/** What a text configures; null when it is something else. */
export function configIn(text: string, servers: Server[]): ServerConfig | null {
  try {
    return readServerConfig(text, servers);
  } catch {
    return null; // most of what is pasted is plain text
  }
}

/**
 * The one server of a configuration as it fills in the form, and what was left out, in sentences; null for several, for one
 * that needs answers, and for what the form can't show.
 */
export function filledBy(config: ServerConfig): { change: Partial<ServerDraft>; problems: string[] } | null {
  const only = config.servers.length === 1 ? config.servers[0] : undefined;
  const change = only && config.questions.length === 0 ? changeOf(only) : null;
  return only && change ? { change, problems: only.problems } : null;
}

/** Shows a configuration in the import. @param connect whether its servers are to be connected then */
export function openImport(text: string, connect: boolean): void {
  keepDraft('servers/import', { ...emptyImport, text, connect });
  void go('servers', 'import');
}

/** Shows a server in the form that its configuration fills in; one that needs answers, or of which something is left out, in the import. Switched off. */
export function openConfig(text: string, servers: Server[]): void {
  const config = configIn(text, servers);
  const filled = config && filledBy(config);
  if (!filled || filled.problems.length > 0) return openImport(text, false);
  keepDraft('servers/add', { ...draftOf(null), ...filled.change, enabled: false });
  void go('servers', 'add');
}

function changeOf({ key, input, usable }: ConfiguredServer): Partial<ServerDraft> | null {
  if (!usable) return null;
  const common = { name: key === '' ? '' : input.name, toolTimeout: String(input.toolTimeout) };
  if ('url' in input) return { ...common, ...remoteChange(input) };
  const { command, args, cwd = '', env = {} } = input;
  const isPlain = (text: string): boolean => !/[\r\n]/.test(text);
  if (![...args, ...Object.values(env)].every(isPlain) || args.some((arg) => arg.trim() === '')) return null;
  return { ...common, transport: 'stdio', command, args: args.join('\n'), cwd, env: lines(env, '=') };
}

function remoteChange(input: Extract<ServerInput, { url: string }>): Partial<ServerDraft> {
  const { transport, url, headers = {}, oauthClient } = input;
  const client = { clientId: oauthClient?.id ?? '', clientSecret: oauthClient?.secret ?? '' };
  return { transport, url, headers: lines(headers, ': '), ...client };
}

const lines = (pairs: Record<string, string>, between: string): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}${between}${value}`)
    .join('\n');
