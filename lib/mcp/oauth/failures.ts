import {
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import { SIGN_IN_UNREACHABLE, SignInError, unauthorized } from '../failures/failures.ts';
import { createRedaction } from '../log/redact.ts';
import { oneLine } from '../failures/one-line.ts';
import type { OAuthServer } from './deps.ts';
import { UnsafeError } from './request.ts';
import { t } from '../../../locales/texts/errors.ts';

/** The user has to sign in; nothing went wrong. */
export const signInNeeded = (server: OAuthServer): AppError => new SignInError(server);

export function notOffered(server: OAuthServer): AppError {
  const cause = t(($) => $.errors.signIn.notOffered);
  return unauthorized(server, 401, cause);
}

export function cancelled(server: OAuthServer, error: unknown): AppError {
  const cause = quoted(server, error);
  return new AppError({
    code: 'sign_in_cancelled',
    ...t(($) => $.errors.signIn.cancelled, { name: server.name }),
    cause,
  });
}

/** An answer to no sign-in, or to one that is over. */
export function notUnderWay({ name }: OAuthServer): AppError {
  return new AppError({ code: 'sign_in_over', ...t(($) => $.errors.signIn.notUnderWay, { name }) });
}

export function denied({ name }: OAuthServer, host: string): AppError {
  return new AppError({ code: 'sign_in_refused', ...t(($) => $.errors.signIn.denied, { name, host }) });
}

/** The answer of the window was not made for this sign-in. What it says is not repeated: an attacker may have written it. */
export function forged({ name }: OAuthServer): AppError {
  return new AppError({ code: 'sign_in_mismatch', ...t(($) => $.errors.signIn.forged, { name }) });
}

export function resourceMismatch({ name, url }: OAuthServer): AppError {
  return new AppError({
    code: 'sign_in_failed',
    ...t(($) => $.errors.signIn.resourceMismatch, { name, origin: new URL(url).origin }),
  });
}

export function noPkce({ name }: OAuthServer, issuer: string): AppError {
  return new AppError({
    code: 'sign_in_failed',
    ...t(($) => $.errors.signIn.noPkce, { name, host: hostOf(issuer) }),
  });
}

export function noRegistration({ name }: OAuthServer, issuer: string): AppError {
  return new AppError({
    code: 'sign_in_no_registration',
    ...t(($) => $.errors.signIn.noRegistration, { name, host: hostOf(issuer) }),
  });
}

export function registeredElsewhere({ name }: OAuthServer, before: string, now: string): AppError {
  return new AppError({
    code: 'sign_in_other_issuer',
    ...t(($) => $.errors.signIn.registeredElsewhere, { name, before: hostOf(before), now: hostOf(now) }),
  });
}

/** A sign-in for this scope was done, and the server refuses all the same. */
export function stillRefused({ name }: OAuthServer, scope: string): AppError {
  return new AppError({
    code: 'sign_in_scope_refused',
    ...t(($) => $.errors.signIn.stillRefused, { name, scope: scope.slice(0, 200) }),
  });
}

/** The user signed in, and the server asks for it again. */
export function notAccepted({ name }: OAuthServer): AppError {
  return new AppError({ code: 'sign_in_not_accepted', ...t(($) => $.errors.signIn.notAccepted, { name }) });
}

/** The authorization server could not be asked; what there is stays as it is. */
export function unreachable(server: OAuthServer, error: unknown): AppError {
  return new AppError({
    code: SIGN_IN_UNREACHABLE,
    ...t(($) => $.errors.signIn.unreachable, { name: server.name }),
    cause: quoted(server, error),
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
    ...t(($) => $.errors.signIn.failed, { name: server.name, unsafe }),
    cause: quoted(server, error instanceof OAuthError ? `${error.code}: ${error.message}` : error),
    retryable: !refused && !unsafe,
  });
}

const hostOf = (url: string): string => new URL(url).host;

/** Foreign words as they may be shown: one short line, without secrets. */
function quoted({ secrets }: OAuthServer, error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return createRedaction(secrets?.() ?? []).text(oneLine(words), 300);
}
