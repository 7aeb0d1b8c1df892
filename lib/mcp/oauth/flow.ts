import type { Credentials, SignInFlow } from '../../types/credentials.ts';
import type { OAuthDeps } from './deps.ts';

/** Longer than anybody leaves a sign-in's window open, in milliseconds. */
const LASTS_MS = 600_000;

type Now = Pick<OAuthDeps, 'life' | 'now'>;

/**
 * The sign-in that was under way when the worker ended. The browser gives the window's answer to the worker that asked
 * for it (`identity.launchWebAuthFlow`), and to no later one: Chromium closes the window and drops the answer. So a
 * state and a verifier would be of no use to the next worker, and neither is kept: it can only know, and say, what
 * happened, and ask again without a window.
 */
export function interruptedFlow({ flow }: Credentials, { life, now }: Now): SignInFlow | undefined {
  return flow && flow.life !== life && now() - flow.startedAt < LASTS_MS ? flow : undefined;
}

/** The credentials without a flow that nobody remembers any more. */
export function withoutOldFlow(credentials: Credentials, { now }: Now): Credentials {
  const { flow, ...rest } = credentials;
  return flow && now() - flow.startedAt >= LASTS_MS ? rest : credentials;
}
