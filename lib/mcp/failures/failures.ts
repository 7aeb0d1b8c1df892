import {
  InsufficientScopeError,
  ProtocolError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import { TooLargeError } from '../transport/body-limit.ts';
import { printedSecrets } from '../log/environment.ts';
import { createRedaction } from '../log/redact.ts';
import { oneLine } from './one-line.ts';
import { type ConnectionConfig, givenTo, placeOf, shownAddress } from '../settings.ts';
import { asksToRetryLater, type Observation } from '../transport/observed-fetch.ts';
import { t } from '../../../locales/texts/errors.ts';

/** The server did not finish the handshake and its list of tools in time. */
export function timedOut(config: ConnectionConfig, timeoutMs: number): AppError {
  return new AppError({
    code: 'server_timeout',
    ...t(($) => $.errors.mcp.timedOut, {
      name: config.name,
      address: placeOf(config),
      seconds: timeoutMs / 1000,
    }),
    retryable: true,
  });
}

type Named = Pick<ConnectionConfig, 'name'>;

/** Nothing is wrong, but the user has to sign in first. `scope`: what for, when it is more than was granted before. */
export class SignInError extends AppError {
  readonly scope: string | undefined;

  constructor({ name }: Named, scope?: string) {
    super({
      code: SIGN_IN,
      ...t(($) => $.errors.mcp.signIn, { name, scope: scope ?? 'none' }),
    });
    this.scope = scope;
  }
}

const SIGN_IN = 'server_sign_in';

/** Whether this is, or what signs in (oauth/) threw to say, that the user has to sign in. */
export function isSignIn(error: unknown): error is AppError {
  return error instanceof AppError && error.code === SIGN_IN;
}

/** What signing in (oauth/) threw to say that its server could not be asked. */
export const SIGN_IN_UNREACHABLE = 'sign_in_unreachable';

export function isSignInUnreachable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === SIGN_IN_UNREACHABLE;
}

/** The same of what the client threw; undefined when it is about something else. */
export function signInNeeded(config: ConnectionConfig, error: unknown): AppError | undefined {
  if (isSignIn(error)) return error;
  if (error instanceof InsufficientScopeError) return new SignInError(config, error.requiredScope);
  const isRefused = error instanceof UnauthorizedError || isRefusedAgain(error);
  return isRefused ? new SignInError(config) : undefined;
}

/** The server answered 401 to a token that was renewed just now. */
function isRefusedAgain(error: unknown): boolean {
  return error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpAuthentication;
}

/**
 * Why a connection could not be made. What was seen on the wire decides; `error`, as the client
 * threw it, only lends its words to the cause. `signsIn`: the user can sign in at this server.
 */
export function connectFailure(
  config: ConnectionConfig,
  error: unknown,
  seen?: Observation,
  signsIn = false,
): AppError {
  const signIn = signsIn ? signInNeeded(config, error) : undefined;
  if (signIn) return signIn;
  if (error instanceof AppError) return error;
  if (error instanceof TooLargeError) return tooLarge(config, error);
  if (error instanceof ProtocolError)
    return failing(
      config,
      t(($) => $.errors.mcp.anError),
      causeOf(config, error),
    );
  seen ??= answerIn(error);
  switch (seen?.type) {
    case 'redirect':
      return redirected(config, seen.to);
    case 'no_answer':
      return seen.error instanceof AppError ? seen.error : unreachable(config, seen.error);
    case 'answer':
      return seen.status < 400 ? notMcp(config, error, seen) : refused(config, seen, error);
    case undefined:
      return notMcp(config, error, undefined);
  }
}

/** What the client says of an answer that it did not take. */
function answerIn(error: unknown): Answer | undefined {
  if (!(error instanceof SdkHttpError) || error.status === undefined) return undefined;
  return { type: 'answer', status: error.status, contentType: '' };
}

/** No network, connection refused, a name that does not resolve, or a browser that withholds the reason. */
export function unreachable(config: ConnectionConfig, error: unknown): AppError {
  return new AppError({
    code: 'server_unreachable',
    ...t(($) => $.errors.mcp.unreachable, { name: config.name, address: placeOf(config) }),
    cause: causeOf(config, error),
    retryable: true,
  });
}

/**
 * The address answers with a redirect, which is never followed: it would take the headers along. A place with a secret in
 * it is not told.
 */
export function redirected(config: ConnectionConfig, place: string | undefined): AppError {
  const isSecret = config.secrets?.().some((secret) => secret !== '' && place?.includes(secret));
  const target = isSecret ? undefined : place;
  const to = target === undefined ? undefined : shownAddress(target);
  return new AppError({
    code: 'server_redirect',
    ...t(($) => $.errors.mcp.redirected, { name: config.name, address: placeOf(config), to: to ?? 'none' }),
    ...(target !== undefined && { redirectedTo: target }),
  });
}

type Answer = Observation & { type: 'answer' };

function tooLarge(config: ConnectionConfig, error: TooLargeError): AppError {
  return new AppError({
    code: 'server_failed',
    ...t(($) => $.errors.mcp.tooLarge, { name: config.name }),
    cause: error.message,
  });
}

function refused(config: ConnectionConfig, seen: Answer, error: unknown): AppError {
  const { status } = seen;
  const cause = `HTTP ${status}: ${causeOf(config, error)}`;
  if (status === 401 || status === 403) return unauthorized(config, status, cause);
  if (status === 404 || status === 405 || status === 410) {
    const other = config.transport === 'sse' ? 'Streamable HTTP' : 'SSE';
    return new AppError({
      code: 'server_not_found',
      ...t(($) => $.errors.mcp.notFound, { name: config.name, address: placeOf(config), other }),
      cause,
      // A gateway says so while the server behind it starts anew.
      retryable: config.wasConnected === true,
    });
  }
  if (asksToRetryLater(seen)) return busy(config, seen, cause);
  if (status < 500) return notMcp(config, error, { ...seen, contentType: '' });
  return failing(config, `HTTP ${status}`, cause);
}

const SERVER_BUSY = 'server_busy';

/** Whether the server asked to back off: more requests would only make it worse. */
export function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === SERVER_BUSY;
}

function waitWords(ms: number | undefined): string {
  if (ms === undefined) return t(($) => $.errors.mcp.busy.fix.later);
  const seconds = Math.ceil(ms / 1000);
  if (seconds === 0) return t(($) => $.errors.mcp.busy.fix.now);
  if (seconds <= 90) return t(($) => $.errors.mcp.busy.fix.seconds, { wait: seconds });
  if (seconds > 86_400) return t(($) => $.errors.mcp.busy.fix.long);
  return seconds < 3600
    ? t(($) => $.errors.mcp.busy.fix.minutes, { wait: Math.ceil(seconds / 60) })
    : t(($) => $.errors.mcp.busy.fix.hours, { wait: Math.ceil(seconds / 360) / 10 });
}

function busy({ name }: Named, { status, retryAfterMs }: Answer, cause: string): AppError {
  return new AppError({
    code: SERVER_BUSY,
    message: t(($) => $.errors.mcp.busy.message, { name, status: String(status) }),
    fix: waitWords(retryAfterMs),
    cause,
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function failing(config: ConnectionConfig, answer: string, cause: string): AppError {
  return new AppError({
    code: 'server_failed',
    ...t(($) => $.errors.mcp.failing, { name: config.name, answer }),
    cause,
    retryable: true,
  });
}

/** The server wants credentials other than those of a sign-in. */
export function unauthorized({ name }: Named, status: 401 | 403, cause: string): AppError {
  return new AppError({
    code: 'server_unauthorized',
    ...t(($) => $.errors.mcp.unauthorized, { name, status: String(status) }),
    cause,
  });
}

function notMcp(config: ConnectionConfig, error: unknown, seen: Observation | undefined): AppError {
  const answer =
    seen?.type === 'answer'
      ? `HTTP ${seen.status} ${seen.contentType}`.trim()
      : t(($) => $.errors.mcp.noAnswer);
  return new AppError({
    code: 'server_not_mcp',
    ...t(($) => $.errors.mcp.notMcp, { name: config.name, address: placeOf(config) }),
    cause: `${answer}: ${causeOf(config, error)}`,
  });
}

/** An error's own words, short, in one line, and without secrets, which a server may repeat. */
export function causeOf(config: ConnectionConfig, error: unknown): string {
  const own = error instanceof Error ? error.message : String(error);
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  const words = own.includes(inner) ? own : `${own} (${inner})`;
  return createRedaction(secretsOf(config)).text(oneLine(words), MOST_CAUSE);
}

const MOST_CAUSE = 300;

/**
 * Header values, with and without a scheme such as `Bearer`, the values of the address's query, and what signing in
 * gave; what is given to a program.
 */
export function secretsOf(config: ConnectionConfig): string[] {
  if (config.transport === 'stdio') {
    const values = givenTo(config);
    return [...values, ...printedSecrets(values)];
  }
  const { headers, url, secrets } = config;
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^\S+\s+/, '')]);
  const query = URL.canParse(url) ? [...new URL(url).searchParams.values()] : [];
  return [...values, ...query, ...(secrets?.() ?? [])];
}
