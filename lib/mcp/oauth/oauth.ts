import '../jitless.ts';
import type { Challenge, SignInStart, WindowOutcome } from '../../types/credentials.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { createAuthProvider, type TokenProvider } from './provider.ts';
import { signOut } from './sign-out.ts';
import { startSignIn } from './start-sign-in.ts';

/** OAuth 2.1 as the 2026-07-28 revision of MCP asks (basic/authorization), for every server that wants it. */
export function createOAuth(deps: OAuthDeps) {
  const providers = new Map<string, { server: OAuthServer; provider: TokenProvider }>();
  return {
    /** For the transports of this server; the same one as long as its origin is, so that renewals are shared. */
    authProvider(server: OAuthServer): TokenProvider {
      // An address that is none is told of when it is connected to.
      const key = `${server.id} ${URL.parse(server.url)?.origin}`;
      const known = providers.get(key);
      if (known) {
        Object.assign(known.server, server);
        return known.provider;
      }
      const own = { ...server };
      const provider = createAuthProvider(deps, own);
      providers.set(key, { server: own, provider });
      return provider;
    },
    /** `demand`, errors: start-sign-in.ts. */
    startSignIn: (server: OAuthServer, demand?: Challenge): Promise<SignInStart> =>
      startSignIn(deps, server, demand),
    /** Errors: finish-sign-in.ts. */
    finishSignIn: (server: OAuthServer, outcome: WindowOutcome): Promise<void> =>
      finishSignIn(deps, server, outcome),
    signOut: (server: OAuthServer): Promise<void> => signOut(deps, server),
  };
}
