import { AppError } from '../../../lib/errors.ts';
import { requestAccess } from '../../../lib/gestures.ts';
import { useAction, type Action } from './use-action.ts';
import { t } from '../../../locales/texts/settings.ts';

/**
 * An action that reaches `address`, or for null a program on this computer: the browser, which may have taken the grant
 * back, is asked first.
 */
export function useGranted(address: string | null): Action {
  const action = useAction();
  const run: Action['run'] = (task) => {
    if (action.busy) return;
    // First of all, while the click still counts.
    const granting = address === null ? requestAccess([], true) : requestAccess([address], false);
    action.run(async (isWanted) => {
      if (!(await granting)) throw notAllowed(address === null ? null : new URL(address).host);
      if (isWanted()) await task(isWanted);
    });
  };
  return { ...action, run };
}

/** @param host which the browser was not allowed to reach; null: it was not allowed to start programs */
export const notAllowed = (host: string | null): AppError =>
  new AppError({
    code: 'host_not_granted',
    message: host === null ? t(($) => $.nativeHostPage.refused) : t(($) => $.options.notAllowed, { host }),
    fix: t(($) => $.options.pressAgain),
    retryable: false,
  });
