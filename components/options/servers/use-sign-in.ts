import { useState } from 'preact/hooks';
import { AppError } from '../../../lib/errors.ts';
import { requestOrigins } from '../../../lib/gestures.ts';
import { useSetupState } from '../options-context.ts';
import { useAction, type Action } from '../use-action.ts';
import { notAllowed } from '../use-granted.ts';

export type SignIn = Pick<Action, 'busy' | 'error' | 'stop'> & {
  /** Origins that the browser has to allow before the sign-in can go on. */
  needs: string[] | null;
  start: () => void;
  /** Asks the browser for what it needs and goes on: call it in a click. */
  allow: () => void;
  signOut: () => void;
};

/** Signing in at a server, and out again. */
export function useSignIn(serverId: number): SignIn {
  const { command } = useSetupState();
  const action = useAction();
  const [needs, setNeeds] = useState<string[] | null>(null);
  const signIn = async (isWanted: () => boolean): Promise<void> => {
    const result = await command('signIn', { id: serverId }).catch(async (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'worker_unreachable') throw error;
      // The worker ended while the window was open. The next one knows: what to do now is the server's status.
      await command('reconnectServer', { id: serverId });
      return null;
    });
    if (result && isWanted()) setNeeds(result.state === 'needs_origin' ? result.origins : null);
  };
  const allow = (): void => {
    if (action.busy || !needs) return;
    // First of all, while the click still counts.
    const granting = requestOrigins(needs);
    action.run(async (isWanted) => {
      if (!(await granting)) throw notAllowed(needs.map((origin) => new URL(origin).host).join(', '));
      if (isWanted()) await signIn(isWanted);
    });
  };
  return {
    busy: action.busy,
    error: action.error,
    stop: action.stop,
    needs,
    start: () => action.run(signIn),
    allow,
    signOut: () => action.run(() => command('signOut', { id: serverId })),
  };
}
