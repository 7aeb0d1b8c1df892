import { AppError } from '../../../lib/errors.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Of one app: what the worker does for it in a minute, and how many of its calls it makes at once. */
const MOST_A_MINUTE = 240;
const MOST_AT_ONCE = 8;
const MINUTE_MS = 60_000;

/** How often apps may ask for something. @param now milliseconds since 1970 */
export function createPace(now: () => number) {
  const asked = new Map<string, { since: number; count: number }>();
  return {
    /** @throws AppError `app_too_busy` */
    require(app: string, atOnce: number): void {
      const at = now();
      const known = asked.get(app);
      const window = known && at - known.since < MINUTE_MS ? known : { since: at, count: 0 };
      window.count += 1;
      asked.set(app, window);
      if (window.count > MOST_A_MINUTE || atOnce >= MOST_AT_ONCE) throw tooBusy();
    },
  };
}

/** It asks for too much. */
export const tooBusy = (): AppError =>
  new AppError({ code: 'app_too_busy', ...t(($) => $.errors.apps.tooBusy) });
