import { StreamableHTTPClientTransport, Client } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { noteBearer } from '../../lib/mcp/transport/observed-fetch.ts';
import type { OAuthDeps } from '../../lib/mcp/oauth/deps.ts';
import { createOAuth } from '../../lib/mcp/oauth/oauth.ts';
import type { Challenge, Credentials, WindowOutcome } from '../../lib/types/credentials.ts';
import { followTo } from '../fakes/follow.ts';
import { type OAuthServerOptions, startOAuthServer, type TestOAuthServer } from '../fakes/oauth-server.ts';
import { type ProtectedServerOptions, startProtectedServer } from '../fakes/protected-server.ts';

export const REDIRECT = 'https://portside.example/callback';

export async function startOAuth(options: OAuthServerOptions = {}): Promise<TestOAuthServer> {
  const server = await startOAuthServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** An authorization server, an MCP server that trusts it, and Portside, signed in at neither. */
export async function openOAuth(
  oauthOptions: OAuthServerOptions = {},
  serverOptions: ProtectedServerOptions = {},
) {
  const oauthServer = await startOAuth(oauthOptions);
  const guarded = await startProtectedServer(oauthServer, serverOptions);
  onTestFinished(() => guarded.close());
  const server = { id: 1, name: 'Notes', url: guarded.url };
  const kept: { credentials: Credentials } = { credentials: { issuers: {} } };
  const windows: string[] = [];
  const sent: string[] = [];
  const jobs: Promise<unknown>[] = [];
  const deps: OAuthDeps = {
    fetch: (url, init) => {
      sent.push(String(url));
      if (init?.credentials !== 'omit') throw new Error('Cookies would go along.');
      return fetch(url, init);
    },
    isGranted: async () => true,
    redirectUrl: REDIRECT,
    now: Date.now,
    inBackground: (job) => void jobs.push(job().catch(() => undefined)),
    store: {
      read: async () => structuredClone(kept.credentials),
      update: async (_server, change) =>
        (kept.credentials = structuredClone(change(structuredClone(kept.credentials)))),
      client: async () => undefined,
    },
  };
  let portside = createOAuth(deps);
  /** What a page does: it shows the window. */
  const page = {
    async show(url: string): Promise<WindowOutcome> {
      windows.push(url);
      return followTo(REDIRECT)(new URL(url)).then(
        ({ href }) => ({ answer: href }),
        (error: unknown) => ({ failure: String(error) }),
      );
    },
  };
  const start = (demand: Challenge = {}) => portside.startSignIn(server, demand);
  const finish = (outcome: WindowOutcome) => portside.finishSignIn(server, outcome);
  return {
    page,
    start,
    finish,
    oauthServer,
    guarded,
    server,
    kept,
    windows,
    sent,
    deps,
    /** From the press to the end. */
    async signIn(demand: Challenge = {}) {
      const started = await start(demand);
      if (started.state === 'needs_origin') return started;
      await finish(await page.show(started.url));
      return { state: 'signed_in' };
    },
    signOut: () => portside.signOut(server),
    provider: () => portside.authProvider(server),
    /** What another worker, or another build, would begin with: only what was stored. */
    restart: (changes: Partial<OAuthDeps> = {}) => (portside = createOAuth(Object.assign(deps, changes))),
    /** Resolves when what runs in the background is done. */
    settled: () => Promise.all(jobs),
    /** A client of the MCP server, connected. */
    async connect(): Promise<Client> {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      onTestFinished(() => client.close());
      await client.connect(
        new StreamableHTTPClientTransport(new URL(guarded.url), {
          authProvider: portside.authProvider(server),
          onInsufficientScope: 'throw',
          fetch: async (url, init) => {
            const response = await fetch(url, init);
            noteBearer(response, init?.headers);
            return response;
          },
        }),
      );
      return client;
    },
  };
}
