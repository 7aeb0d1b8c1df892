import {
  exchangeAuthorization,
  OAuthError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type { AuthorizationServerMetadata, OAuthTokens } from '@modelcontextprotocol/client';
import type { Challenge, Credentials, IssuerCredentials, OAuthClient } from '../../types/credentials.ts';
import { clientFor } from './client.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { discover, originsOf } from './discovery.ts';
import type { Discovered } from './discovery.ts';
import * as failures from './failures.ts';
import { oauthFetch, OriginNeededError, requireSecure } from './request.ts';
import { scopeToRequest, wasRequested } from './scope.ts';
import { currentOf, toTokens, withIssuer } from './tokens.ts';

export type SignInResult = { state: 'signed_in' } | { state: 'needs_origin'; origins: string[] };

/**
 * Has the person sign in, in a window, and keeps what that gives (2026-07-28, authorization). Asks nothing of an origin
 * that is not granted: `needs_origin` names those that are missing. Nothing of a flow under way is stored: when the worker
 * ends, the window's answer is lost with it, and a verifier without its answer is worth nothing.
 * @param demand what the server wants beyond what it was given: of its 403, `insufficient_scope`
 * @throws AppError `sign_in_cancelled`, `sign_in_refused`, `sign_in_failed`, `sign_in_mismatch`, `server_unauthorized`,
 * `sign_in_no_registration`, `sign_in_other_issuer`, `sign_in_scope_refused`, `server_changed`
 */
export async function signIn(
  deps: OAuthDeps,
  server: OAuthServer,
  demand: Challenge = {},
): Promise<SignInResult> {
  try {
    const credentials = await deps.store.read(server);
    if (demand.scope !== undefined && wasRequested(demand.scope, currentOf(credentials))) {
      throw failures.stillRefused(server, demand.scope);
    }
    const challenge = { ...credentials.challenge, ...demand };
    const discovered = await discover(server, challenge, oauthFetch(deps));
    const missing = await notGranted(deps, originsOf(discovered.metadata));
    if (missing.length > 0) return { state: 'needs_origin', origins: missing };
    await authorize(deps, server, discovered, challenge.scope);
    return { state: 'signed_in' };
  } catch (error) {
    if (error instanceof OriginNeededError) return { state: 'needs_origin', origins: [error.origin] };
    throw failures.failed(server, error);
  }
}

async function notGranted({ isGranted }: OAuthDeps, origins: string[]): Promise<string[]> {
  const granted = await Promise.all(origins.map(isGranted));
  return origins.filter((_, index) => !granted[index]);
}

async function authorize(
  deps: OAuthDeps,
  server: OAuthServer,
  discovered: Discovered,
  demanded: string | undefined,
): Promise<void> {
  const { metadata, resource } = discovered;
  const { issuer } = metadata;
  if (!metadata.code_challenge_methods_supported?.includes('S256')) throw failures.noPkce(server, issuer);
  const credentials = await deps.store.read(server);
  const scope = scopeToRequest(discovered, credentials.issuers[issuer], demanded);
  const client = await clientFor(deps, server, discovered, scope, credentials);
  const asked = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) };
  const reply = await obtain(deps, server, metadata, client, asked).catch(async (error: unknown) => {
    await deps.store.update(server, (before) => withoutClient(before, issuer));
    throw error;
  });
  const granted = reply.scope ?? scope;
  const entry: IssuerCredentials = {
    client,
    metadata,
    tokens: toTokens(reply, deps.now()),
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { requested: scope }),
    ...(granted !== undefined && { granted }),
  };
  await deps.store.update(server, ({ challenge, ...before }) => {
    const resourceMetadataUrl = challenge?.resourceMetadataUrl;
    // The demand is met; where the server's metadata are stays worth knowing.
    const known = resourceMetadataUrl === undefined ? {} : { challenge: { resourceMetadataUrl } };
    return { ...withIssuer(before, issuer, entry), current: issuer, ...known };
  });
}

/** The person's consent, and what the authorization server gives for it. */
async function obtain(
  deps: OAuthDeps,
  server: OAuthServer,
  metadata: AuthorizationServerMetadata,
  client: OAuthClient,
  asked: { scope?: string; resource?: string },
): Promise<OAuthTokens> {
  const { code, iss, codeVerifier } = await askPerson(deps, server, metadata, client, asked);
  return exchangeAuthorization(metadata.issuer, {
    metadata,
    clientInformation: client,
    authorizationCode: code,
    codeVerifier,
    redirectUri: deps.redirectUrl,
    fetchFn: oauthFetch(deps),
    ...(iss !== undefined && { iss }),
    ...(asked.resource !== undefined && { resource: asked.resource }),
  });
}

/**
 * After a sign-in that came to nothing the next one registers anew: an authorization server that has forgotten a client
 * tells only the person, in its window.
 */
function withoutClient(before: Credentials, issuer: string): Credentials {
  const after = structuredClone(before);
  delete after.issuers[issuer]?.client;
  return after;
}

type Answer = { code: string; iss: string | undefined; codeVerifier: string };

/** Shows the authorization server's page and checks whose answer came back before believing a word of it. */
async function askPerson(
  deps: OAuthDeps,
  server: OAuthServer,
  metadata: AuthorizationServerMetadata,
  clientInformation: OAuthClient,
  asked: { scope?: string; resource?: string },
): Promise<Answer> {
  const { redirectUrl } = deps;
  const state = crypto.randomUUID();
  const request = { metadata, clientInformation, redirectUrl, state, ...asked };
  const { authorizationUrl, codeVerifier } = await startAuthorization(metadata.issuer, request);
  requireSecure(authorizationUrl);
  const answer = await deps.launch(authorizationUrl).catch((error: unknown) => {
    throw failures.cancelled(server, error);
  });
  const params = answer.searchParams;
  if (params.get('state') !== state) throw failures.forged(server);
  const iss = params.get('iss') ?? undefined;
  const issParameterSupported = metadata.authorization_response_iss_parameter_supported === true;
  validateAuthorizationResponseIssuer({ iss, expectedIssuer: metadata.issuer, issParameterSupported });
  const error = params.get('error');
  if (error === 'access_denied') throw failures.denied(server, authorizationUrl.host);
  if (error !== null) throw new OAuthError(error, params.get('error_description') ?? 'no further words');
  const code = params.get('code');
  if (code === null) throw failures.forged(server);
  return { code, iss, codeVerifier };
}
