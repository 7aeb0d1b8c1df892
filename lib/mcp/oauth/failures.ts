import {
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import { SignInError, unauthorized } from '../failures.ts';
import { createRedaction } from '../log/redact.ts';
import type { OAuthServer } from './deps.ts';
import { UnsafeError } from './request.ts';

/** The person has to sign in; nothing went wrong. */
export const signInNeeded = (server: OAuthServer): AppError => new SignInError(server);

export function notOffered(server: OAuthServer): AppError {
  const cause = 'It does not say where to sign in: it publishes no OAuth metadata.';
  return unauthorized(server, 401, cause);
}

export function cancelled({ name }: OAuthServer, error: unknown): AppError {
  return new AppError({
    code: 'sign_in_cancelled',
    message: `Signing in at ${name} was not finished: its window was closed or could not be shown.`,
    cause: quoted(error),
    fix: 'Choose Sign in to try again.',
  });
}

export function denied({ name }: OAuthServer, host: string): AppError {
  return new AppError({
    code: 'sign_in_refused',
    message: `${host} did not let Portside use ${name} for you.`,
    cause: 'Access was denied there (access_denied).',
    fix: 'If you pressed Deny by mistake, choose Sign in again. Otherwise ask whoever runs the server for access.',
  });
}

/** The answer of the window was not made for this sign-in. What it says is not repeated: somebody else may have written it. */
export function forged({ name }: OAuthServer): AppError {
  return new AppError({
    code: 'sign_in_mismatch',
    message: `Signing in at ${name} was stopped: the answer did not come from where Portside had sent you.`,
    cause: 'The answer’s state or issuer is not the expected one, as when one server pretends to be another.',
    fix: 'Do not enter passwords there again. Try once more, and if it keeps happening, tell whoever runs the server.',
  });
}

export function resourceMismatch({ name, url }: OAuthServer): AppError {
  return new AppError({
    code: 'sign_in_failed',
    message: `Portside did not sign in at ${name}: what it publishes about signing in is for another server.`,
    cause: `Its metadata do not name ${new URL(url).origin} as the resource.`,
    fix: 'Check the server’s address. If it is right, the server is set up wrongly: tell whoever runs it.',
  });
}

export function noPkce({ name }: OAuthServer, issuer: string): AppError {
  return new AppError({
    code: 'sign_in_failed',
    message: `Portside did not sign in at ${name}: ${hostOf(issuer)} does not offer the protection that MCP requires.`,
    cause: 'Its metadata do not list S256 under code_challenge_methods_supported (PKCE).',
    fix: 'Tell whoever runs the server.',
  });
}

export function noRegistration({ name }: OAuthServer, issuer: string): AppError {
  return new AppError({
    code: 'sign_in_no_registration',
    message: `${hostOf(issuer)}, where ${name} signs people in, does not let Portside register itself.`,
    fix: 'Register an application there by hand, and enter its client ID in the server’s settings.',
  });
}

export function registeredElsewhere({ name }: OAuthServer, before: string, now: string): AppError {
  return new AppError({
    code: 'sign_in_other_issuer',
    message: `${name} now signs people in at ${hostOf(now)}; the client ID in its settings was for ${hostOf(before)}.`,
    fix: `If you trust ${hostOf(now)} and have a client ID there, enter that one in the server’s settings.`,
  });
}

/** A sign-in for this scope was done, and the server refuses all the same. */
export function stillRefused({ name }: OAuthServer, scope: string): AppError {
  return new AppError({
    code: 'sign_in_scope_refused',
    message: `${name} refuses access although you signed in for what it asked.`,
    cause: `It demands “${scope.slice(0, 200)}”.`,
    fix: 'Ask whoever runs the server to allow this for your account, then sign out and in again.',
  });
}

/** The person signed in, and the server wants them to sign in. */
export function notAccepted({ name }: OAuthServer): AppError {
  return new AppError({
    code: 'sign_in_not_accepted',
    message: `You signed in, but ${name} does not accept that.`,
    cause: 'It answers the new token with HTTP 401.',
    fix: 'Check that the account you used is one for this server. If it is, tell whoever runs the server.',
  });
}

/** The authorization server could not be asked; what there is stays as it is. */
export function unreachable({ name }: OAuthServer, error: unknown): AppError {
  return new AppError({
    code: 'sign_in_unreachable',
    message: `Your sign-in at ${name} could not be renewed.`,
    cause: quoted(error),
    fix: 'Check the network, then reconnect. If that does not help, sign in again.',
    retryable: true,
  });
}

/** Whatever ended a sign-in, in words. `cause` of an OAuthError is the authorization server's own, from a verified answer. */
export function failed(server: OAuthServer, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof IssuerMismatchError) return forged(server);
  const refused = error instanceof OAuthError || error instanceof RegistrationRejectedError;
  const unsafe = error instanceof UnsafeError || error instanceof InsecureTokenEndpointError;
  return new AppError({
    code: 'sign_in_failed',
    message: `Signing in at ${server.name} failed${unsafe ? ': it would not have been safe' : ''}.`,
    cause: error instanceof OAuthError ? quoted(`${error.code}: ${error.message}`) : quoted(error),
    fix: unsafe
      ? 'Tell whoever runs the server.'
      : 'Try again. If it keeps happening, tell whoever runs the server what is said here.',
    retryable: !refused && !unsafe,
  });
}

const hostOf = (url: string): string => new URL(url).host;

/** Foreign words as they may be shown: one short line, without what looks like a secret. */
function quoted(error: unknown): string {
  const words = (error instanceof Error ? error.message : String(error)).replaceAll(/[\p{C}\s]+/gu, ' ');
  return createRedaction([]).text(words, 300);
}
