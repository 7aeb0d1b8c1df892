import '../jitless.ts';
import type { Challenge } from '../../types/credentials.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { createAuthProvider } from './provider.ts';
import type { TokenProvider } from './provider.ts';
import { signIn } from './sign-in.ts';
import type { SignInResult } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export type OAuth = {
  /** For the transports of this server; the same one as long as its origin is, so that renewals are shared. */
  authProvider(server: OAuthServer): TokenProvider;
  /** Asked twice at a time, it shows one window. `demand`, errors: sign-in.ts. */
  signIn(server: OAuthServer, demand?: Challenge): Promise<SignInResult>;
  signOut(server: OAuthServer): Promise<void>;
};

/** OAuth 2.1 as the 2026-07-28 revision of MCP asks (basic/authorization), for every server that wants it. */
export function createOAuth(deps: OAuthDeps): OAuth {
  const providers = new Map<string, { server: OAuthServer; provider: TokenProvider }>();
  const signingIn = new Map<number, Promise<SignInResult>>();
  return {
    authProvider(server) {
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
    signIn(server, demand) {
      const begun = signingIn.get(server.id);
      if (begun) return begun;
      const result = signIn(deps, server, demand).finally(() => signingIn.delete(server.id));
      signingIn.set(server.id, result);
      return result;
    },
    signOut: (server) => signOut(deps, server),
  };
}
