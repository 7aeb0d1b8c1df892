import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSignIn } from '../../entrypoints/background/sign-in.ts';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import { deleteServer, putServer } from '../../lib/storage/servers.ts';
import type { ServerStatus } from '../../lib/types/setup.ts';
import { followTo } from '../fakes/follow.ts';
import { startOAuthServer, type OAuthServerOptions } from '../fakes/oauth-server.ts';
import { startProtectedServer } from '../fakes/protected-server.ts';

const REDIRECT = 'https://portside.chromiumapp.org/';

const fake = vi.hoisted(() => ({
  identity: {
    getRedirectURL: () => 'https://portside.chromiumapp.org/',
    launchWebAuthFlow: vi.fn<(details: { url: string }) => Promise<string | undefined>>(),
  },
  permissions: { contains: vi.fn<(asked: { origins: string[] }) => Promise<boolean>>() },
  runtime: { getURL: (path: string) => `chrome-extension://portside${path}` },
}));
vi.mock('wxt/browser', () => ({ browser: fake }));

let db: Database;

beforeEach(async () => {
  vi.clearAllMocks();
  fake.permissions.contains.mockResolvedValue(true);
  fake.identity.launchWebAuthFlow.mockImplementation(
    async ({ url }) => (await followTo(REDIRECT)(new URL(url))).href,
  );
  db = await openDatabase(crypto.randomUUID());
});

async function open(options?: OAuthServerOptions) {
  const oauth = await startOAuthServer(options);
  const guarded = await startProtectedServer(oauth);
  onTestFinished(async () => void (await Promise.all([oauth.close(), guarded.close()])));
  const row = { name: 'Notes', enabled: true, toolTimeout: 1000, trusted: false, oneAtATime: false };
  const id = await putServer(db, { ...row, transport: 'streamable-http', url: guarded.url });
  const status: Pick<ServerStatus, 'reason' | 'scope'> = {};
  const kept: Promise<unknown>[] = [];
  const asked: string[] = [];
  const around = {
    changed: vi.fn(async () => {}),
    reconnect: vi.fn<(request: { id: number }) => Promise<void>>(async () => {}),
    status: () => status,
    keepAlive: {
      during: <T>(job: () => Promise<T>) => {
        const done = job();
        kept.push(done);
        return done;
      },
    },
    origins: {
      whileAsking: <T>(hosts: string[], ask: () => Promise<T>) => {
        asked.push(...hosts);
        return ask();
      },
    },
  };
  const config = { id, name: 'Notes', transport: 'streamable-http', url: guarded.url } as const;
  return { id, oauth, status, around, kept, asked, config, signIn: createSignIn(db, around) };
}

const rowOf = (id: number) => db.get('servers', id);

describe('signing in from the worker', () => {
  it('shows the browser’s window, keeps the worker alive meanwhile, tells the pages and reconnects', async () => {
    const { id, signIn, around, kept, oauth } = await open();
    expect(await signIn.signIn({ id })).toEqual({ state: 'signed_in' });
    expect(fake.identity.launchWebAuthFlow).toHaveBeenCalledOnce();
    expect(fake.identity.launchWebAuthFlow.mock.calls[0]?.[0]).toMatchObject({ interactive: true });
    expect(kept).toHaveLength(1);
    expect(around.changed).toHaveBeenCalled();
    expect(around.reconnect).toHaveBeenCalledWith({ id });
    expect(await rowOf(id)).toMatchObject({ signedIn: { issuer: oauth.issuer } });
  });

  it('takes the Origin off its requests, and only off those', async () => {
    const { id, signIn, asked } = await open();
    await signIn.signIn({ id });
    expect([...new Set(asked)].toSorted()).toEqual(['127.0.0.1', 'localhost']);
  });

  it('names the origins that the person has to allow first', async () => {
    const { id, signIn, oauth, around } = await open();
    fake.permissions.contains.mockImplementation(
      async ({ origins }) => !origins.some((pattern) => pattern.includes('localhost')),
    );
    expect(await signIn.signIn({ id })).toEqual({ state: 'needs_origin', origins: [oauth.issuer] });
    expect(oauth.requests).toEqual([]);
    expect(around.reconnect).not.toHaveBeenCalled();
  });

  it('asks for the scope that the server’s status demands', async () => {
    const { id, signIn, status, oauth } = await open();
    status.scope = 'write';
    await signIn.signIn({ id });
    expect(oauth.authorizations[0]?.get('scope')).toBe('write');
    await expect(signIn.signIn({ id })).rejects.toMatchObject({ code: 'sign_in_scope_refused' });
  });

  it('says so when the server does not accept it', async () => {
    const { id, signIn, status, around } = await open();
    around.reconnect.mockImplementation(async () => void (status.reason = 'sign_in'));
    await expect(signIn.signIn({ id })).rejects.toMatchObject({ code: 'sign_in_not_accepted' });
  });

  it('out takes the tokens away and reconnects, which asks for a sign-in', async () => {
    const { id, signIn, around, oauth, kept } = await open();
    await signIn.signIn({ id });
    await signIn.signOut({ id });
    await Promise.all(kept);
    expect(await rowOf(id)).not.toHaveProperty('signedIn');
    expect(oauth.refreshTokens.size).toBe(0);
    expect(around.reconnect).toHaveBeenCalledTimes(2);
  });

  it('is given back when its server is removed', async () => {
    const { id, signIn, oauth, kept } = await open();
    await signIn.signIn({ id });
    await signIn.forget(id);
    await deleteServer(db, id);
    await Promise.all(kept);
    expect(oauth.refreshTokens.size).toBe(0);
    await signIn.forget(id);
  });

  it('shows no window where the last one’s answer was lost and the person is remembered', async () => {
    const { id, signIn, around, oauth, kept } = await open();
    const opened = Promise.withResolvers<void>();
    fake.identity.launchWebAuthFlow.mockImplementationOnce(() => {
      opened.resolve();
      return new Promise(() => {});
    });
    void signIn.signIn({ id });
    await opened.promise;
    expect(kept).toHaveLength(1);
    expect(await createSignIn(db, around).signIn({ id })).toEqual({ state: 'signed_in' });
    expect(fake.identity.launchWebAuthFlow.mock.lastCall?.[0]).toMatchObject({ interactive: false });
    expect(oauth.registrations).toHaveLength(1);
  });

  it('is not for a server that gets its Authorization from its settings', async () => {
    const { signIn, config } = await open();
    const having = (headers: Record<string, string>) =>
      signIn.authProvider({ ...config, toolTimeout: 1, headers });
    expect(having({ authorization: 'Bearer own' })).toBeUndefined();
    expect(having({ 'x-team': 'a' })).toBeDefined();
  });
});
