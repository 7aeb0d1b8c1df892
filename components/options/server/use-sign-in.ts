import { useState } from 'preact/hooks';
import { requestOrigins } from '../../../lib/gestures.ts';
import { signIn } from '../../../lib/state/settings/sign-in.ts';
import { useSetupState } from '../options-context.ts';
import { useAction, type Action } from '../form/use-action.ts';
import { notAllowed } from '../form/use-granted.ts';

export type SignIn = Pick<Action, 'busy' | 'error'> & {
  /** Origins that the browser has to allow before the sign-in can go on. */
  needs: string[];
  /** Signs in, or first asks the browser for what it needs: call it in a click. */
  press: () => void;
};

/** Signing in at a server. It goes on though what shows it is gone, as long as the page is there. */
export function useSignIn(serverId: number): SignIn {
  const { command } = useSetupState();
  const { busy, error, run } = useAction();
  const [needs, setNeeds] = useState<string[]>([]);
  const press = (): void => {
    if (busy) return;
    // First of all, while the click still counts.
    const granting = needs.length === 0 || requestOrigins(needs);
    run(async (isWanted) => {
      if (!(await granting)) throw notAllowed(needs.map((origin) => new URL(origin).host).join(', '));
      const missing = await signIn(command, serverId);
      if (isWanted()) setNeeds(missing);
    });
  };
  return { busy, error, needs, press };
}
