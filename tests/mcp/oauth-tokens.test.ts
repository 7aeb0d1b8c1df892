import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppError } from '../../lib/errors.ts';
import { noteBearer } from '../../lib/mcp/transport/observed-fetch.ts';
import { createOAuth } from '../../lib/mcp/oauth/oauth.ts';
import { refresh } from '../../lib/mcp/oauth/refresh.ts';
import { openOAuth, startOAuth } from './oauth-rig.ts';

const refreshes = ({ requests }: { requests: string[] }) =>
  requests.filter((request) => request === 'POST /token refresh_token').length;
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => expect.fail('It succeeded.'),
    (error: unknown) => (error as AppError).code,
  );
const HOUR = 3_600_000;

describe('a token', () => {
  it('is renewed before it ends, without a 401 and without a window', async () => {
    const { signIn, connect, deps, oauthServer, guarded, windows } = await openOAuth();
    await signIn();
    const client = await connect();
    const before = guarded.tokens.at(-1);
    deps.now = () => Date.now() + HOUR - 10_000;
    await client.listTools();
    expect(guarded.tokens.at(-1)).not.toBe(before);
    expect(guarded.answers).not.toContain(401);
    expect(refreshes(oauthServer)).toBe(1);
    expect(windows).toHaveLength(1);
  });

  it('that the server refuses is renewed, and the request made again', async () => {
    const { signIn, connect, oauthServer } = await openOAuth();
    await signIn();
    const client = await connect();
    oauthServer.expire();
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect(refreshes(oauthServer)).toBe(1);
  });

  it('is renewed once for all requests that were refused at a time', async () => {
    const { signIn, connect, oauthServer, guarded } = await openOAuth();
    await signIn();
    const client = await connect();
    oauthServer.expire();
    const call = () => client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    await Promise.all(Array.from({ length: 8 }, call));
    expect(guarded.answers.filter((status) => status === 401).length).toBeGreaterThanOrEqual(8);
    expect(refreshes(oauthServer)).toBe(1);
  });

  it('is renewed once though the server was renamed meanwhile', async () => {
    const { signIn, server, deps, guarded, oauthServer } = await openOAuth();
    await signIn();
    oauthServer.expire();
    const oauth = createOAuth(deps);
    const refuse = (name: string) =>
      oauth.authProvider({ ...server, name }).onUnauthorized?.({
        response: new Response(null, { status: 401 }),
        serverUrl: new URL(guarded.url),
        fetchFn: fetch,
      });
    await Promise.all([refuse('Notes'), refuse('Jottings')]);
    expect(refreshes(oauthServer)).toBe(1);
    await oauth.signOut(server);
    const jottings = oauth.authProvider({ ...server, name: 'Jottings' });
    deps.now = () => Date.now() + HOUR;
    expect(await jottings.token()).toBeUndefined();
    await expect(refuse('Jottings')).rejects.toMatchObject({ message: 'Jottings wants you to sign in.' });
  });

  it('is known as a secret from when it is handed out, with what it is renewed with', async () => {
    const { signIn, provider, kept, deps } = await openOAuth();
    await signIn();
    const secretsNow = () =>
      Object.values(kept.credentials.issuers).flatMap(({ tokens }) => [
        tokens?.accessToken,
        tokens?.refreshToken,
      ]);
    const first = secretsNow();
    await provider().token();
    deps.now = () => Date.now() + HOUR - 10_000;
    await provider().token();
    expect(secretsNow()).not.toEqual(first);
    expect(provider().secrets()).toEqual(expect.arrayContaining([...first, ...secretsNow()]));
  });

  it('that is refused right after its renewal is renewed once more', async () => {
    const { signIn, connect, oauthServer } = await openOAuth();
    await signIn();
    const client = await connect();
    for (let time = 1; time <= 2; time++) {
      oauthServer.expire();
      expect((await client.listTools()).tools.length).toBeGreaterThan(0);
      expect(refreshes(oauthServer)).toBe(time);
    }
  });

  it('that was renewed while a request with the old one was under way is not renewed again for that', async () => {
    const { signIn, connect, provider, oauthServer, guarded } = await openOAuth();
    await signIn();
    const client = await connect();
    const late = new Response(null, { status: 401 });
    noteBearer(late, { authorization: `Bearer ${guarded.tokens.at(-1)}` });
    oauthServer.expire();
    await client.listTools();
    await provider().onUnauthorized?.({ response: late, serverUrl: new URL(guarded.url), fetchFn: fetch });
    expect(refreshes(oauthServer)).toBe(1);
  });

  it('that expires soon is used while the authorization server hangs; the next renewal waits', async () => {
    const { signIn, provider, deps, kept, oauthServer } = await openOAuth();
    await signIn();
    const good = kept.credentials.issuers[oauthServer.issuer]?.tokens?.accessToken;
    const near = Date.now() + HOUR - 25_000;
    deps.now = () => near;
    let asked = 0;
    deps.fetch = () => {
      asked++;
      return new Promise(() => {});
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const token = provider().token();
    await vi.waitFor(() => expect(asked).toBe(1));
    await vi.advanceTimersByTimeAsync(2000);
    expect(await token).toBe(good);
    expect(await provider().token()).toBe(good);
    expect(asked).toBe(1);
  });

  it('whose renewal failed before its end is used, and renewed half a minute later', async () => {
    const { signIn, provider, deps, kept, oauthServer } = await openOAuth({ lifetime: 3600 });
    await signIn();
    const tokenNow = () => kept.credentials.issuers[oauthServer.issuer]?.tokens?.accessToken;
    const good = tokenNow();
    let now = Date.now() + HOUR - 29_000;
    deps.now = () => now;
    oauthServer.behave({ tokenAnswers: [{ status: 503 }] });
    expect(await provider().token()).toBe(good);
    expect(await provider().token()).toBe(good);
    expect(refreshes(oauthServer)).toBe(1);
    now += 31_000;
    expect(await provider().token()).not.toBe(good);
    expect(refreshes(oauthServer)).toBe(2);
  });

  it('that expires soon while it is being refused is renewed once: no refresh token is sent twice', async () => {
    const { signIn, provider, deps, guarded, oauthServer } = await openOAuth();
    await signIn();
    deps.now = () => Date.now() + HOUR - 10_000;
    const response = new Response(null, { status: 401 });
    const request = { response, serverUrl: new URL(guarded.url), fetchFn: fetch };
    await Promise.all([provider().token(), provider().onUnauthorized?.(request)]);
    expect(refreshes(oauthServer)).toBe(1);
  });

  it('is renewed once when it expires soon and is refused at the same time', async () => {
    const { signIn, connect, oauthServer, deps } = await openOAuth();
    await signIn();
    const client = await connect();
    oauthServer.expire();
    deps.now = () => Date.now() + HOUR;
    await Promise.all([client.listTools(), client.listTools(), client.listTools()]);
    expect(refreshes(oauthServer)).toBe(1);
  });

  it('that another worker renewed first is taken over, though the refresh token is used up', async () => {
    const { signIn, oauthServer, deps, kept, server } = await openOAuth();
    await signIn();
    const { issuer } = oauthServer;
    const stale = structuredClone(kept.credentials.issuers[issuer]) ?? { metadata: {} };
    expect(await refresh(deps, server, issuer, stale)).toBe(true);
    const renewed = structuredClone(kept.credentials);
    expect(await refresh(deps, server, issuer, stale)).toBe(true);
    expect(kept.credentials).toEqual(renewed);
  });

  it('is renewed by a worker that knows only what was stored', async () => {
    const { signIn, restart, connect, oauthServer, windows } = await openOAuth();
    await signIn();
    oauthServer.expire();
    restart();
    await connect();
    expect(refreshes(oauthServer)).toBe(1);
    expect(windows).toHaveLength(1);
  });

  it.each(['rotate', 'keep'] as const)('is renewed again and again (refresh tokens: %s)', async (kind) => {
    const { signIn, restart, connect, oauthServer } = await openOAuth({ refresh: kind });
    await signIn();
    for (let round = 1; round <= 3; round++) {
      oauthServer.expire();
      restart();
      await (await connect()).close(); // an earlier life's client would go on asking
      expect(refreshes(oauthServer)).toBe(round);
    }
  });

  it('that cannot be renewed any more requires a sign-in, which requests the same scopes', async () => {
    const { signIn, connect, oauthServer, kept, restart } = await openOAuth({}, { scope: 'read' });
    await signIn({ scope: 'read write' });
    oauthServer.expire('refresh');
    expect(await codeOf(connect())).toBe('server_sign_in');
    expect(kept.credentials.issuers[oauthServer.issuer]?.tokens).toBeUndefined();
    restart();
    await signIn();
    expect(oauthServer.authorizations[1]?.get('scope')).toBe('read write');
    await connect();
  });

  it('is not renewed at another origin than it came from, whatever the metadata say by now', async () => {
    const other = await startOAuth();
    const { signIn, connect, oauthServer } = await openOAuth();
    await signIn();
    const client = await connect();
    oauthServer.behave({ metadata: { token_endpoint: `${other.issuer}/token` } });
    oauthServer.expire();
    expect(await codeOf(client.listTools())).toBe('server_sign_in');
    expect(other.requests).toEqual([]);
  });

  it.each([503, 429, 408])(
    'is kept while its authorization server answers %i, which is retryable',
    async (status) => {
      const { signIn, connect, oauthServer, kept } = await openOAuth();
      await signIn();
      oauthServer.expire();
      oauthServer.behave({ tokenAnswers: [{ status, body: '<!doctype html>Come back later' }] });
      const error: AppError = await connect().then(
        () => expect.fail('It succeeded.'),
        (reason) => reason,
      );
      expect(error).toMatchObject({ code: 'sign_in_unreachable', detail: `HTTP ${status}` });
      expect(kept.credentials.current).toBe(oauthServer.issuer);
      await connect();
    },
  );

  it.each([
    [400, JSON.stringify({ error: 'invalid_request' })],
    [401, JSON.stringify({ error: 'invalid_token' })],
    [400, 'Bad Request'],
    [403, '<!doctype html><title>Forbidden</title>'],
  ])('whose renewal is refused with %i %s requires a sign-in', async (status, body) => {
    const { signIn, connect, oauthServer, kept } = await openOAuth();
    await signIn();
    oauthServer.expire();
    oauthServer.behave({ tokenAnswers: [{ status, body }] });
    expect(await codeOf(connect())).toBe('server_sign_in');
    expect(kept.credentials.issuers[oauthServer.issuer]?.tokens).toBeUndefined();
  });

  it('of one authorization server is never sent to another', async () => {
    const { signIn, connect, oauthServer, guarded } = await openOAuth();
    await signIn();
    const [secret] = oauthServer.refreshTokens.keys();
    const other = await startOAuth();
    guarded.moveTo(other);
    expect(await codeOf(connect())).toBe('server_sign_in');
    expect(other.tokenRequests).toEqual([]);
    await signIn();
    await connect();
    expect(other.registrations).toHaveLength(1);
    expect(JSON.stringify(other.tokenRequests)).not.toContain(secret);
  });

  it('is not renewed where the authorization server’s origin is not granted any more', async () => {
    const { signIn, connect, oauthServer, deps } = await openOAuth();
    await signIn();
    oauthServer.expire();
    deps.isGranted = async (origin) => origin !== oauthServer.issuer;
    expect(await codeOf(connect())).toBe('server_sign_in');
    expect(refreshes(oauthServer)).toBe(0);
  });
});

describe('signing out', () => {
  it('has the tokens revoked and forgets them', async () => {
    const { signIn, signOut, settled, connect, oauthServer, guarded, kept } = await openOAuth(
      {},
      { scope: 'read' },
    );
    await signIn({ scope: 'read' });
    await connect();
    const token = guarded.tokens.at(-1) ?? '';
    await signOut();
    await settled();
    expect(oauthServer.requests.filter((request) => request === 'POST /revoke')).toHaveLength(2);
    expect(oauthServer.accessOf(token)).toBeUndefined();
    expect(oauthServer.refreshTokens.size).toBe(0);
    expect(kept.credentials.issuers[oauthServer.issuer]).not.toHaveProperty('tokens');
    expect(kept.credentials.issuers[oauthServer.issuer]).not.toHaveProperty('granted');
    expect(await codeOf(connect())).toBe('server_sign_in');
  });

  it('while a token is being renewed leaves none', async () => {
    const { signIn, signOut, provider, deps, kept, restart } = await openOAuth();
    await signIn();
    deps.now = () => Date.now() + HOUR;
    const answered = deps.fetch;
    deps.fetch = async (url, init) => {
      const answer = await answered(url, init);
      if (String(url).endsWith('/token')) await signOut();
      return answer;
    };
    restart();
    expect(await provider().token()).toBeUndefined();
    expect(JSON.stringify(kept.credentials)).not.toContain('accessToken');
  });

  it('does not wait for an authorization server that hangs', async () => {
    const { signIn, signOut, deps, kept } = await openOAuth();
    await signIn();
    deps.fetch = () => new Promise(() => {});
    await signOut();
    expect(JSON.stringify(kept.credentials)).not.toContain('accessToken');
  });

  it('has them revoked after another sign-in was cancelled, too', async () => {
    const { signIn, signOut, settled, page, oauthServer } = await openOAuth();
    await signIn();
    page.show = async () => ({ failure: 'The user closed the window.' });
    expect(await codeOf(signIn({ scope: 'more' }))).toBe('sign_in_cancelled');
    await signOut();
    await settled();
    expect(oauthServer.refreshTokens.size).toBe(0);
  });

  it('forgets them even when the authorization server is gone', async () => {
    const { signIn, signOut, oauthServer, kept } = await openOAuth();
    await signIn();
    await oauthServer.close();
    await signOut();
    expect(JSON.stringify(kept.credentials)).not.toContain('accessToken');
  });

  it('authenticates the client that was registered by hand', async () => {
    const { signIn, signOut, settled, oauthServer, deps } = await openOAuth({ clients: { mine: 'hush' } });
    deps.store.client = async () => ({ id: 'mine', secret: 'hush' });
    await signIn();
    await signOut();
    await settled();
    expect(oauthServer.refreshTokens.size).toBe(0);
    expect(oauthServer.requests).toContain('POST /revoke');
  });
});
