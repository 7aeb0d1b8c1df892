import {
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  registerClient,
  resolveClientMetadata,
} from '@modelcontextprotocol/client';
import type { Credentials, OAuthClient } from '../../types/credentials.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import type { Discovered } from './discovery.ts';
import { noRegistration, registeredElsewhere } from './failures.ts';
import { oauthFetch } from './request.ts';
import { withIssuer } from './kept-credentials.ts';

/**
 * Portside as this authorization server knows it (2026-07-28, authorization, "Client Registration Approaches"): the
 * client that the user registered by hand, else the one it knows from before, else a metadata document that it reads
 * itself, else a new registration.
 * @throws AppError `sign_in_no_registration`, `sign_in_other_issuer`; what registering throws
 */
export async function clientFor(
  deps: OAuthDeps,
  server: OAuthServer,
  { metadata }: Discovered,
  scope: string | undefined,
  credentials: Credentials,
): Promise<OAuthClient> {
  const { issuer } = metadata;
  const own = await deps.store.client(server);
  if (own) {
    const first = Object.keys(credentials.issuers).find((known) => known !== issuer);
    if (first !== undefined && !credentials.issuers[issuer]) throw registeredElsewhere(server, first, issuer);
    return { client_id: own.id, ...(own.secret !== undefined && { client_secret: own.secret }) };
  }
  const known = credentials.issuers[issuer]?.client;
  if (known) return known;
  if (deps.clientMetadataUrl && 'client_id_metadata_document_supported' in metadata) {
    if (metadata.client_id_metadata_document_supported === true) return { client_id: deps.clientMetadataUrl };
  }
  if (!metadata.registration_endpoint) throw noRegistration(server, issuer);
  const client = await register(deps, server, metadata, scope);
  // A sign-in that comes to nothing leaves it for the next one: registrations pile up over there.
  await deps.store.update(server, (before) =>
    withIssuer(before, issuer, { ...before.issuers[issuer], metadata, client }),
  );
  return client;
}

const BAD_CLIENT: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

/** RFC 6749, sections 4.1.2.1 and 5.2: the client is not accepted, or not any more. */
export function isBadClient(error: unknown): boolean {
  return error instanceof OAuthError && BAD_CLIENT.has(error.code);
}

/** The next sign-in registers anew. The client of tokens that there are stays: they are renewed as that one. */
export function withoutClient(before: Credentials, issuer: string, { client_id }: OAuthClient): Credentials {
  const after = structuredClone(before);
  const entry = after.issuers[issuer];
  if (entry && !entry.tokens && entry.client?.client_id === client_id) delete entry.client;
  return after;
}

/**
 * Forgets the client if the authorization server has forgotten it, which that tells only the user, in its window. Asked
 * to renew what it never gave, it refuses a client that it knows for that reason, and any other for being unknown.
 */
export async function checkClient(
  deps: OAuthDeps,
  server: OAuthServer,
  metadata: Discovered['metadata'],
  client: OAuthClient,
): Promise<void> {
  const refreshToken = crypto.randomUUID();
  const request = { metadata, clientInformation: client, refreshToken, fetchFn: oauthFetch(deps, server) };
  await refreshAuthorization(metadata.issuer, request).catch(async (error: unknown) => {
    if (!isBadClient(error)) return;
    await deps.store.update(server, (before) => withoutClient(before, metadata.issuer, client));
  });
}

/** RFC 7591. The library says what kind of application this is, which goes by where the answer is sent. */
async function register(
  deps: OAuthDeps,
  server: OAuthServer,
  metadata: Discovered['metadata'],
  scope: string | undefined,
): Promise<OAuthClient> {
  const { redirectUrl } = deps;
  const own = { client_name: 'Portside', redirect_uris: [redirectUrl], response_types: ['code'] };
  const clientMetadata = resolveClientMetadata({ redirectUrl, clientMetadata: own });
  const scoped = scope === undefined ? {} : { scope };
  const fetchFn = oauthFetch(deps, server);
  const given = await registerClient(metadata.issuer, { metadata, clientMetadata, fetchFn, ...scoped });
  const { client_id, client_secret, token_endpoint_auth_method } = given;
  return {
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
  };
}
