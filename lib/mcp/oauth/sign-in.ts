import {
  exchangeAuthorization,
  OAuthError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type { AuthorizationServerMetadata, OAuthTokens } from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import type { Challenge, IssuerCredentials, OAuthClient } from '../../types/credentials.ts';
import { checkClient, clientFor, isBadClient, withoutClient } from './client.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { discover, originsOf } from './discovery.ts';
import type { Discovered } from './discovery.ts';
import * as failures from './failures.ts';
import { interruptedFlow } from './flow.ts';
import { oauthFetch, OriginNeededError, requireSecure } from './request.ts';
import { scopeToRequest, wasRequested } from './scope.ts';
import { currentOf, toTokens, withIssuer } from './tokens.ts';

export type SignInResult = { state: 'signed_in' } | { state: 'needs_origin'; origins: string[] };

/**
 * Has the person sign in, in a window, and keeps what that gives (2026-07-28, authorization). Asks nothing of an origin
 * that is not granted: `needs_origin` names those that are missing. After a sign-in that the worker did not live to see
 * the end of (flow.ts), there is no window where the authorization server remembers the person.
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
  const isAgain = interruptedFlow(credentials, deps)?.issuer === issuer;
  const flow = { life: deps.life, issuer, startedAt: deps.now() };
  await deps.store.update(server, (before) => ({ ...before, flow }));
  const reply = await obtain(deps, server, metadata, client, asked, isAgain).catch(async (error: unknown) => {
    await over(deps, server, metadata, client, error);
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
  await deps.store.update(server, ({ challenge, flow: _over, ...before }) => {
    const resourceMetadataUrl = challenge?.resourceMetadataUrl;
    // The demand is met; where the server's metadata are stays worth knowing.
    const place = resourceMetadataUrl === undefined ? {} : { challenge: { resourceMetadataUrl } };
    return { ...withIssuer(before, issuer, entry), current: issuer, ...place };
  });
}

/** It came to nothing. Its client stays for the next one, unless the authorization server does not want it. */
async function over(
  deps: OAuthDeps,
  server: OAuthServer,
  metadata: AuthorizationServerMetadata,
  client: OAuthClient,
  error: unknown,
): Promise<void> {
  const { issuers } = await deps.store.update(server, ({ flow: _over, ...before }) =>
    isBadClient(error) ? withoutClient(before, metadata.issuer, client) : before,
  );
  const left = issuers[metadata.issuer];
  const isCancelled = error instanceof AppError && error.code === 'sign_in_cancelled';
  if (isCancelled && left?.client && !left.tokens) {
    deps.inBackground(() => checkClient(deps, server, metadata, client));
  }
}

/** The person's consent, and what the authorization server gives for it. */
async function obtain(
  deps: OAuthDeps,
  server: OAuthServer,
  metadata: AuthorizationServerMetadata,
  client: OAuthClient,
  asked: Asked,
  isAgain: boolean,
): Promise<OAuthTokens> {
  const { code, iss, codeVerifier } = await askPerson(deps, server, metadata, client, asked, isAgain);
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

type Asked = { scope?: string; resource?: string };
type Answer = { code: string; iss: string | undefined; codeVerifier: string };

/** Shows the authorization server's page and checks whose answer came back before believing a word of it. */
async function askPerson(
  deps: OAuthDeps,
  server: OAuthServer,
  metadata: AuthorizationServerMetadata,
  clientInformation: OAuthClient,
  asked: Asked,
  isAgain: boolean,
): Promise<Answer> {
  const { redirectUrl } = deps;
  const state = crypto.randomUUID();
  const request = { metadata, clientInformation, redirectUrl, state, ...asked };
  const { authorizationUrl, codeVerifier } = await startAuthorization(metadata.issuer, request);
  requireSecure(authorizationUrl);
  const unseen = isAgain ? await launchSilently(deps, authorizationUrl) : undefined;
  const shown = (): Promise<URL> =>
    deps.launch(authorizationUrl).catch((error: unknown) => {
      throw failures.cancelled(server, error);
    });
  const answer = unseen ?? (await shown());
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

/** The authorization server's answer if it has one without the person; what is wrong is left to the window. */
async function launchSilently({ launch }: OAuthDeps, url: URL): Promise<URL | undefined> {
  const answer = await launch(url, { silent: true }).catch(() => undefined);
  return answer?.searchParams.has('error') ? undefined : answer;
}
