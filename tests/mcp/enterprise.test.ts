import { expect, it } from 'vitest';
import type { AppError } from '../../lib/errors.ts';
import type { OAuthServerOptions } from '../fakes/oauth-server.ts';
import { openOAuth, startOAuth } from './oauth-rig.ts';

/** An organisation's identity provider, which the server's authorization server trusts, and Portside at both. */
async function organisation(providerOptions: OAuthServerOptions = {}, options: OAuthServerOptions = {}) {
  const provider = await startOAuth({
    idTokens: true,
    clientMetadataDocuments: true, // any client with an address is known
    ...providerOptions,
  });
  const rig = await openOAuth(
    {
      clients: { portside: 's3cret' },
      registration: false,
      refresh: 'none',
      trusts: (idJag) => provider.idJags.get(idJag),
      ...options,
    },
    { scope: 'read' },
  );
  rig.deps.store.client = async () => ({
    id: 'portside',
    secret: 's3cret',
    identityProvider: { issuer: provider.issuer, clientId: 'https://portside.example/at-provider' },
  });
  return { ...rig, provider };
}

it('an organisation’s identity provider signs the user in, and its ID token becomes the server’s token', async () => {
  const { provider, oauthServer, guarded, signIn, connect, windows, kept } = await organisation();
  await signIn({ scope: 'read' });
  const client = await connect();
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  expect(new URL(windows[0] ?? '').origin).toBe(provider.issuer);
  expect(provider.authorizations[0]?.get('scope')).toBe('openid');
  expect(provider.authorizations[0]?.get('code_challenge_method')).toBe('S256');
  expect(oauthServer.authorizations).toEqual([]);
  expect([...provider.idJags.values()]).toEqual([
    { audience: oauthServer.issuer, resource: guarded.url, scope: 'read' },
  ]);
  expect(oauthServer.tokenRequests).toEqual([
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: [...provider.idJags.keys()][0],
      authorization: `Basic ${btoa('portside:s3cret')}`,
    },
  ]);
  const { current, issuers } = kept.credentials;
  expect([current, Object.keys(issuers)]).toEqual([oauthServer.issuer, [oauthServer.issuer]]);
  expect(JSON.stringify(kept.credentials)).not.toContain('id_token');
});

it('the identity provider’s origins are asked for before anything is sent there', async () => {
  const { provider, start, restart, sent, oauthServer } = await organisation();
  restart({ isGranted: async (origin) => origin !== provider.issuer });
  expect(await start()).toEqual({ state: 'needs_origin', origins: [provider.issuer] });
  expect(sent.some((url) => url.startsWith(provider.issuer))).toBe(false);
  expect(oauthServer.tokenRequests).toEqual([]);
});

it.each<[string, OAuthServerOptions, OAuthServerOptions]>([
  ['gives no ID token', { idTokens: false }, {}],
  ['is not trusted', {}, { trusts: () => undefined }],
])('a sign-in fails in words when the identity provider %s', async (_what, providerOptions, options) => {
  const { signIn, kept } = await organisation(providerOptions, options);
  const failure = await signIn().then(
    () => expect.fail('It succeeded.'),
    (error: unknown) => error as AppError,
  );
  expect(failure).toMatchObject({ code: 'sign_in_failed' });
  expect(kept.credentials).not.toHaveProperty('current');
  expect(kept.credentials).not.toHaveProperty('flow');
});
