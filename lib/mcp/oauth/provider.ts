import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { AuthProvider } from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import type { Challenge, Credentials, IssuerCredentials } from '../../types/credentials.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { discover } from './discovery.ts';
import { notOffered, signInNeeded, unreachable } from './failures.ts';
import { refresh } from './refresh.ts';
import { oauthFetch, OriginNeededError, UnsafeError } from './request.ts';
import { currentOf, endsSoon } from './tokens.ts';

/** A 401 that comes this soon after a renewal answers a request that was sent before it. */
const JUST_RENEWED_MS = 2000;

/**
 * Gives the requests to one server their tokens, and renews them without anybody noticing. It never opens a window.
 * Requests that need a renewal at the same time share one.
 */
export function createAuthProvider(deps: OAuthDeps, server: OAuthServer): AuthProvider {
  let renewedAt = -Infinity;
  let turn: Promise<unknown> = Promise.resolve();

  /** One after the other: a refresh token may be good for one use only. */
  function renew(issuer: string, entry: IssuerCredentials): Promise<boolean> {
    const asked = deps.now();
    const renewed = turn.then(async () => {
      if (renewedAt >= asked) return true;
      const isNew = await refresh(deps, server, issuer, entry);
      if (isNew) renewedAt = deps.now();
      return isNew;
    });
    turn = renewed.catch(() => undefined); // whoever asked is told
    return renewed;
  }

  /** Before the end of a token's life. Should it fail, the token may do all the same, and if not, the server says so. */
  const early = shared(async ({ current, issuers }: Credentials) => {
    const entry = current === undefined ? undefined : issuers[current];
    if (current !== undefined && entry) await renew(current, entry).catch(() => false);
  });

  /** The server does not take the token, or there is none. Who signs people in may have changed: it is asked anew. */
  const refused = shared(async (challenge: Challenge) => {
    const credentials = await deps.store.update(server, (before) => ({ ...before, challenge }));
    if (!currentOf(credentials)?.tokens) throw await signInOffered(deps, server, challenge);
    const { metadata } = await discover(server, challenge, oauthFetch(deps));
    const entry = credentials.issuers[metadata.issuer];
    if (entry && (await renew(metadata.issuer, { ...entry, metadata }))) return;
    await deps.store.update(server, forgetTokens);
    throw signInNeeded(server);
  });

  return {
    async token() {
      await refused.settled();
      const credentials = await deps.store.read(server);
      const tokens = currentOf(credentials)?.tokens;
      if (!tokens || tokens.refreshToken === undefined || !endsSoon(tokens, deps.now())) {
        return tokens?.accessToken;
      }
      await early.run(credentials);
      return currentOf(await deps.store.read(server))?.tokens?.accessToken;
    },
    async onUnauthorized({ response }) {
      await early.settled();
      if (deps.now() - renewedAt < JUST_RENEWED_MS) return;
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

/** A job that is done once for all who ask while it is under way. */
function shared<T>(job: (input: T) => Promise<void>) {
  let running: Promise<void> | undefined;
  return {
    run: (input: T): Promise<void> =>
      (running ??= job(input).finally(() => {
        running = undefined;
      })),
    /** Resolves when none is under way, however it ended. */
    settled: async (): Promise<void> => {
      await running?.catch(() => undefined);
    },
  };
}

/** What a person without tokens has to do: a server that says nowhere how to sign in wants a key in a header. */
async function signInOffered(deps: OAuthDeps, server: OAuthServer, challenge: Challenge): Promise<AppError> {
  if (challenge.resourceMetadataUrl === undefined) {
    try {
      await discover(server, challenge, oauthFetch(deps));
    } catch (error) {
      if (error instanceof AppError) return error;
      if (error instanceof UnsafeError) return notOffered(server);
      // Something is published. What is wrong with it is said to the person who signs in.
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
