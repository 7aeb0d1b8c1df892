import { type AuthProvider, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { createSerial, singleFlight, wait } from '../../async.ts';
import { AppError } from '../../errors.ts';
import type { Challenge, Credentials, IssuerCredentials } from '../../types/credentials.ts';
import { bearerOf } from '../transport/observed-fetch.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { discover } from './discovery.ts';
import { notOffered, signInNeeded, unreachable } from './failures.ts';
import { withoutOldFlow, currentOf, endsSoon } from './kept-credentials.ts';
import { refresh } from './refresh.ts';
import { oauthFetch, OriginNeededError, UnsafeError } from './request.ts';

/** How long a request waits for a renewal while its token is still good, and how long after that none is tried. */
const RENEWAL_MS = 2000;
const PAUSE_MS = 30_000;

export type TokenProvider = AuthProvider & {
  /** The latest tokens and client secrets that were in use, the old ones too: a server may repeat them later. */
  secrets(): string[];
};

const MOST_SECRETS = 50;

/**
 * Gives the requests to one server their tokens, and renews them in the background. It never opens a window.
 * Requests that need a renewal at the same time share one.
 * @param server read whenever it is needed: its name may change
 */
export function createAuthProvider(deps: OAuthDeps, server: OAuthServer): TokenProvider {
  const secrets = new Set<string>();
  let nextEarly = -Infinity;
  const serial = createSerial();

  /** Serialised: a refresh token may be good for one use only. */
  const renew = (issuer: string, entry: IssuerCredentials): Promise<boolean> =>
    serial(async () => {
      const now = (await read()).issuers[issuer]?.tokens;
      // Renewed meanwhile. The old refresh token, sent again, would look stolen.
      if (now && now.accessToken !== entry.tokens?.accessToken) return true;
      return refresh(deps, server, issuer, entry);
    });

  /** Before the end of a token's life. Should it fail, the token may do all the same, and if not, the server says so. */
  const early = singleFlight(async ({ current, issuers }: Credentials) => {
    const entry = current === undefined ? undefined : issuers[current];
    const isNew = current !== undefined && entry && (await renew(current, entry).catch(() => false));
    nextEarly = isNew ? -Infinity : deps.now() + PAUSE_MS;
  });

  /** The server does not take the token, or there is none. The authorization server may have changed: it is discovered anew. */
  const refused = singleFlight(async (challenge: Challenge) => {
    const credentials = await deps.store.update(server, (before) =>
      withoutOldFlow({ ...before, challenge }, deps),
    );
    if (!currentOf(credentials)?.tokens) throw await signInOffered(deps, server, challenge);
    const { metadata } = await discover(server, challenge, oauthFetch(deps, server));
    const entry = credentials.issuers[metadata.issuer];
    // A refresh token goes nowhere but where it came from, whatever is published by now.
    const isSame = entry && tokenOriginOf(entry.metadata) === tokenOriginOf(metadata);
    if (isSame && (await renew(metadata.issuer, { ...entry, metadata }))) return;
    await deps.store.update(server, forgetTokens);
    throw signInNeeded(server);
  });

  const read = async (): Promise<Credentials> => {
    const credentials = await deps.store.read(server);
    for (const secret of secretsIn(credentials)) {
      secrets.delete(secret);
      secrets.add(secret);
    }
    for (const oldest of [...secrets].slice(0, -MOST_SECRETS)) secrets.delete(oldest);
    return credentials;
  };

  return {
    secrets: () => [...secrets],
    async token() {
      await refused.settled();
      const credentials = await read();
      const tokens = currentOf(credentials)?.tokens;
      const now = deps.now();
      if (!tokens || tokens.refreshToken === undefined || !endsSoon(tokens, now)) return tokens?.accessToken;
      const isGood = tokens.expiresAt !== undefined && now < tokens.expiresAt;
      if (isGood && now < nextEarly) return tokens.accessToken;
      const renewed = early.run(credentials);
      const isLate = isGood && Promise.race([renewed.then(() => false), wait(RENEWAL_MS).then(() => true)]);
      if (await isLate) nextEarly = now + PAUSE_MS;
      else await renewed;
      return currentOf(await read())?.tokens?.accessToken;
    },
    async onUnauthorized({ response }) {
      await early.settled();
      const token = currentOf(await read())?.tokens?.accessToken;
      const sent = bearerOf(response);
      // It was sent before a renewal, and may well be taken with the new token.
      if (token !== undefined && sent !== undefined && sent !== token) return;
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      const challenge = {
        ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
        ...(scope !== undefined && { scope }),
      };
      try {
        await refused.run(challenge);
      } catch (error) {
        if (error instanceof OriginNeededError) throw signInNeeded(server);
        throw error instanceof AppError ? error : unreachable(server, error);
      }
    },
  };
}

function tokenOriginOf({ token_endpoint: endpoint }: Record<string, unknown>): string | undefined {
  return typeof endpoint === 'string' && URL.canParse(endpoint) ? new URL(endpoint).origin : undefined;
}

function secretsIn({ issuers }: Credentials): string[] {
  return Object.values(issuers)
    .flatMap(({ tokens, client }) => [tokens?.accessToken, tokens?.refreshToken, client?.client_secret])
    .filter((secret) => secret !== undefined);
}

/** What a user without tokens has to do: a server that says nowhere how to sign in wants a key in a header. */
async function signInOffered(deps: OAuthDeps, server: OAuthServer, challenge: Challenge): Promise<AppError> {
  if (challenge.resourceMetadataUrl === undefined) {
    try {
      await discover(server, challenge, oauthFetch(deps, server));
    } catch (error) {
      if (error instanceof AppError) return error;
      if (error instanceof UnsafeError) return notOffered(server);
      // Something is published. What is wrong with it is said to the user who signs in.
    }
  }
  return signInNeeded(server);
}

/** What was granted is kept: it is asked for again at the next sign-in. */
function forgetTokens(before: Credentials): Credentials {
  const after = structuredClone(before);
  for (const entry of Object.values(after.issuers)) delete entry.tokens;
  return after;
}
