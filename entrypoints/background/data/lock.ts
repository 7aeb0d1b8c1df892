import { browser } from 'wxt/browser';
import type { Request } from '../../../lib/protocol/commands.ts';
import {
  lockSecrets,
  type OpenKey,
  secretLock,
  setPassphrase,
  unlock,
  useKey,
} from '../../../lib/storage/secrets/passphrase.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { SHORTEST_PASSPHRASE } from '../../../lib/types/credentials.ts';
import { invalid } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

export const LOCK_ALARM = 'lock';
/** In the browser's memory, for extension pages and the worker alone; gone when the browser is closed. */
const KEPT = 'secrets';

type Kept = OpenKey & { until: number | null };

const MINUTES = { '15min': 15, '1h': 60, '8h': 480, session: null };

export type LockDeps = {
  /** Pages and servers have to know. */
  changed: () => Promise<void>;
  /** Secrets can be read again. */
  opened: () => Promise<unknown>;
  now: () => number;
};

/** What an earlier worker unlocked is unlocked in this one, until its time is over. */
export async function restoreKey(now: number): Promise<void> {
  const { [KEPT]: kept } = (await browser.storage.session.get(KEPT)) as { [KEPT]?: Kept };
  if (!kept) return;
  if (kept.until === null || now < kept.until) await useKey(kept);
  else await browser.storage.session.remove(KEPT);
}

/** The passphrase that secrets may be protected with. */
export function createLock(db: Database, { changed, opened, now }: LockDeps) {
  async function keep(key: OpenKey | undefined): Promise<void> {
    await browser.alarms.clear(LOCK_ALARM);
    if (!key) return browser.storage.session.remove(KEPT);
    const minutes = MINUTES[await loadSetting(db, 'lockAfter')];
    const until = minutes === null ? null : now() + minutes * 60_000;
    await browser.storage.session.set({ [KEPT]: { ...key, until } satisfies Kept });
    if (until !== null) await browser.alarms.create(LOCK_ALARM, { when: until });
  }

  async function open({ passphrase }: Request<'unlockSecrets'>): Promise<void> {
    await keep(await unlock(db, String(passphrase)));
    await changed();
    opened().catch((error: unknown) => console.warn('The servers could not be connected.', error));
  }

  async function lock(): Promise<void> {
    if ((await secretLock(db)) !== 'open') return;
    lockSecrets();
    await keep(undefined);
    await changed();
  }

  /** @throws AppError `wrong_passphrase`, `invalid_passphrase` */
  async function change({ current, next }: Request<'setPassphrase'>): Promise<void> {
    if (next !== null && String(next).length < SHORTEST_PASSPHRASE)
      throw invalid(t(($) => $.errors.setup.shortPassphrase, { least: SHORTEST_PASSPHRASE }));
    if (await secretLock(db)) await unlock(db, String(current));
    await keep(await setPassphrase(db, next));
    await changed();
  }

  return { open, lock, change };
}
