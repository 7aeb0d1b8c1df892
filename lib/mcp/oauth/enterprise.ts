import {
  type AuthorizationServerMetadata,
  discoverAuthorizationServerMetadata,
  exchangeJwtAuthGrant,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  requestJwtAuthorizationGrant,
  startAuthorization,
} from '@modelcontextprotocol/client';
import type { IdentityProvider, OAuthClient, SignInFlow } from '../../types/credentials.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { type Discovered, originsOf } from './discovery.ts';
import { oauthFetch, requireSafe, tokenFetch } from './request.ts';
import { t } from '../../../locales/texts/errors.ts';

type Exchange = NonNullable<SignInFlow['exchange']>;

/** OpenID Connect's own: what it gives is exchanged, not kept. */
const SCOPE = 'openid';

/**
 * Prepares a sign-in at the identity provider of an organisation, whose ID token is exchanged for what the server takes
 * (enterprise-managed authorization, SEP-990). The user named the provider, which may be in their own network.
 * @returns the flow, the window's address, and the origins that finishing will ask
 * @throws OriginNeededError, UnsafeError, IssuerMismatchError; what fetch throws
 */
export async function startAtProvider(
  deps: OAuthDeps,
  { issuer, clientId }: IdentityProvider,
  exchange: Exchange,
): Promise<{ flow: SignInFlow; url: URL; origins: string[] } | undefined> {
  const provider = { url: issuer };
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: oauthFetch(deps, provider) });
  if (!metadata) return undefined;
  const state = crypto.randomUUID();
  const client = { client_id: clientId };
  const { redirectUrl, now } = deps;
  const request = { metadata, clientInformation: client, redirectUrl, state, scope: SCOPE };
  const { authorizationUrl: url, codeVerifier } = await startAuthorization(metadata.issuer, request);
  requireSafe(url, provider);
  const flow = { startedAt: now(), state, codeVerifier, client, metadata, scope: SCOPE, exchange };
  return { flow, url, origins: originsOf(metadata, provider) };
}

/** What the server's sign-in is about: who Portside is there, and what is asked for. */
export const exchangeFor = (
  { metadata, resource }: Discovered,
  client: OAuthClient,
  scope: string | undefined,
): Exchange => ({
  client,
  metadata,
  ...(resource !== undefined && { resource }),
  ...(scope !== undefined && { scope }),
});

/**
 * The server's tokens for the provider's ID token, by way of an ID-JAG.
 * @throws OAuthError, UnsafeError, OriginNeededError; what fetch throws
 */
export async function exchangeIdToken(
  deps: OAuthDeps,
  server: OAuthServer,
  { client, metadata, exchange }: SignInFlow & { exchange: Exchange },
  { id_token: idToken }: OAuthTokens,
): Promise<OAuthTokens> {
  const [at, there] = [metadata, exchange.metadata] as unknown as AuthorizationServerMetadata[];
  if (!at || !there || idToken === undefined)
    throw new OAuthError(
      OAuthErrorCode.ServerError,
      t(($) => $.errors.signIn.noIdToken),
    );
  const { scope, resource = server.url } = exchange;
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
    tokenEndpoint: at.token_endpoint,
    audience: there.issuer,
    resource,
    idToken,
    clientId: client.client_id,
    ...(scope !== undefined && { scope }),
    fetchFn: tokenFetch(deps, { url: at.issuer }),
  });
  const { client_id: clientId, client_secret: clientSecret } = exchange.client;
  return exchangeJwtAuthGrant({
    tokenEndpoint: there.token_endpoint,
    jwtAuthGrant,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    authMethod: clientSecret === undefined ? 'none' : methodOf(there),
    fetchFn: tokenFetch(deps, server),
  });
}

function methodOf({ token_endpoint_auth_methods_supported: supported = [] }: AuthorizationServerMetadata) {
  const takesPostAlone =
    supported.includes('client_secret_post') && !supported.includes('client_secret_basic');
  return takesPostAlone ? 'client_secret_post' : 'client_secret_basic';
}
