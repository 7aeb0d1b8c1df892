import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { forgetGranted } from '../../entrypoints/background/browser/permissions.ts';
import {
  createAuthorization,
  createSignIn,
  type SignIn,
} from '../../entrypoints/background/servers/sign-in.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { deleteServer, putServer } from '../../lib/storage/configuration/servers.ts';
import type { ServerStatus } from '../../lib/types/server.ts';
import { followTo } from '../fakes/follow.ts';
import { startOAuthServer, type OAuthServerOptions } from '../fakes/oauth-server.ts';
import { startProtectedServer } from '../fakes/protected-server.ts';
import { storedSecrets } from '../fakes/secrets.ts';

const REDIRECT = 'https://portside.chromiumapp.org/';

const fake = vi.hoisted(() => ({
  identity: { getRedirectURL: () => 'https://portside.chromiumapp.org/' },
  permissions: { contains: vi.fn<(asked: { origins: string[] }) => Promise<boolean>>() },
  runtime: { getURL: (path: string) => `chrome-extension://portside${path}` },
}));
vi.mock('wxt/browser', () => ({ browser: fake }));

let db: Database;

beforeEach(async () => {
  vi.clearAllMocks();
  forgetGranted();
  fake.permissions.contains.mockResolvedValue(true);
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
      whileSigningIn: <T>(url: string, ask: () => Promise<T>) => {
        asked.push(new URL(url).hostname);
        return ask();
      },
    },
  };
  const config = { id, name: 'Notes', transport: 'streamable-http', url: guarded.url } as const;
  const authorization = createAuthorization(db, around);
  const signIn = createSignIn({ authorization, ...around });
  return { id, oauth, status, around, kept, asked, config, authorization, signIn };
}

const rowOf = (id: number) => db.get('servers', id);

/** Has the worker prepare a sign-in. @returns what the window answers */
async function answerOf(signIn: SignIn, id: number) {
  const start = await signIn.start({ id });
  if (start.state !== 'window') throw new Error('There is nothing to show.');
  return { answer: (await followTo(REDIRECT)(new URL(start.url))).href };
}

const signInAt = async (signIn: SignIn, id: number) =>
  signIn.finish({ id, outcome: await answerOf(signIn, id) });

describe('signing in from the worker', () => {
  it('is sent to the pages, and reconnects', async () => {
    const { id, signIn, around, oauth } = await open();
    await signInAt(signIn, id);
    expect(around.changed).toHaveBeenCalled();
    expect(around.reconnect).toHaveBeenCalledWith({ id });
    expect(await rowOf(id)).toMatchObject({ signedIn: { issuer: oauth.issuer } });
  });

  it('is finished by the next worker when the first one ended while the window was open', async () => {
    const { id, signIn, around, oauth } = await open();
    const outcome = await answerOf(signIn, id);
    const next = createSignIn({ authorization: createAuthorization(db, around), ...around });
    await next.finish({ id, outcome });
    expect(await rowOf(id)).toMatchObject({ signedIn: { issuer: oauth.issuer } });
    await expect(signIn.finish({ id, outcome })).rejects.toMatchObject({ code: 'sign_in_over' });
    expect(oauth.tokenRequests).toHaveLength(1);
  });

  it('gets no tokens for a server that was removed while the window was open', async () => {
    const { id, authorization, signIn, around, oauth } = await open();
    const outcome = await answerOf(signIn, id);
    await authorization.forget(id);
    await deleteServer(db, id);
    await expect(signIn.finish({ id, outcome })).rejects.toMatchObject({ code: 'no_server' });
    expect(oauth.tokenRequests).toEqual([]);
    expect(around.reconnect).not.toHaveBeenCalled();
    expect(await storedSecrets(db)).toEqual({});
  });

  it('takes the Origin off its requests, and only off those', async () => {
    const { id, signIn, asked } = await open();
    await signInAt(signIn, id);
    expect([...new Set(asked)].toSorted()).toEqual(['127.0.0.1', 'localhost']);
  });

  it('names the origins that the user has to allow first', async () => {
    const { id, signIn, oauth, around } = await open();
    fake.permissions.contains.mockImplementation(
      async ({ origins }) => !origins.some((pattern) => pattern.includes('localhost')),
    );
    expect(await signIn.start({ id })).toEqual({ state: 'needs_origin', origins: [oauth.issuer] });
    expect(oauth.requests).toEqual([]);
    expect(around.reconnect).not.toHaveBeenCalled();
  });

  it('asks for the scope that the server’s status demands', async () => {
    const { id, signIn, status, oauth } = await open();
    status.scope = 'write';
    await signInAt(signIn, id);
    expect(oauth.authorizations[0]?.get('scope')).toBe('write');
    await expect(signIn.start({ id })).rejects.toMatchObject({ code: 'sign_in_scope_refused' });
  });

  it('says so when the server does not accept it', async () => {
    const { id, signIn, status, around } = await open();
    around.reconnect.mockImplementation(async () => void (status.reason = 'sign_in'));
    await expect(signInAt(signIn, id)).rejects.toMatchObject({ code: 'sign_in_not_accepted' });
  });

  it('out takes the tokens away and reconnects, which asks for a sign-in', async () => {
    const { id, signIn, around, oauth, kept } = await open();
    await signInAt(signIn, id);
    await signIn.signOut({ id });
    await Promise.all(kept);
    expect(await rowOf(id)).not.toHaveProperty('signedIn');
    expect(oauth.refreshTokens.size).toBe(0);
    expect(around.reconnect).toHaveBeenCalledTimes(2);
  });

  it('is given back when its server is removed', async () => {
    const { id, authorization, signIn, oauth, kept } = await open();
    await signInAt(signIn, id);
    await authorization.forget(id);
    await deleteServer(db, id);
    await Promise.all(kept);
    expect(oauth.refreshTokens.size).toBe(0);
    await authorization.forget(id);
  });

  it('is not for a server that gets its Authorization from its settings', async () => {
    const { authorization, config } = await open();
    const having = (headers: Record<string, string>) =>
      authorization.authProvider({ ...config, toolTimeout: 1, headers });
    expect(having({ authorization: 'Bearer own' })).toBeUndefined();
    expect(having({ 'x-team': 'a' })).toBeDefined();
  });
});
