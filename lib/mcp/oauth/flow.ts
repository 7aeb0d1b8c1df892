import type { Credentials, SignInFlow } from '../../types/credentials.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';

/** Milliseconds after which a sign-in expires. */
const LASTS_MS = 600_000;

/** The sign-in under way, unless it began too long ago. */
export function liveFlow({ flow }: Credentials, { now }: Pick<OAuthDeps, 'now'>): SignInFlow | undefined {
  return flow && now() - flow.startedAt < LASTS_MS ? flow : undefined;
}

export function withoutOldFlow(credentials: Credentials, deps: Pick<OAuthDeps, 'now'>): Credentials {
  const { flow: _old, ...rest } = credentials;
  return liveFlow(credentials, deps) ? credentials : rest;
}

/** Takes the sign-in under way out of what is kept: an answer is good for one use, whatever comes of it. */
export async function takeFlow(deps: OAuthDeps, server: OAuthServer): Promise<SignInFlow | undefined> {
  let taken: SignInFlow | undefined;
  await deps.store.update(server, (before) => {
    taken = liveFlow(before, deps);
    const { flow: _taken, ...rest } = before;
    return rest;
  });
  return taken;
}
