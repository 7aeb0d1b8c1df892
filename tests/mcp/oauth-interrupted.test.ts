import { describe, expect, it } from 'vitest';
import type { AppError } from '../../lib/errors.ts';
import { openOAuth } from './oauth-rig.ts';

const failure = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => expect.fail('It succeeded.'),
    (error: unknown) => error as AppError,
  );

/** A sign-in whose window is open; what the next worker shows is in `shown`. */
async function openWindow() {
  const rig = await openOAuth();
  const shown: string[] = [];
  const { launch } = rig.deps;
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  rig.deps.launch = () => {
    resolve();
    return new Promise(() => {});
  };
  void rig.signIn();
  await opened;
  /** The worker ends. `remembers`: the authorization server knows the person by now. */
  const restart = ({ remembers }: { remembers: boolean }) =>
    rig.restart({
      launch: (url, { silent } = { silent: false }) => {
        shown.push(silent ? 'nothing' : 'a window');
        return silent && !remembers ? Promise.reject(new Error('User interaction required.')) : launch(url);
      },
    });
  return { ...rig, restart, shown };
}

describe('a sign-in that the worker does not live to see the end of', () => {
  it('is said to be interrupted by the next worker, with what to do', async () => {
    const { connect, restart } = await openWindow();
    restart({ remembers: false });
    expect(await failure(connect())).toMatchObject({
      code: 'server_sign_in',
      message: 'Signing in at Notes was interrupted.',
      fix: 'Sign in again.',
    });
  });

  it('is not said to be while its worker lives', async () => {
    const { connect } = await openWindow();
    expect((await failure(connect())).message).toBe('Notes wants you to sign in.');
  });

  it('needs no second window where the authorization server remembers the person, nor a second client', async () => {
    const { signIn, connect, restart, shown, oauthServer, kept } = await openWindow();
    restart({ remembers: true });
    expect(await signIn()).toEqual({ state: 'signed_in' });
    expect(shown).toEqual(['nothing']);
    expect(oauthServer.registrations).toHaveLength(1);
    expect(kept.credentials).not.toHaveProperty('flow');
    await connect();
  });

  it('is done again in a window where it does not', async () => {
    const { signIn, restart, shown } = await openWindow();
    restart({ remembers: false });
    expect(await signIn()).toEqual({ state: 'signed_in' });
    expect(shown).toEqual(['nothing', 'a window']);
  });

  it('is done again in a window where it answers with an error', async () => {
    const { signIn, restart, deps } = await openWindow();
    restart({ remembers: true });
    const { launch } = deps;
    deps.launch = async (url, options) => {
      const answer = await launch(url, options);
      if (options?.silent) answer.searchParams.set('error', 'login_required');
      return answer;
    };
    expect(await signIn()).toEqual({ state: 'signed_in' });
  });

  it('is forgotten when it is long ago', async () => {
    const { connect, signIn, restart, deps, kept, shown } = await openWindow();
    restart({ remembers: true });
    deps.now = () => Date.now() + 601_000;
    expect((await failure(connect())).message).toBe('Notes wants you to sign in.');
    expect(kept.credentials).not.toHaveProperty('flow');
    await signIn();
    expect(shown).toEqual(['a window']);
  });
});
