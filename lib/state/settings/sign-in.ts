import { oneSignIn, showSignIn } from '../../sign-in-window.ts';
import type { sendCommand } from '../../messaging.ts';

/**
 * Signs in at a server: the worker prepares it, this page shows the window, and the worker that lives by then finishes.
 * @returns origins that the browser has to allow first; none when it is done
 * @throws AppError
 */
export function signIn(command: typeof sendCommand, id: number): Promise<string[]> {
  return oneSignIn(async () => {
    const start = await command('startSignIn', { id });
    if (start.state === 'needs_origin') return start.origins;
    await command('finishSignIn', { id, outcome: await showSignIn(start) });
    return [];
  });
}
