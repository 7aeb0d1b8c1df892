import { computeScopeUnion, isStrictScopeSuperset, startAuthorization } from '@modelcontextprotocol/client';
import type { Challenge, IssuerCredentials, SignInStart } from '../../types/credentials.ts';
import { clientFor } from './client.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { discover, type Discovered, originsOf } from './discovery.ts';
import { exchangeFor, startAtProvider } from './enterprise.ts';
import * as failures from './failures.ts';
import { liveFlow, currentOf } from './kept-credentials.ts';
import { oauthFetch, OriginNeededError, requireSafe } from './request.ts';

/**
 * Prepares what the user is to be shown (2026-07-28, authorization), and writes down what it takes to finish: the
 * browser gives the window's answer to the context that opened it, and a page outlives this worker. Asks nothing of an origin
 * that is not granted: `needs_origin` names those that are missing.
 * @param demand what the server wants beyond what it was given: of its 403, `insufficient_scope`
 * @throws AppError `sign_in_failed`, `sign_in_mismatch`, `server_unauthorized`, `sign_in_no_registration`,
 * `sign_in_other_issuer`, `sign_in_scope_refused`, `server_changed`
 */
export async function startSignIn(
  deps: OAuthDeps,
  server: OAuthServer,
  demand: Challenge = {},
): Promise<SignInStart> {
  try {
    const credentials = await deps.store.read(server);
    if (demand.scope !== undefined && wasRequested(demand.scope, currentOf(credentials))) {
      throw failures.stillRefused(server, demand.scope);
    }
    const challenge = { ...credentials.challenge, ...demand };
    const discovered = await discover(server, challenge, oauthFetch(deps, server));
    const missing = await notGranted(deps, originsOf(discovered.metadata, server));
    if (missing.length > 0) return { state: 'needs_origin', origins: missing };
    return await prepare(deps, server, discovered, challenge.scope);
  } catch (error) {
    if (error instanceof OriginNeededError) return { state: 'needs_origin', origins: [error.origin] };
    throw failures.failed(server, error);
  }
}

async function notGranted({ isGranted }: OAuthDeps, origins: string[]): Promise<string[]> {
  const granted = await Promise.all(origins.map(isGranted));
  return origins.filter((_, index) => !granted[index]);
}

/** The authorization request, with a state and a verifier of its own. A flow that a closed page left ends with that. */
async function prepare(
  deps: OAuthDeps,
  server: OAuthServer,
  discovered: Discovered,
  demanded: string | undefined,
): Promise<SignInStart> {
  const { metadata, resource } = discovered;
  const { issuer } = metadata;
  const credentials = await deps.store.read(server);
  const scope = scopeToRequest(discovered, credentials.issuers[issuer], demanded);
  const client = await clientFor(deps, server, discovered, scope, credentials);
  const provider = (await deps.store.client(server))?.identityProvider;
  if (provider) {
    const started = await startAtProvider(deps, provider, exchangeFor(discovered, client, scope));
    if (!started) throw failures.notOffered(server);
    const missing = await notGranted(deps, started.origins);
    if (missing.length > 0) return { state: 'needs_origin', origins: missing };
    await deps.store.update(server, (before) => ({ ...before, flow: started.flow }));
    return { state: 'window', url: started.url.href, isAgain: false };
  }
  if (!metadata.code_challenge_methods_supported?.includes('S256')) throw failures.noPkce(server, issuer);
  const asked = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) };
  const state = crypto.randomUUID();
  const { redirectUrl, now } = deps;
  const request = { metadata, clientInformation: client, redirectUrl, state, ...asked };
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, request);
  requireSafe(authorizationUrl, server);
  const flow = { startedAt: now(), state, codeVerifier, client, metadata, ...asked };
  await deps.store.update(server, (before) => ({ ...before, flow }));
  const before = liveFlow(credentials, deps)?.metadata;
  const isAgain =
    before?.['issuer'] === issuer && before['authorization_endpoint'] === metadata.authorization_endpoint;
  return { state: 'window', url: authorizationUrl.href, isAgain };
}

/**
 * What to ask for (2026-07-28, authorization, "Scope Selection Strategy" and "Step-Up Authorization Flow"): what the
 * server demands on top of what it granted before, else all that it publishes, else what the authorization server finds
 * right. A refresh token is asked for where there is a scope for it.
 */
function scopeToRequest(
  { metadata, scopesSupported }: Discovered,
  known: IssuerCredentials | undefined,
  demanded: string | undefined,
): string | undefined {
  const scope = computeScopeUnion(known?.granted, demanded) ?? computeScopeUnion(scopesSupported?.join(' '));
  const offline = metadata.scopes_supported?.includes('offline_access');
  return scope !== undefined && offline ? computeScopeUnion(scope, 'offline_access') : scope;
}

/** True when a sign-in for all of it has been done already, so that another one would change nothing. */
function wasRequested(scope: string | undefined, known: IssuerCredentials | undefined): boolean {
  return known?.tokens !== undefined && !isStrictScopeSuperset(scope, known.requested);
}
