import { describe, expect, it } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { createOAuth } from '../../lib/mcp/oauth/oauth.ts';
import { openOAuth, REDIRECT, startOAuth } from './oauth-rig.ts';

const failure = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => expect.fail('It succeeded.'),
    (error: unknown) => error as AppError,
  );
const closed = async () => ({ failure: 'The user closed the window.' });
const words = ({ message, detail, fix }: AppError): string => [message, detail, fix].join(' ');

describe('signing in', () => {
  it('is required by a 401, in place of an error, and opens no window by itself', async () => {
    const { connect, windows } = await openOAuth();
    const error = await failure(connect());
    expect(error.code).toBe('server_sign_in');
    expect(error.fix).toMatch(/Sign in/);
    expect(windows).toEqual([]);
  });

  it('finds the way through metadata, registers, and uses PKCE, a state and the resource', async () => {
    const { signIn, connect, server, oauthServer } = await openOAuth();
    await failure(connect());
    expect(await signIn()).toEqual({ state: 'signed_in' });
    expect(oauthServer.requests).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'POST /register',
      'GET /authorize',
      'POST /token authorization_code',
    ]);
    expect(oauthServer.registrations).toMatchObject([
      {
        client_name: 'Portside',
        redirect_uris: [REDIRECT],
        application_type: 'web',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ]);
    const [query] = oauthServer.authorizations;
    expect(query?.get('code_challenge_method')).toBe('S256');
    expect(query?.get('state')).toMatch(/^.{20,}$/);
    expect(query?.get('resource')).toBe(server.url);
    expect(oauthServer.tokenRequests[0]).toMatchObject({ resource: server.url });
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
  });

  it('registers once: the next sign-in is as the same client', async () => {
    const { signIn, signOut, oauthServer } = await openOAuth();
    await signIn();
    await signOut();
    await signIn();
    expect(oauthServer.registrations).toHaveLength(1);
    expect(oauthServer.authorizations).toHaveLength(2);
  });

  it('registers once though the first window was closed', async () => {
    const { signIn, page, oauthServer } = await openOAuth();
    const { show } = page;
    page.show = closed;
    for (let time = 1; time <= 3; time++) await failure(signIn());
    page.show = show;
    await signIn();
    expect(oauthServer.registrations).toHaveLength(1);
  });

  it('registers anew when it is told that its client may not', async () => {
    const { signIn, oauthServer } = await openOAuth({
      consent: 'deny',
      error: { error: 'unauthorized_client', error_description: 'Not you' },
    });
    expect((await failure(signIn())).code).toBe('sign_in_failed');
    oauthServer.behave({ consent: 'allow' });
    await signIn();
    expect(oauthServer.registrations).toHaveLength(2);
  });

  it('registers anew when the authorization server has forgotten the client and says so only in its window', async () => {
    const { signIn, signOut, oauthServer, settled } = await openOAuth();
    await signIn();
    await signOut();
    oauthServer.forgetClients();
    expect((await failure(signIn())).code).toBe('sign_in_cancelled');
    await settled();
    expect(await signIn()).toEqual({ state: 'signed_in' });
    expect(oauthServer.registrations).toHaveLength(2);
  });

  it('for more scopes leaves the tokens as they were when the user closes the window', async () => {
    const { signIn, connect, page, oauthServer, windows } = await openOAuth();
    await signIn();
    page.show = closed;
    expect((await failure(signIn({ scope: 'notes:write' }))).code).toBe('sign_in_cancelled');
    oauthServer.expire();
    await (await connect()).listTools();
    expect(windows).toHaveLength(1);
    expect(oauthServer.registrations).toHaveLength(1);
  });

  it('works without a 401 that says where the metadata are', async () => {
    const { signIn, connect } = await openOAuth({}, { withoutChallenge: true });
    expect((await failure(connect())).code).toBe('server_sign_in');
    await signIn();
    await connect();
  });

  it('is not offered where no metadata are published: such a server wants a key in a header', async () => {
    const { connect, signIn } = await openOAuth({}, { withoutChallenge: true, metadata: null });
    const error = await failure(connect());
    expect(error.code).toBe('server_unauthorized');
    expect(error.fix).toMatch(/header/);
    expect((await failure(signIn())).code).toBe('server_unauthorized');
  });
});

describe('origins', () => {
  it('that are not granted get no request: they are named, one step after the other', async () => {
    const granted = new Set<string>();
    const { signIn, server, sent, oauthServer, deps } = await openOAuth();
    deps.isGranted = async (origin) => granted.has(origin);
    const own = new URL(server.url).origin;
    expect(await signIn()).toEqual({ state: 'needs_origin', origins: [own] });
    expect(sent).toEqual([]);
    granted.add(own);
    expect(await signIn()).toEqual({ state: 'needs_origin', origins: [oauthServer.issuer] });
    expect(oauthServer.requests).toEqual([]);
    const elsewhere = 'http://127.0.0.1:9/token';
    oauthServer.behave({ metadata: { token_endpoint: elsewhere } });
    granted.add(oauthServer.issuer);
    expect(await signIn()).toEqual({ state: 'needs_origin', origins: ['http://127.0.0.1:9'] });
    expect(oauthServer.registrations).toEqual([]);
    oauthServer.behave({ metadata: {} });
    expect(await signIn()).toEqual({ state: 'signed_in' });
  });

  it.each([
    ['the token endpoint', { token_endpoint: 'http://login.example/token' }],
    ['the page', { authorization_endpoint: 'http://login.example/authorize' }],
  ])('without encryption are refused, but for this computer: %s', async (_what, metadata) => {
    const { signIn, sent, windows } = await openOAuth({ metadata });
    const error = await failure(signIn());
    expect(error.code).toBe('sign_in_failed');
    expect(words(error)).toContain('login.example would be contacted without encryption');
    expect(sent.filter((url) => url.includes('login.example'))).toEqual([]);
    expect(windows).toEqual([]);
  });

  it('without encryption are refused where the server names them, too', async () => {
    const metadata = { authorization_servers: ['http://login.example'] };
    const { signIn, sent } = await openOAuth({}, { metadata });
    expect(words(await failure(signIn()))).toContain('login.example would be contacted without encryption');
    expect(sent.filter((url) => url.includes('login.example'))).toEqual([]);
  });

  it('without encryption are refused where the server is one, wherever its metadata are', async () => {
    const { deps, sent } = await openOAuth();
    const server = { id: 1, name: 'Notes', url: 'http://mcp.example/mcp' };
    const demand = { resourceMetadataUrl: 'https://mcp.example/metadata' };
    const error = await failure(createOAuth(deps).startSignIn(server, demand));
    expect(words(error)).toContain('mcp.example would be contacted without encryption');
    expect(sent).toEqual([]);
  });

  it.each([
    ['the authorization server', { authorization_servers: ['https://127.0.0.1:9'] }, {}],
    ['the token endpoint', {}, { token_endpoint: 'http://127.0.0.1:9/token' }],
    ['the token endpoint, in the network', {}, { token_endpoint: 'https://192.168.1.1/token' }],
    ['the registration', {}, { registration_endpoint: 'http://localhost:9/register' }],
    ['the page', {}, { authorization_endpoint: 'https://[::1]:9/authorize' }],
  ])('nearer than the server are refused, which only it may name: %s', async (_what, resource, metadata) => {
    const { deps } = await openOAuth();
    const issuer = 'https://login.example';
    const url = 'https://mcp.example/mcp';
    const sent: string[] = [];
    deps.fetch = async (input) => {
      const asked = String(input);
      sent.push(asked);
      if (asked.startsWith('https://mcp.example/.well-known/'))
        return Response.json({ resource: url, authorization_servers: [issuer], ...resource });
      if (!asked.startsWith(`${issuer}/.well-known/`))
        return Response.json({ client_id: 'c', redirect_uris: [REDIRECT] });
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        ...metadata,
      });
    };
    const error = await failure(createOAuth(deps).startSignIn({ id: 1, name: 'Notes', url }));
    expect(words(error)).toContain('is on this computer or in its network, and the server is not');
    expect(sent.filter((each) => !/^https:\/\/(mcp|login)\.example\//.test(each))).toEqual([]);
  });

  it('do not change on the way: a redirect of the token endpoint is not followed', async () => {
    const other = await startOAuth();
    const location = `${other.issuer}/token`;
    const { signIn, kept } = await openOAuth({ tokenAnswers: [{ status: 307, headers: { location } }] });
    expect((await failure(signIn())).code).toBe('sign_in_failed');
    expect(other.requests).toEqual([]);
    expect(kept.credentials.current).toBeUndefined();
  });

  it('that answer without end are left', async () => {
    const body = `{"access_token":"${'x'.repeat(200_000)}"}`;
    const { signIn } = await openOAuth({ tokenAnswers: [{ status: 200, body }] });
    expect(words(await failure(signIn()))).toContain('more than 100 kB');
  });
});

describe('a sign-in that comes to nothing', () => {
  it('because its window was closed says so', async () => {
    const { signIn, page, kept } = await openOAuth();
    page.show = closed;
    const error = await failure(signIn());
    expect(error).toMatchObject({ code: 'sign_in_cancelled', detail: 'The user closed the window.' });
    expect(kept.credentials.current).toBeUndefined();
  });

  it('because consent was denied says so, and the next one works', async () => {
    const { signIn, oauthServer, connect } = await openOAuth({ consent: 'deny' });
    const error = await failure(signIn());
    expect(error.code).toBe('sign_in_refused');
    expect(words(error)).toContain(new URL(oauthServer.issuer).host);
    oauthServer.behave({ consent: 'allow' });
    await signIn();
    await connect();
  });

  it.each([
    ['a wrong issuer', { iss: 'https://evil.example' }],
    ['no issuer, though one is promised', { iss: null }],
    ['a wrong state', { state: 'guessed' }],
  ])('because of %s redeems nothing and quotes nothing of the answer', async (_what, answer) => {
    const error = { error: 'server_error', error_description: 'Call +1 555 0100 now' };
    for (const consent of ['allow', 'deny'] as const) {
      const { signIn, oauthServer } = await openOAuth({ consent, error, ...answer });
      const stopped = await failure(signIn());
      expect(stopped.code).toBe('sign_in_mismatch');
      expect(words(stopped)).not.toMatch(/evil|Call|guessed/);
      expect(oauthServer.tokenRequests).toEqual([]);
    }
  });

  it('because the code was not taken tells why, and the code is not sent twice', async () => {
    const body = JSON.stringify({ error: 'invalid_grant', error_description: 'Code expired' });
    const { signIn, oauthServer } = await openOAuth({ tokenAnswers: [{ status: 400, body }] });
    const error = await failure(signIn());
    expect(error.code).toBe('sign_in_failed');
    expect(error.detail).toContain('Code expired');
    expect(oauthServer.tokenRequests).toHaveLength(1);
  });

  it('reveals no secret', async () => {
    const body = JSON.stringify({ error: 'invalid_client', error_description: 'No client app-hush' });
    const { signIn, server } = await openOAuth({ tokenAnswers: [{ status: 401, body }] });
    Object.assign(server, { secrets: () => ['app-hush'] });
    expect((await failure(signIn())).detail).toContain('No client •••');
  });

  it('because the answer held no token says in words what it lacks', async () => {
    const { signIn } = await openOAuth({ tokenAnswers: [{ status: 200, body: '{}' }] });
    const { detail } = await failure(signIn());
    expect(detail).toContain('access_token: ');
    expect(detail).not.toContain('{');
  });

  it.each([
    ['metadata of another issuer', { metadata: { issuer: 'https://evil.example' } }, 'sign_in_mismatch'],
    ['no PKCE', { metadata: { code_challenge_methods_supported: undefined } }, 'sign_in_failed'],
    ['no way to register', { registration: false }, 'sign_in_no_registration'],
  ])('because of %s opens no window', async (_what, options, code) => {
    const { signIn, windows } = await openOAuth(options);
    expect((await failure(signIn())).code).toBe(code);
    expect(windows).toEqual([]);
  });

  it('because the metadata are another server’s opens no window', async () => {
    const { signIn, windows } = await openOAuth({}, { metadata: { resource: 'https://bank.example/mcp' } });
    const error = await failure(signIn());
    expect(error.code).toBe('sign_in_failed');
    expect(words(error)).not.toContain('bank.example');
    expect(windows).toEqual([]);
  });
});

describe('the client', () => {
  it('that the user registered by hand is used, with its secret', async () => {
    const { signIn, restart, oauthServer, deps } = await openOAuth({ clients: { mine: 'hush' } });
    deps.store.client = async () => ({ id: 'mine', secret: 'hush' });
    restart();
    await signIn();
    expect(oauthServer.registrations).toEqual([]);
    expect(oauthServer.authorizations[0]?.get('client_id')).toBe('mine');
    expect(oauthServer.tokenRequests[0]?.['authorization']).toBe(`Basic ${btoa('mine:hush')}`);
  });

  it('that was registered by hand is not sent to another authorization server', async () => {
    const { signIn, guarded, deps } = await openOAuth({ clients: { mine: 'hush' } });
    deps.store.client = async () => ({ id: 'mine', secret: 'hush' });
    await signIn();
    const other = await startOAuth();
    guarded.moveTo(other);
    expect((await failure(signIn())).code).toBe('sign_in_other_issuer');
    expect(other.requests).toEqual(['GET /.well-known/oauth-authorization-server']);
  });

  it('is a metadata document where one is configured and taken', async () => {
    const document = 'https://portside.example/client.json';
    const { signIn, restart, oauthServer } = await openOAuth({ clientMetadataDocuments: true });
    restart({ clientMetadataUrl: document });
    await signIn();
    expect(oauthServer.authorizations[0]?.get('client_id')).toBe(document);
    expect(oauthServer.registrations).toEqual([]);
  });

  it('registers where metadata documents are not taken', async () => {
    const { signIn, restart, oauthServer } = await openOAuth();
    restart({ clientMetadataUrl: 'https://portside.example/client.json' });
    await signIn();
    expect(oauthServer.registrations).toHaveLength(1);
  });
});

describe('the scope', () => {
  const asked = ({ authorizations }: { authorizations: URLSearchParams[] }) =>
    authorizations.map((query) => query.get('scope'));

  it('is what the 401 names, else what the server publishes, else left out', async () => {
    const named = await openOAuth({}, { scope: 'read', scopesSupported: ['read', 'write'] });
    await failure(named.connect());
    await named.signIn();
    expect(asked(named.oauthServer)).toEqual(['read']);
    const published = await openOAuth({}, { scopesSupported: ['read', 'write'] });
    await published.signIn();
    expect(asked(published.oauthServer)).toEqual(['read write']);
    const open = await openOAuth();
    await open.signIn();
    expect(asked(open.oauthServer)).toEqual([null]);
  });

  it('holds offline_access where the authorization server has it', async () => {
    const { signIn, oauthServer } = await openOAuth(
      { scopes: ['read', 'offline_access'] },
      { scopesSupported: ['read'] },
    );
    await signIn();
    expect(asked(oauthServer)).toEqual(['read offline_access']);
  });

  it('is widened by what a refused call needs, without losing what was granted', async () => {
    const options = { scope: 'read', toolScopes: { echo: 'write' } };
    const { signIn, connect, oauthServer, kept } = await openOAuth({}, options);
    await failure(connect());
    await signIn();
    const client = await connect();
    const call = () => client.callTool({ name: 'echo', arguments: { message: 'hi' } });
    await expect(call()).rejects.toMatchObject({ requiredScope: 'write' });
    await signIn({ scope: 'write' });
    expect(asked(oauthServer)).toEqual(['read', 'read write']);
    expect(kept.credentials.issuers[oauthServer.issuer]?.granted).toBe('read write');
    expect((await call()).content).toEqual([{ type: 'text', text: 'hi' }]);
  });

  it('that is refused after a sign-in for it is an error in words and no other sign-in', async () => {
    const { signIn, windows } = await openOAuth({ grants: () => ['read'] });
    await signIn({ scope: 'admin' });
    const error = await failure(signIn({ scope: 'admin' }));
    expect(error.code).toBe('sign_in_scope_refused');
    expect(words(error)).toContain('admin');
    expect(windows).toHaveLength(1);
  });
});
