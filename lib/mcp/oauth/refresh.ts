import {
  type AuthorizationServerMetadata,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
} from '@modelcontextprotocol/client';
import type { Credentials, IssuerCredentials, OAuthClient } from '../../types/credentials.ts';
import { isBadClient } from './client.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { tokenFetch } from './request.ts';
import { toTokens, withIssuer } from './kept-credentials.ts';

/**
 * Renews the tokens of one issuer at that issuer, silently, and keeps them.
 * @returns false when that is over: there is no refresh token, or it is not accepted any more
 * @throws what fetch throws, or OAuthError: the authorization server could not do it now
 */
export async function refresh(
  deps: OAuthDeps,
  server: OAuthServer,
  issuer: string,
  entry: IssuerCredentials,
): Promise<boolean> {
  const refreshToken = entry.tokens?.refreshToken;
  const client = await clientOf(deps, server, entry);
  if (refreshToken === undefined || !client) return false;
  const metadata = entry.metadata as AuthorizationServerMetadata;
  let reply: OAuthTokens;
  let status = 0;
  try {
    reply = await refreshAuthorization(issuer, {
      metadata,
      clientInformation: client,
      refreshToken,
      fetchFn: tokenFetch(deps, server, (answered) => (status = answered)),
      ...(entry.resource !== undefined && { resource: entry.resource }),
    });
  } catch (error) {
    if (!isFinal(status) && !isRefused(error)) throw error;
    const left = await deps.store.update(server, (before) =>
      withoutRefresh(before, issuer, refreshToken, error),
    );
    // Another one has come meanwhile, by a renewal elsewhere or a sign-in.
    return left.issuers[issuer]?.tokens?.refreshToken !== undefined;
  }
  const tokens = toTokens(reply, deps.now());
  const left = await deps.store.update(server, (before) => {
    const known = before.issuers[issuer];
    // Signed out, or in, meanwhile: that holds.
    if (known?.tokens?.refreshToken !== refreshToken) return before;
    const granted = reply.scope ?? known.granted;
    const renewed = { ...known, metadata: entry.metadata, tokens, ...(granted !== undefined && { granted }) };
    return { ...withIssuer(before, issuer, renewed), current: issuer };
  });
  return left.issuers[issuer]?.tokens !== undefined;
}

/** The user may have entered another secret since. */
async function clientOf(
  { store }: OAuthDeps,
  server: OAuthServer,
  { client }: IssuerCredentials,
): Promise<OAuthClient | undefined> {
  const own = await store.client(server);
  if (!own || own.id !== client?.client_id) return client;
  return { client_id: own.id, ...(own.secret !== undefined && { client_secret: own.secret }) };
}

/** RFC 6749, section 5.2: the refresh token or the client is not accepted any more. */
function isRefused(error: unknown): boolean {
  return (error instanceof OAuthError && error.code === OAuthErrorCode.InvalidGrant) || isBadClient(error);
}

/** Many refuse in other words, or with a web page: what the client did wrong now it would do wrong again. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== REQUEST_TIMEOUT && status !== TOO_MANY_REQUESTS;
}

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;

/** The access token may be good for a while yet. A client that is not known any more is registered anew. */
function withoutRefresh(before: Credentials, issuer: string, refused: string, error: unknown): Credentials {
  const after = structuredClone(before);
  const entry = after.issuers[issuer];
  if (entry?.tokens?.refreshToken !== refused) return before;
  delete entry.tokens.refreshToken;
  if (isBadClient(error)) delete entry.client;
  return after;
}
