import { type FetchLike, selectClientAuthMethod } from '@modelcontextprotocol/client';
import type { Credentials, IssuerCredentials, OAuthClient } from '../../types/credentials.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { oauthFetch } from './request.ts';

/**
 * Forgets every token of a server, and has them revoked where that is possible (RFC 7009), in the background.
 * Portside's registration with the authorization server stays: it opens nothing, and a new one at each sign-in would
 * pile up there.
 */
export async function signOut(deps: OAuthDeps, server: OAuthServer): Promise<void> {
  const { issuers } = await deps.store.read(server);
  await deps.store.update(server, signedOut);
  const fetch = oauthFetch(deps, server);
  deps.inBackground(() => Promise.allSettled(Object.values(issuers).map((entry) => revoke(entry, fetch))));
}

function signedOut({ clientId, issuers }: Credentials): Credentials {
  const kept = Object.entries(issuers).map(([issuer, { client, metadata }]) => [
    issuer,
    { metadata, ...(client && { client }) },
  ]);
  return { ...(clientId !== undefined && { clientId }), issuers: Object.fromEntries(kept) };
}

/** The refresh token first: with it many servers revoke the others too. */
export async function revoke(
  { tokens, client, metadata }: IssuerCredentials,
  fetch: FetchLike,
): Promise<void> {
  const endpoint = metadata['revocation_endpoint'];
  if (!tokens || !client || typeof endpoint !== 'string') return;
  const methods =
    metadata['revocation_endpoint_auth_methods_supported'] ??
    metadata['token_endpoint_auth_methods_supported'];
  const method = selectClientAuthMethod(client, Array.isArray(methods) ? methods : []);
  const given = [
    ['refresh_token', tokens.refreshToken],
    ['access_token', tokens.accessToken],
  ] as const;
  for (const [token_type_hint, token] of given) {
    if (token === undefined) continue;
    const body = new URLSearchParams({ token, token_type_hint });
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    if (method === 'client_secret_basic') headers.set('authorization', basic(client));
    else body.set('client_id', client.client_id);
    if (method === 'client_secret_post') body.set('client_secret', client.client_secret ?? '');
    await fetch(endpoint, { method: 'POST', headers, body });
  }
}

/** RFC 6749, section 2.3.1, as the client writes it for the other requests. */
function basic({ client_id, client_secret }: OAuthClient): string {
  return `Basic ${btoa(`${client_id}:${client_secret ?? ''}`)}`;
}
