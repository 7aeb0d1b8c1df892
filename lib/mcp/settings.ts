import * as mcpErrors from '../../locales/errors/mcp.ts';
import { AppError } from '../errors.ts';
import type { RemoteServer } from '../types/setup.ts';

export type ConnectionConfig = {
  id: number;
  name: string;
  /** As it was set up: with `streamable-http` the server may turn out to speak only SSE. */
  transport: RemoteServer['transport'];
  url: string;
  /** Milliseconds, from dispatch. */
  toolTimeout: number;
  /** Its calls are made one after another. */
  oneAtATime?: boolean;
  headers: Record<string, string>;
  /** What signing in gave, and whatever else must be shown nowhere. Asked whenever something is shown. */
  secrets?: () => string[];
};

/** What a connection depends on: address, transport and headers. Secret, since they may be. */
export function endpointOf({ url, transport, headers }: ConnectionConfig): string {
  return JSON.stringify([url, transport, headers]);
}

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
    ...mcpErrors.badSettings(config.name, problem.what),
    fix: problem.fix,
  });
}

function problemOf({ url, headers }: ConnectionConfig): Problem | undefined {
  const address = URL.parse(url);
  const fix = mcpErrors.settings.correct;
  if (!address || !/^https?:$/.test(address.protocol)) {
    return { what: mcpErrors.settings.notHttp, fix };
  }
  if (address.username !== '' || address.password !== '') {
    return {
      ...mcpErrors.settings.password,
    };
  }
  const bad = Object.entries(headers)
    .map(headerProblem)
    .find((each) => each !== undefined);
  return bad === undefined ? undefined : { what: bad, fix };
}

/**
 * What a browser sets itself, or never sends, and drops in silence (Fetch standard, "forbidden request-header"); of
 * `User-Agent` only Chromium says so.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);

/** Why the browser would not send a header, without its value, a secret; undefined when it would. */
export function headerProblem([name, value]: [name: string, value: unknown]): string | undefined {
  if (!isHeader(name, value)) return mcpErrors.settings.header(name);
  return isForbidden(name) ? mcpErrors.settings.forbiddenHeader(name) : undefined;
}

/** A header that a browser sets itself or never sends, whatever its value. */
export function isForbidden(headerName: string): boolean {
  const name = headerName.toLowerCase();
  return FORBIDDEN.has(name) || /^(proxy|sec)-/.test(name);
}

function isHeader(name: string, value: unknown): boolean {
  try {
    return typeof value === 'string' && new Headers([[name, value]]) instanceof Headers;
  } catch {
    return false; // that the browser refuses it is the answer
  }
}
