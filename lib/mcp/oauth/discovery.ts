import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type FetchLike,
  type OAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import type { Challenge } from '../../types/credentials.ts';
import type { OAuthServer } from './deps.ts';
import { notOffered, resourceMismatch } from './failures.ts';
import { OriginNeededError, requireSafe, UnsafeError } from './request.ts';

export type Discovered = {
  metadata: AuthorizationServerMetadata;
  /** RFC 8707, as the server writes it. */
  resource?: string;
  scopesSupported?: string[];
};

/**
 * Who signs users in at an MCP server (2026-07-28, authorization, "Authorization Server Discovery"): its own metadata
 * (RFC 9728) name the authorization server, whose metadata (RFC 8414, or OpenID Connect's) must name it as their issuer.
 * @throws AppError `server_unauthorized`, `sign_in_failed`; OriginNeededError; IssuerMismatchError; what fetch throws
 */
export async function discover(
  server: OAuthServer,
  challenge: Challenge | undefined,
  fetch: FetchLike,
): Promise<Discovered> {
  requireSafe(new URL(server.url), server); // it gets the tokens
  const resource = await resourceMetadata(server, challenge?.resourceMetadataUrl, fetch);
  if (resource && !isForServer(server, resource)) throw resourceMismatch(server);
  const issuer = resource?.authorization_servers?.[0] ?? new URL('/', server.url).href;
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  if (!metadata) throw notOffered(server);
  const scopesSupported = resource?.scopes_supported;
  return {
    metadata,
    ...(resource && { resource: resource.resource }),
    ...(scopesSupported && { scopesSupported }),
  };
}

/** Servers of 2025-03-26 publish none: they are their own authorization servers. */
async function resourceMetadata(
  { url }: OAuthServer,
  resourceMetadataUrl: string | undefined,
  fetch: FetchLike,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
  try {
    return await discoverOAuthProtectedResourceMetadata(url, options, fetch);
  } catch (error) {
    const ours = error instanceof OriginNeededError || error instanceof UnsafeError;
    if (ours || error instanceof TypeError || resourceMetadataUrl !== undefined) throw error;
    return undefined;
  }
}

function isForServer({ url }: OAuthServer, { resource }: OAuthProtectedResourceMetadata): boolean {
  return checkResourceAllowed({
    requestedResource: resourceUrlFromServerUrl(url),
    configuredResource: resource,
  });
}

/** The origins that signing in, and out, will ask, apart from the page that is shown in a window. @throws UnsafeError */
export function originsOf(metadata: AuthorizationServerMetadata, server: Pick<OAuthServer, 'url'>): string[] {
  const names = new Set(['token_endpoint', 'registration_endpoint', 'revocation_endpoint']);
  const given = Object.entries(metadata).filter(([name]) => names.has(name));
  const urls = given.flatMap(([, url]) => (typeof url === 'string' ? [new URL(url)] : []));
  for (const url of urls) requireSafe(url, server);
  return [...new Set(urls.map(({ origin }) => origin))];
}
