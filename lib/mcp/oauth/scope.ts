import { computeScopeUnion, isStrictScopeSuperset } from '@modelcontextprotocol/client';
import type { IssuerCredentials } from '../../types/credentials.ts';
import type { Discovered } from './discovery.ts';

/**
 * What to ask for (2026-07-28, authorization, "Scope Selection Strategy" and "Step-Up Authorization Flow"): what the
 * server demands on top of what it granted before, else all that it publishes, else what the authorization server finds
 * right. A refresh token is asked for where there is a scope for it.
 */
export function scopeToRequest(
  { metadata, scopesSupported }: Discovered,
  known: IssuerCredentials | undefined,
  demanded: string | undefined,
): string | undefined {
  const scope = computeScopeUnion(known?.granted, demanded) ?? computeScopeUnion(scopesSupported?.join(' '));
  const offline = metadata.scopes_supported?.includes('offline_access');
  return scope !== undefined && offline ? computeScopeUnion(scope, 'offline_access') : scope;
}

/** True when a sign-in for all of it has been done already, so that another one would change nothing. */
export function wasRequested(scope: string | undefined, known: IssuerCredentials | undefined): boolean {
  return known?.tokens !== undefined && !isStrictScopeSuperset(scope, known.requested);
}
