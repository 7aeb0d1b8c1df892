import { AppError, toWire } from '../../../lib/errors.ts';
import type { ProgramInput, ServerInput } from '../../../lib/protocol/servers.ts';
import type { IdentityProvider } from '../../../lib/types/credentials.ts';
import { LONGEST_SERVER_NAME, WHOLE_PATH } from '../../../lib/types/server.ts';
import {
  invalid,
  requireHeaders,
  requireHttpUrl,
  requireName,
  requireText,
  requireTimeout,
} from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

type RemoteInput = Extract<ServerInput, { url: string }>;
type StdioInput = Extract<ServerInput, { command: string }>;

/** A UUID is shorter. */
const MOST_KEY = 100;

/**
 * A server as a page sent it, with nothing else than belongs to one.
 * @throws AppError `invalid_{field}`: name, transport, url, headers, oauth_client, command, args, cwd, env, tool_timeout
 */
export function requireServer(input: ServerInput): ServerInput {
  const name = inField('name', () => requireName(input.name, LONGEST_SERVER_NAME));
  inField('tool_timeout', () => requireTimeout(input.toolTimeout));
  const { answers } = input;
  if (answers) inField('args', () => requireArgs(Object.values(answers)));
  return {
    ...(input.id !== undefined && { id: input.id }),
    ...(typeof input.key === 'string' && input.key.length <= MOST_KEY && { key: input.key }),
    name,
    ...(input.isUnnamed === true && { isUnnamed: true }),
    enabled: input.enabled === true,
    toolTimeout: input.toolTimeout,
    trusted: input.trusted === true,
    oneAtATime: input.oneAtATime === true,
    ...(input.withoutInstructions === true && { withoutInstructions: true }),
    ...(input.withoutApps === true && { withoutApps: true }),
    ...(answers && { answers }),
    ...ownPart(input),
  };
}

function ownPart(input: ServerInput) {
  switch (input.transport) {
    case 'streamable-http':
    case 'sse':
      return remotePart(input);
    case 'stdio':
      return stdioPart(input);
    default:
      return inField('transport', () => {
        throw invalid(t(($) => $.errors.input.transport));
      });
  }
}

function remotePart({ transport, url, headers, oauthClient }: RemoteInput) {
  const given = inField('headers', () => requireHeaders(headers));
  const client = inField('oauth_client', () => requireClient(oauthClient));
  return {
    transport,
    url: inField('url', () => requireHttpUrl(url, 'url')),
    ...(given && { headers: given }),
    ...(client !== undefined && { oauthClient: client }),
  };
}

function requireClient(value: unknown): RemoteInput['oauthClient'] {
  if (value === undefined || value === null) return value;
  const { id, secret, identityProvider } = Object(value) as Record<string, unknown>;
  if (secret !== undefined && typeof secret !== 'string')
    throw invalid(t(($) => $.errors.input.clientSecret));
  return {
    id: requireText(id, 'clientId'),
    ...(secret !== undefined && { secret }),
    ...(identityProvider !== undefined && { identityProvider: requireProvider(identityProvider) }),
  };
}

function requireProvider(value: unknown): IdentityProvider {
  const { issuer, clientId } = Object(value) as Record<string, unknown>;
  return { issuer: requireHttpUrl(issuer, 'address'), clientId: requireText(clientId, 'clientId') };
}

function stdioPart({ transport, keepRunning, launchAllowed, ...program }: StdioInput) {
  return {
    transport,
    ...(keepRunning === true && { keepRunning }),
    ...(launchAllowed === true && { launchAllowed }),
    ...requireProgram(program),
  };
}

/** A program as a page sent it. @throws AppError `invalid_{field}`: command, args, cwd, env */
export function requireProgram({ command, args, cwd, env }: ProgramInput): ProgramInput {
  const folder = inField('cwd', () => optionalFolder(cwd));
  const variables = inField('env', () => requireEnv(env));
  return {
    command: inField('command', () => requireText(command, 'command')),
    args: inField('args', () => requireArgs(args)),
    ...(folder !== undefined && { cwd: folder }),
    ...(variables && { env: variables }),
  };
}

function requireArgs(value: unknown): string[] {
  if (Array.isArray(value) && value.every((arg) => typeof arg === 'string' && isPassable(arg))) return value;
  throw invalid(t(($) => $.errors.input.programArguments));
}

function optionalFolder(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && isPassable(value) && WHOLE_PATH.test(value)) return value;
  throw invalid(t(($) => $.errors.input.relativeFolder));
}

/** What is wrong is said without the value, a secret. */
function requireEnv(value: unknown): Record<string, string> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(t(($) => $.errors.input.environment));
  const bad = Object.entries(value).find(
    ([name, content]) => !/^[^=\0]+$/.test(name) || typeof content !== 'string' || !isPassable(content),
  );
  if (!bad) return value as Record<string, string>;
  throw invalid(t(($) => $.errors.input.variable, { name: bad[0] }));
}

/** No operating system hands a NUL on to a program. */
const isPassable = (text: string): boolean => !text.includes('\0');

/** The refusal under a code that says which field it is about. */
function inField<T>(field: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof AppError ? new AppError({ ...toWire(error), code: `invalid_${field}` }) : error;
  }
}
