import { browser } from 'wxt/browser';
import { AppError, toWire } from '../../../lib/errors.ts';
import { requireSync, rules } from '../../../lib/fleet/rules.ts';
import { nearnessOf } from '../../../lib/origins.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { getSecret, putSecret } from '../../../lib/storage/secrets/secret-store.ts';
import type { SyncKey } from '../../../lib/sync/key-file.ts';
import {
  type Asking,
  SYNC_DATABASE,
  SYNC_PORT,
  type SyncJob,
  type SyncOutcome,
} from '../../../lib/sync/port.ts';
import type { Asked } from '../../../lib/sync/store.ts';
import {
  SHORTEST_SYNC_PASSPHRASE,
  type Sync,
  type SyncFault,
  type SyncPlace,
} from '../../../lib/types/sync.ts';
import { t } from '../../../locales/texts/errors.ts';
import { invalid, requireHttpUrl } from '../input.ts';
import type { Offscreen } from '../page/offscreen.ts';

export const SYNC_ALARM = 'sync';
const EVERY_MINUTES = 10;
/** After a change that other computers may want. */
const SOON_MINUTES = 1;

/** The row in `settings`, and the secret. */
const SYNC = 'sync';
type Secret = { password: string; key: SyncKey };

export type SyncDeps = {
  /** What a sync may ask for. */
  commands: Record<Asked, (request: never) => Promise<unknown>>;
  offscreen: Offscreen;
  during: <T>(job: () => Promise<T>) => Promise<T>;
  changed: () => Promise<void>;
  now: () => number;
};

/** The chats of the user's other machines (docs/sync.md): when they are synced. A document does it (lib/sync). */
export function createSync(db: Database, { commands, offscreen, during, changed, now }: SyncDeps) {
  let going: Promise<void> | undefined;
  let removal = new AbortController();
  const load = () => db.get('settings', SYNC) as Promise<Sync | undefined>;
  const doJob = (job: SyncJob) => during(() => inDocument(offscreen, job, commands, removal.signal));

  async function write({ fault, ...sync }: Sync, failed: SyncFault | undefined = fault): Promise<void> {
    await db.put('settings', { ...sync, ...(failed && { fault: failed }) }, SYNC);
    await changed();
  }

  /** @throws AppError `invalid_input` */
  async function setUp({ place, password, passphrase }: Request<'setUpSync'>): Promise<SyncOutcome> {
    requireSync();
    requirePlace(place);
    if (passphrase.length < SHORTEST_SYNC_PASSPHRASE)
      throw invalid(t(($) => $.errors.setup.shortPassphrase, { least: SHORTEST_SYNC_PASSPHRASE }));
    const { key, fault } = await doJob({ type: 'join', place, password, passphrase });
    if (!key) return fault ? { fault } : {};
    const { store, done } = db.transaction('secrets', 'readwrite');
    await putSecret(store, { password, key } satisfies Secret, SYNC);
    await done;
    await write({ place, machine: crypto.randomUUID(), paused: false });
    await soon();
    void start();
    return {};
  }

  async function once(): Promise<void> {
    const sync = await load();
    if (!sync || !rules().sync) return;
    const secret = await getSecret(db.transaction('secrets').store, SYNC).catch(() => undefined);
    const { password, key } = (secret ?? {}) as Partial<Secret>;
    const { place, machine } = sync;
    const { fault }: SyncOutcome =
      key && password !== undefined
        ? await doJob({ type: 'sync', place, password, key, machine })
        : { fault: { code: 'locked' } };
    const after = await load();
    if (after?.machine !== machine) return; // removed meanwhile
    const { fault: _before, ...rest } = after;
    await write(fault ? rest : { ...rest, lastAt: new Date(now()).toISOString() }, fault);
  }

  /** Once at a time. */
  const start = (): Promise<void> =>
    (going ??= once()
      .catch((error: unknown) => console.warn('Chats were not synced.', error))
      .finally(() => (going = undefined)));

  /** Sets the alarm for the next sync; while it is paused there is none. */
  async function soon(): Promise<void> {
    const sync = await load();
    if (sync && !sync.paused)
      await browser.alarms.create(SYNC_ALARM, {
        delayInMinutes: SOON_MINUTES,
        periodInMinutes: EVERY_MINUTES,
      });
    else await browser.alarms.clear(SYNC_ALARM);
  }

  return {
    setUp,
    async now(): Promise<void> {
      requireSync();
      await start();
    },
    soon,
    async pause({ paused }: Request<'pauseSync'>): Promise<void> {
      const sync = await load();
      if (sync) await write({ ...sync, paused });
      await soon();
    },
    /** What is in the store stays there, and what is here, here. */
    async remove(): Promise<void> {
      removal.abort(new Error('The store was removed.'));
      removal = new AbortController();
      await going;
      await Promise.all([db.delete('settings', SYNC), db.delete('secrets', SYNC)]);
      indexedDB.deleteDatabase(SYNC_DATABASE);
      await Promise.all([soon(), changed()]);
    },
    /** By the alarm, or once the network is back. */
    async look(): Promise<void> {
      const sync = await load();
      if (sync && !sync.paused) await start();
    },
  };
}

/** @throws AppError `invalid_input` */
function requirePlace({ url }: SyncPlace): void {
  const { protocol, host, hostname } = new URL(requireHttpUrl(url, 'address'));
  if (protocol === 'http:' && nearnessOf(hostname) === 'public')
    throw invalid(t(($) => $.errors.input.plainHttp, { host }));
}

const DOCUMENT = import.meta.env.FIREFOX ? '/sync.html' : '/offscreen.html';

/** Has a document do the job, over a port that it opens for this job alone, until the signal aborts. */
async function inDocument(
  offscreen: Offscreen,
  job: SyncJob,
  commands: SyncDeps['commands'],
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const release = await (import.meta.env.FIREFOX ? openFrame() : offscreen.acquire());
  const name = SYNC_PORT + crypto.randomUUID();
  let listen: Parameters<typeof browser.runtime.onConnect.addListener>[0] | undefined;
  try {
    return await new Promise<SyncOutcome>((resolve, reject) => {
      listen = (port) => {
        // Every page of Portside's gets the message with the name, and could open such a port.
        if (port.name !== name || port.sender?.url !== browser.runtime.getURL(DOCUMENT)) return;
        port.onMessage.addListener((message: unknown) => {
          const { end, id, command, request } = message as { end?: SyncOutcome } & Asking;
          if (end) {
            resolve(end);
            return port.disconnect();
          }
          Promise.resolve(Object.hasOwn(commands, command) && commands[command](request as never)).then(
            (reply) => port.postMessage({ id, reply }),
            (error: unknown) => port.postMessage({ id, error: toWire(error) }),
          );
        });
        port.onDisconnect.addListener(() => reject(new Error('The document was closed.')));
        signal.addEventListener('abort', () => {
          reject(signal.reason);
          port.disconnect();
        });
        port.postMessage({ job });
      };
      browser.runtime.onConnect.addListener(listen);
      browser.runtime.sendMessage({ sync: name }).catch(reject);
    });
  } catch (error) {
    return {
      fault: { code: 'unexpected', detail: error instanceof AppError ? error.message : String(error) },
    };
  } finally {
    if (listen) browser.runtime.onConnect.removeListener(listen);
    release();
  }
}

/** Firefox's event page is a document, and can hold another one. */
async function openFrame(): Promise<() => void> {
  const frame = document.createElement('iframe');
  frame.src = DOCUMENT;
  await new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true });
    document.body.append(frame);
  });
  return () => frame.remove();
}
