import { describe, expect, it } from 'vitest';
import type { AppError } from '../../lib/errors.ts';
import type { SignInStart } from '../../lib/types/credentials.ts';
import { openOAuth } from './oauth-rig.ts';

const failure = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => expect.fail('It succeeded.'),
    (error: unknown) => error as AppError,
  );

const urlOf = (start: SignInStart): string => ('url' in start ? start.url : expect.fail('No window.'));

/** A sign-in whose window was answered by the user, and whose answer a page holds. */
async function answered() {
  const rig = await openOAuth();
  const outcome = await rig.page.show(urlOf(await rig.start()));
  return { ...rig, outcome };
}

describe('a sign-in whose window is open', () => {
  it('is finished by another worker than the one that began it', async () => {
    const { restart, finish, connect, outcome, oauthServer } = await answered();
    restart();
    await finish(outcome);
    await connect();
    expect(oauthServer.tokenRequests).toHaveLength(1);
  });

  it('leaves no state and no verifier behind, however it ends', async () => {
    const done = await answered();
    expect(done.kept.credentials).toHaveProperty('flow.codeVerifier');
    await done.finish(done.outcome);
    expect(done.kept.credentials).not.toHaveProperty('flow');
    const closed = await answered();
    await failure(closed.finish({ failure: 'The user did not approve access.' }));
    expect(closed.kept.credentials).not.toHaveProperty('flow');
  });

  it('can be answered once: the same address is not redeemed again', async () => {
    const { finish, outcome, oauthServer, kept } = await answered();
    await finish(outcome);
    const before = structuredClone(kept.credentials);
    expect((await failure(finish(outcome))).code).toBe('sign_in_over');
    expect(oauthServer.tokenRequests).toHaveLength(1);
    expect(kept.credentials).toEqual(before);
  });

  it('takes no answer that was made for an earlier one', async () => {
    const { start, finish, outcome, oauthServer } = await answered();
    await start();
    expect((await failure(finish(outcome))).code).toBe('sign_in_mismatch');
    expect(oauthServer.tokenRequests).toEqual([]);
  });

  it.each(['', 'about:blank', 'https://portside.example/callback?code=1&state='])(
    'takes no answer without its state: “%s”',
    async (answer) => {
      const { finish, oauthServer } = await answered();
      expect((await failure(finish({ answer }))).code).toBe('sign_in_mismatch');
      expect(oauthServer.tokenRequests).toEqual([]);
    },
  );

  it('is over after ten minutes, and forgotten', async () => {
    const { finish, connect, deps, outcome, oauthServer, kept } = await answered();
    deps.now = () => Date.now() + 601_000;
    await failure(connect());
    expect(kept.credentials).not.toHaveProperty('flow');
    const error = await failure(finish(outcome));
    expect(error.code).toBe('sign_in_over');
    expect(error.fix).toMatch(/Sign in/);
    expect(oauthServer.tokenRequests).toEqual([]);
  });

  it('survives a request to its server meanwhile', async () => {
    const { finish, connect, outcome } = await answered();
    await failure(connect());
    await finish(outcome);
    expect((await connect()).getServerVersion()).toBeDefined();
  });

  it('is over when the user signed out meanwhile', async () => {
    const { finish, signOut, outcome } = await answered();
    await signOut();
    expect((await failure(finish(outcome))).code).toBe('sign_in_over');
  });

  it('whose page was closed is begun anew at once, as the same client', async () => {
    const { start, finish, page, oauthServer, connect } = await answered();
    const again = await start();
    expect(again).toMatchObject({ isAgain: true });
    await finish(await page.show(urlOf(again)));
    await connect();
    expect(oauthServer.registrations).toHaveLength(1);
  });

  it('opens a window again where its server leads to another page by now', async () => {
    const { start, kept } = await answered();
    const { flow } = kept.credentials;
    if (flow) flow.metadata['authorization_endpoint'] = 'https://other.example/authorize';
    expect(await start()).toMatchObject({ isAgain: false });
  });

  it('is tried without a window only after one whose answer was lost', async () => {
    const { start, finish, deps } = await openOAuth();
    expect(await start()).toMatchObject({ isAgain: false });
    await failure(finish({ failure: 'The user did not approve access.' }));
    expect(await start()).toMatchObject({ isAgain: false });
    deps.now = () => Date.now() + 601_000;
    expect(await start()).toMatchObject({ isAgain: false });
  });
});

it('tokens that come for a server that is gone by then are revoked, and not kept', async () => {
  const { finish, deps, outcome, oauthServer, settled, kept } = await answered();
  const { update } = deps.store;
  const gone = new Error('The server was removed.');
  deps.store.update = (server, change) =>
    oauthServer.refreshTokens.size > 0 ? Promise.reject(gone) : update(server, change);
  await failure(finish(outcome));
  await settled();
  expect(oauthServer.tokenRequests).toHaveLength(1);
  expect(oauthServer.refreshTokens.size).toBe(0);
  expect(kept.credentials.current).toBeUndefined();
});
