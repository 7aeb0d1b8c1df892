import type { OAuthTokens } from '@modelcontextprotocol/client';
import type { Credentials, IssuerCredentials, Tokens, SignInFlow } from '../../types/credentials.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';

/** How long before its end a token is renewed, in milliseconds; of a short-lived one, a quarter of its life. */
const MARGIN_MS = 30_000;

/** A token reply as it is kept. The library adds the old refresh token to a renewal's reply that has none. */
export function toTokens(reply: OAuthTokens, now: number): Tokens {
  const refreshToken = reply.refresh_token;
  return {
    accessToken: reply.access_token,
    obtainedAt: now,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(reply.expires_in !== undefined && { expiresAt: now + reply.expires_in * 1000 }),
  };
}

export function endsSoon({ expiresAt, obtainedAt }: Tokens, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt - Math.min(MARGIN_MS, (expiresAt - obtainedAt) / 4);
}

export function currentOf({ current, issuers }: Credentials): IssuerCredentials | undefined {
  return current === undefined ? undefined : issuers[current];
}

export function withIssuer(credentials: Credentials, issuer: string, entry: IssuerCredentials): Credentials {
  return { ...credentials, issuers: { ...credentials.issuers, [issuer]: entry } };
}

/** Milliseconds after which a sign-in expires. */
const LASTS_MS = 600_000;

/** The sign-in under way, unless it began too long ago. */
export function liveFlow({ flow }: Credentials, { now }: Pick<OAuthDeps, 'now'>): SignInFlow | undefined {
  return flow && now() - flow.startedAt < LASTS_MS ? flow : undefined;
}

export function withoutOldFlow(credentials: Credentials, deps: Pick<OAuthDeps, 'now'>): Credentials {
  const { flow: _old, ...rest } = credentials;
  return liveFlow(credentials, deps) ? credentials : rest;
}

/** Takes the sign-in under way out of what is kept: an answer is good for one use, whatever comes of it. */
export async function takeFlow(deps: OAuthDeps, server: OAuthServer): Promise<SignInFlow | undefined> {
  let taken: SignInFlow | undefined;
  await deps.store.update(server, (before) => {
    taken = liveFlow(before, deps);
    const { flow: _taken, ...rest } = before;
    return rest;
  });
  return taken;
}
