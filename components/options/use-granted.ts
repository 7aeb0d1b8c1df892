import { AppError } from '../../lib/errors.ts';
import { requestOrigins } from '../../lib/gestures.ts';
import { en } from '../../locales/en-options.ts';
import { useAction, type Action } from './use-action.ts';

/**
 * An action that reaches `address`: the browser, which may have taken the grant back, is asked first. null: it reaches
 * none that the browser has to allow.
 */
export function useGranted(address: string | null): Action {
  const action = useAction();
  const run: Action['run'] = (task) => {
    if (action.busy) return;
    // First of all, while the click still counts.
    const granting = address === null ? null : requestOrigins([address]);
    action.run(async (isWanted) => {
      if (address !== null && !(await granting)) throw notAllowed(new URL(address).host);
      if (isWanted()) await task(isWanted);
    });
  };
  return { ...action, run };
}

/** @param host which the browser was not allowed to reach */
export const notAllowed = (host: string): AppError =>
  new AppError({
    code: 'host_not_granted',
    message: en.options.notAllowed(host),
    fix: en.options.pressAgain,
    retryable: false,
  });
