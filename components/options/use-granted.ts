import { AppError } from '../../lib/errors.ts';
import { requestOrigins } from '../../lib/gestures.ts';
import { en } from '../../locales/en.ts';
import { useAction, type Action } from './use-action.ts';

/** An action that reaches `address`: the browser, which may have taken the grant back, is asked first. */
export function useGranted(address: string): Action {
  const action = useAction();
  const run: Action['run'] = (task) => {
    if (action.busy) return;
    // First of all, while the click still counts.
    const granting = requestOrigins([address]);
    action.run(async (isWanted) => {
      if (!(await granting)) throw notAllowed(address);
      if (isWanted()) await task(isWanted);
    });
  };
  return { ...action, run };
}

const notAllowed = (address: string): AppError =>
  new AppError({
    code: 'host_not_granted',
    message: en.options.notAllowed(new URL(address).host),
    fix: en.options.pressAgain,
    retryable: false,
  });
