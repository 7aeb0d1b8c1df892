import { AppError } from '../errors.ts';
import { isForbidden } from '../header-names.ts';
import { createRedaction } from './log/redact.ts';
import type { Launch } from '../types/native-host.ts';
import type { RemoteServer } from '../types/server.ts';
import type { LogLevel } from '../types/wire-log.ts';
import { t } from '../../locales/texts/errors.ts';

type CommonConfig = {
  id: number;
  name: string;
  /** Milliseconds, from dispatch. */
  toolTimeout: number;
  /** Its calls are made one after another. */
  oneAtATime?: boolean;
  /** It is told that its tools' apps are shown. */
  showsApps?: boolean;
  /** From which severity on it is to log things; absent: as it likes. */
  logLevel?: LogLevel | undefined;
  /** It answered before as it is set up now: what is not there is on its way. */
  wasConnected?: boolean;
  /** What signing in gave, and whatever else must be shown nowhere. Asked whenever something is shown. */
  secrets?: (() => string[]) | undefined;
};

export type RemoteConfig = CommonConfig & {
  /** As it was set up: with `streamable-http` the server may turn out to speak only SSE. */
  transport: RemoteServer['transport'];
  url: string;
  headers: Record<string, string>;
};

export type StdioConfig = CommonConfig & {
  transport: 'stdio';
  launch: Launch;
  /** It isn't ended when it has nothing to do. */
  keepRunning?: boolean;
};

export type ConnectionConfig = RemoteConfig | StdioConfig;

/** What a connection depends on: address, transport and headers, or what is started, and what it is told. Secret, since they may be. */
export function endpointOf(config: ConnectionConfig): string {
  const { transport, showsApps = false } = config;
  if (transport === 'stdio') return JSON.stringify([config.launch, config.keepRunning, showsApps]);
  return JSON.stringify([config.url, transport, config.headers, showsApps]);
}

/** What a program is given that must be shown nowhere: its environment, and what its arguments refer to. */
export function givenTo({ launch, secrets }: StdioConfig): string[] {
  return [...Object.values(launch.env), ...(secrets?.() ?? [])];
}

/** Whose connections it shares: an origin, or what is like none. */
export function originOf(config: ConnectionConfig): string {
  return config.transport === 'stdio' ? `stdio:${config.id}` : new URL(config.url).origin;
}

/** Where it is, as it may be shown. */
export function placeOf(config: ConnectionConfig): string {
  if (config.transport === 'stdio') return config.launch.command;
  return createRedaction(config.secrets?.() ?? []).text(shownAddress(config.url), MOST_ADDRESS);
}

const MOST_ADDRESS = 2000;

/** The address as it may be shown: a query or a password in it may be a secret. */
export function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

type Problem = { what: string; fix: string };

/**
 * Says before anything is sent what the platform would refuse with a TypeError of its own, which may repeat secrets.
 * @throws AppError server_bad_settings
 */
export function checkSettings(config: ConnectionConfig): void {
  const problem = problemOf(config);
  if (!problem) return;
  throw new AppError({
    code: 'server_bad_settings',
    ...t(($) => $.errors.mcp.badSettings, { name: config.name, what: problem.what }),
    fix: problem.fix,
  });
}

function problemOf(config: ConnectionConfig): Problem | undefined {
  if (config.transport === 'stdio') return undefined;
  const { url, headers } = config;
  const address = URL.parse(url);
  const fix = t(($) => $.errors.mcp.settings.correct);
  if (!address || !/^https?:$/.test(address.protocol)) {
    return { what: t(($) => $.errors.mcp.settings.notHttp), fix };
  }
  if (address.username !== '' || address.password !== '') {
    return {
      ...t(($) => $.errors.mcp.settings.password),
    };
  }
  const bad = Object.entries(headers)
    .map(headerProblem)
    .find((each) => each !== undefined);
  return bad === undefined ? undefined : { what: bad, fix };
}

/** Why the browser would not send a header, without its value, a secret; undefined when it would. */
export function headerProblem([name, value]: [name: string, value: unknown]): string | undefined {
  if (!isHeader(name, value)) return t(($) => $.errors.mcp.settings.header, { name });
  return isForbidden(name) ? t(($) => $.errors.mcp.settings.forbiddenHeader, { name }) : undefined;
}

function isHeader(name: string, value: unknown): boolean {
  try {
    return typeof value === 'string' && new Headers([[name, value]]) instanceof Headers;
  } catch {
    return false; // that the browser refuses it is the answer
  }
}
