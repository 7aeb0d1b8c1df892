import { standIn } from '../../../lib/config-file/read-entry.ts';
import type { ServerInput } from '../../../lib/protocol/servers.ts';
import { sentencesOf } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import {
  LONGEST_SERVER_NAME,
  WHOLE_PATH,
  type RemoteServer,
  type Server,
  type StdioServer,
  TOOL_TIMEOUT_MS,
  type Transport,
} from '../../../lib/types/server.ts';
import { urlFault } from '../form/address-input.ts';
import { checkHeaders, type HeadersDraft } from '../form/headers-input.ts';
import { checkEnv, parseArgs, type EnvDraft } from './program-input.ts';
import { completeAddress } from './typed-address.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The form as it is typed: the fields of every transport, of which only those of the chosen one are sent. */
export type ServerDraft = HeadersDraft &
  EnvDraft & {
    name: string;
    transport: Transport;
    url: string;
    clientId: string;
    /** Empty keeps the stored one. */
    clientSecret: string;
    /** Who signs members of an organisation in; empty for none. */
    provider: string;
    providerClient: string;
    command: string;
    cwd: string;
    args: string;
    keepRunning: boolean;
    toolTimeout: string;
    /** Undefined: as it is when it is saved; the trust may have been taken away since the form was opened. */
    trusted: boolean | undefined;
    oneAtATime: boolean;
    withInstructions: boolean;
    withApps: boolean;
    enabled: boolean;
    /** Of the draft of a new server; empty for one that exists. */
    key: string;
  };

const FIELDS = [
  'name',
  'url',
  'headers',
  'clientId',
  'provider',
  'providerClient',
  'command',
  'cwd',
  'args',
  'env',
  'toolTimeout',
] as const;
export type ServerFaults = Partial<Record<(typeof FIELDS)[number], string>>;

const remote = (server: Server | null): RemoteServer | null =>
  server && server.transport !== 'stdio' ? server : null;
const program = (server: Server | null): StdioServer | null =>
  server?.transport === 'stdio' ? server : null;

export function draftOf(server: Server | null): ServerDraft {
  return {
    name: server?.name ?? '',
    transport: server?.transport ?? 'streamable-http',
    url: remote(server)?.url ?? '',
    headers: '',
    forgetHeaders: false,
    clientId: remote(server)?.oauthClient?.id ?? '',
    clientSecret: '',
    provider: remote(server)?.oauthClient?.identityProvider?.issuer ?? '',
    providerClient: remote(server)?.oauthClient?.identityProvider?.clientId ?? '',
    command: program(server)?.command ?? '',
    cwd: program(server)?.cwd ?? '',
    args: program(server)?.args.join('\n') ?? '',
    keepRunning: program(server)?.keepRunning ?? false,
    env: '',
    forgetEnv: false,
    toolTimeout: String(server?.toolTimeout ?? TOOL_TIMEOUT_MS),
    trusted: server ? undefined : false,
    oneAtATime: server?.oneAtATime ?? false,
    withInstructions: !server?.withoutInstructions,
    withApps: !server?.withoutApps,
    enabled: server?.enabled ?? true,
    key: server ? '' : crypto.randomUUID(),
  };
}

/** The draft as a command, or what is wrong with it, by field. `server`: the one that is changed. */
export function checkServer(
  draft: ServerDraft,
  server: Server | null,
): { input: ServerInput } | { faults: ServerFaults } {
  const name = draft.name.trim();
  const toolTimeout = Number(draft.toolTimeout);
  const part =
    draft.transport === 'stdio' ? checkProgram(draft, server) : checkRemote(draft, draft.transport);
  const faults: ServerFaults = {
    ...(server && name === '' && { name: t(($) => $.servers.invalid.name) }),
    ...('faults' in part && part.faults),
    ...((!Number.isInteger(toolTimeout) || toolTimeout < 1) && {
      toolTimeout: t(($) => $.servers.invalid.timeout),
    }),
  };
  if ('faults' in part || Object.keys(faults).length > 0) return { faults };
  const { enabled, trusted = false, oneAtATime, withInstructions, withApps } = draft;
  const left = { withoutInstructions: !withInstructions, withoutApps: !withApps };
  const common = { enabled, toolTimeout, trusted, oneAtATime, ...left };
  const isUnnamed = name === '' || (server?.isUnnamed === true && name === server.name);
  const called = {
    name: name === '' ? standIn(part.sent).slice(0, LONGEST_SERVER_NAME) : name,
    ...(isUnnamed && { isUnnamed }),
  };
  return {
    input: { ...(server ? { id: server.id } : { key: draft.key }), ...called, ...common, ...part.sent },
  };
}

function checkRemote(draft: ServerDraft, transport: RemoteServer['transport']) {
  const url = completeAddress(draft.url);
  const id = draft.clientId.trim();
  const [issuer, atProvider] = [draft.provider.trim(), draft.providerClient.trim()];
  const missingId = t(($) => $.servers.invalid.clientId);
  const wrongIssuer =
    issuer + atProvider === ''
      ? undefined
      : urlFault(
          issuer,
          t(($) => $.servers.invalid.url),
        );
  const headers = checkHeaders(draft);
  const wrongUrl = urlFault(
    url,
    t(($) => $.servers.invalid.url),
  );
  const faults: ServerFaults = {
    ...(wrongUrl !== undefined && { url: wrongUrl }),
    ...('fault' in headers && { headers: headers.fault }),
    ...(id === '' && draft.clientSecret + issuer + atProvider !== '' && { clientId: missingId }),
    ...(wrongIssuer !== undefined && { provider: wrongIssuer }),
    ...(issuer !== '' && atProvider === '' && { providerClient: missingId }),
  };
  if ('fault' in headers || Object.keys(faults).length > 0) return { faults };
  const client = {
    id,
    ...(draft.clientSecret !== '' && { secret: draft.clientSecret }),
    ...(issuer !== '' && { identityProvider: { issuer, clientId: atProvider } }),
  };
  return { sent: { transport, url, ...headers.sent, oauthClient: id === '' ? null : client } };
}

function checkProgram(draft: ServerDraft, server: Server | null) {
  const [command, cwd] = [draft.command.trim(), draft.cwd.trim()];
  const env = checkEnv(draft);
  const faults: ServerFaults = {
    ...(command === '' && { command: t(($) => $.servers.invalid.command) }),
    ...(cwd !== '' && !WHOLE_PATH.test(cwd) && { cwd: t(($) => $.servers.invalid.cwd) }),
    ...('fault' in env && { env: env.fault }),
  };
  if ('fault' in env || Object.keys(faults).length > 0) return { faults };
  const before = program(server);
  // An argument from elsewhere may hold a line end, which lines can't show.
  const args = before?.args.join('\n') === draft.args ? before.args : parseArgs(draft.args);
  const { keepRunning } = draft;
  const launch = { command, args, ...(cwd !== '' && { cwd }), ...env.sent };
  const isAsBefore =
    JSON.stringify([before?.command, before?.args, before?.cwd ?? '']) ===
      JSON.stringify([command, args, cwd]) && !('env' in launch);
  // It stands in the form that the user saves. What is not changed there may not have been looked at.
  const seen = isAsBefore ? {} : { launchAllowed: true };
  return { sent: { transport: 'stdio' as const, keepRunning, ...seen, ...launch } };
}

/** Codes of the worker's refusals that are about one field. */
const FIELD_OF: Record<string, keyof ServerFaults> = {
  ...Object.fromEntries(FIELDS.map((field) => [`invalid_${field}`, field])),
  invalid_oauth_client: 'clientId',
  invalid_tool_timeout: 'toolTimeout',
};

/** The worker's refusal at the field that it is about; null when it is about none. */
export function faultsOf(error: WireError, input: ServerInput): ServerFaults | null {
  // What is stored for another address: the headers, unless they were given anew; then the client's secret.
  const ofSecret = 'url' in input && input.headers ? 'clientId' : 'headers';
  const { code } = error;
  const field = code === 'secret_for_other_address' ? ofSecret : FIELD_OF[code];
  return field ? { [field]: sentencesOf(error) } : null;
}

/** What saving would move the server to, where what was given for the old place does not hold any more. */
export function movedTo(draft: ServerDraft, server: Server | null): 'origin' | 'path' | 'program' | null {
  if (!server) return null;
  if (draft.transport === 'stdio') {
    const { command, args } = program(server) ?? {};
    const isSame = command === draft.command.trim() && args?.join('\n') === draft.args;
    return isSame || draft.command.trim() === '' ? null : 'program';
  }
  const [before, after] = [URL.parse(remote(server)?.url ?? ''), URL.parse(completeAddress(draft.url))];
  if (after === null) return null;
  if (before?.origin !== after.origin) return 'origin';
  return before.pathname === after.pathname || remote(server)?.isUntried ? null : 'path';
}
