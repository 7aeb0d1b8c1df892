import { browser } from 'wxt/browser';
import type { ConnectionsDeps } from '../../../lib/mcp/connections.ts';
import { notAccepted } from '../../../lib/mcp/oauth/failures.ts';
import type { OAuthDeps, OAuthServer } from '../../../lib/mcp/oauth/deps.ts';
import { createOAuth } from '../../../lib/mcp/oauth/oauth.ts';
import {
  readCredentials,
  readOAuthClient,
  updateCredentials,
} from '../../../lib/storage/configuration/credentials.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  addressOf,
  hiddenOf,
  requireSecrets,
  serverWithSecrets,
} from '../../../lib/storage/configuration/server-secrets.ts';
import type { SignInStart, WindowOutcome } from '../../../lib/types/credentials.ts';
import type { ServerStatus } from '../../../lib/types/server.ts';
import type { createKeepAlive } from '../browser/keep-alive.ts';
import type { OriginRule } from './origin-rule.ts';
import { isGranted } from '../browser/permissions.ts';
import { noServer } from './server-connections.ts';

type AuthorizationDeps = {
  /** Who is signed in where has changed. */
  changed: () => Promise<void>;
  keepAlive: Pick<ReturnType<typeof createKeepAlive>, 'during'>;
  origins: Pick<OriginRule, 'whileSigningIn'>;
};

type SignInDeps = {
  authorization: ReturnType<typeof createAuthorization>;
  /** Connects a server with what it has now. */
  reconnect: (request: { id: number }) => Promise<unknown>;
  /** `scope`: what a server demands beyond what it was given. */
  status: (serverId: number) => Pick<ServerStatus, 'reason' | 'scope'>;
};

export type SignIn = ReturnType<typeof createSignIn>;

/** What servers have given Portside, with which it connects and which it gives back. */
export function createAuthorization(db: Database, { changed, keepAlive, origins }: AuthorizationDeps) {
  const store: OAuthDeps['store'] = {
    read: (server) => readCredentials(db, server),
    client: (server) => readOAuthClient(db, server),
    async update(server, change) {
      const { credentials, rowChanged } = await updateCredentials(db, server, change);
      if (rowChanged) await changed();
      return credentials;
    },
  };
  const clientMetadataUrl = import.meta.env['WXT_CLIENT_METADATA_URL'] as string | undefined;
  const oauth = createOAuth({
    store,
    fetch: (url, init) => origins.whileSigningIn(String(url), () => fetch(url, init)),
    isGranted,
    redirectUrl: browser.identity.getRedirectURL(),
    ...(clientMetadataUrl && { clientMetadataUrl }),
    now: Date.now,
    inBackground: (job) =>
      void keepAlive
        .during(job)
        .catch((error: unknown) => console.warn('Tidying up a sign-in failed.', error)),
  });

  /** @throws AppError `no_server` */
  async function remote(id: number): Promise<OAuthServer> {
    const found = await serverWithSecrets(db, id);
    if (!found || found.server.transport === 'stdio') throw noServer();
    requireSecrets(found.server, found.secrets);
    const url = addressOf(found.server, found.secrets);
    return { id, name: found.server.name, url, secrets: () => hiddenOf(found.secrets) };
  }

  return {
    oauth,
    remote,

    /** For the transports. A server that gets its Authorization from its settings is not one to sign in at. */
    authProvider: (({ id, name, url, headers, secrets }) =>
      Object.keys(headers).some((header) => header.toLowerCase() === 'authorization')
        ? undefined
        : oauth.authProvider({ id, name, url, secrets })) satisfies ConnectionsDeps['authProvider'],

    /** Before a server goes: what it was given is taken back, as far as that is possible. */
    async forget(id: number): Promise<void> {
      const server = await db.get('servers', id);
      if (server && server.transport !== 'stdio') await oauth.signOut(await remote(id));
    },
  };
}

/**
 * Signing in at servers, through a window of the browser's own that a page opens: no server of Portside's is in
 * between.
 */
export function createSignIn({ authorization: { oauth, remote }, reconnect, status }: SignInDeps) {
  return {
    /** @throws AppError of oauth/start-sign-in.ts, `no_server` */
    async start({ id }: { id: number }): Promise<SignInStart> {
      const server = await remote(id);
      const { scope } = status(id);
      return oauth.startSignIn(server, scope === undefined ? {} : { scope });
    },

    /** @throws AppError of oauth/finish-sign-in.ts, `sign_in_not_accepted`, `no_server` */
    async finish({ id, outcome }: { id: number; outcome: WindowOutcome }): Promise<void> {
      const server = await remote(id);
      await oauth.finishSignIn(server, outcome);
      await reconnect({ id }).catch(() => undefined); // the status says how that went
      const { reason, scope: further } = status(id);
      if (reason === 'sign_in' && further === undefined) throw notAccepted(server);
    },

    async signOut({ id }: { id: number }): Promise<void> {
      const server = await remote(id);
      await oauth.signOut(server);
      await reconnect({ id }).catch(() => undefined);
    },
  };
}
