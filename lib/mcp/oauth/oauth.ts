import '../jitless.ts';
import type { AuthProvider } from '@modelcontextprotocol/client';
import type { Challenge } from '../../types/credentials.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { createAuthProvider } from './provider.ts';
import { signIn } from './sign-in.ts';
import type { SignInResult } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export type OAuth = {
  /** For the transports of this server; always the same one, so that renewals are shared. */
  authProvider(server: OAuthServer): AuthProvider;
  /** Asked twice at a time, it shows one window. `demand`, errors: sign-in.ts. */
  signIn(server: OAuthServer, demand?: Challenge): Promise<SignInResult>;
  signOut(server: OAuthServer): Promise<void>;
};

/** OAuth 2.1 as the 2026-07-28 revision of MCP asks (basic/authorization), for every server that wants it. */
export function createOAuth(deps: OAuthDeps): OAuth {
  const providers = new Map<string, AuthProvider>();
  const signingIn = new Map<number, Promise<SignInResult>>();
  return {
    authProvider(server) {
      const key = JSON.stringify(server);
      const provider = providers.get(key) ?? createAuthProvider(deps, server);
      providers.set(key, provider);
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
