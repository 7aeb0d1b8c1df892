import { browser } from 'wxt/browser';
import { AppError } from '../../lib/errors.ts';
import { originPattern } from '../../lib/origins.ts';
import type { GrantedSite } from '../../lib/protocol.ts';
import type { Database } from '../../lib/storage/database.ts';
import { saveSettings } from '../../lib/storage/settings.ts';
import type { Server } from '../../lib/types/setup.ts';
import * as setupErrors from '../../locales/errors/setup.ts';

export type SitesDeps = {
  /** Connects a server anew: it finds out that it may not be reached, and says so. */
  reconnect: (request: { id: number }) => Promise<unknown>;
  /** What pages know of the set-up is not so any more. */
  changed: () => Promise<void>;
};

/** The hosts that the browser lets Portside reach, and what reaches them. */
export function createSites(db: Database, { reconnect, changed }: SitesDeps) {
  async function list(): Promise<GrantedSite[]> {
    const [{ origins = [] }, servers, providers] = await Promise.all([
      browser.permissions.getAll(),
      db.getAll('servers'),
      db.getAll('providers'),
    ]);
    const fixed = browser.runtime.getManifest().host_permissions ?? [];
    return origins.toSorted().map((origin) => ({
      origin,
      servers: servers.filter((each) => addressesOf(each).some((url) => covers(origin, url))).map(nameOf),
      providers: providers.filter(({ baseUrl }) => covers(origin, baseUrl)).map(nameOf),
      isFixed: fixed.includes(origin),
    }));
  }

  /** @throws AppError `not_revoked` */
  async function revoke({ origin }: { origin: string }): Promise<void> {
    const isGone = await browser.permissions
      .remove({ origins: [String(origin)] })
      .catch((error: unknown) => notRevoked(String(error)));
    if (!isGone) notRevoked();
  }

  /** The person took something back, here or on a page of the browser's. */
  async function gone({ origins = [], permissions = [] }: Taken): Promise<void> {
    if (permissions.includes('notifications')) await saveSettings(db, { notify: false });
    const cut = (await db.getAll('servers')).filter(
      (server) =>
        server.enabled &&
        server.transport !== 'stdio' &&
        origins.some((origin) => covers(origin, server.url)),
    );
    await changed();
    await Promise.all(cut.map(({ id }) => reconnect({ id })));
  }

  return { list, revoke, gone };
}

type Taken = { origins?: string[] | undefined; permissions?: string[] | undefined };

const nameOf = ({ name }: { name: string }): string => name;

/** Its own, and that of whoever signs the person in there. */
function addressesOf(server: Server): string[] {
  if (server.transport === 'stdio') return [];
  return [server.url, ...(server.signedIn ? [server.signedIn.issuer] : [])];
}

/** Whether a match pattern that was granted covers an address. */
export function covers(pattern: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const [scheme, host] = originPattern(url).split('://');
  const [granted, hosts] = pattern.split('://');
  const isScheme = granted === scheme || (granted === '*' && /^https?$/.test(scheme ?? ''));
  return isScheme && (hosts === host || hosts === '*/*');
}

function notRevoked(cause?: string): never {
  throw new AppError({
    code: 'not_revoked',
    ...setupErrors.notRevoked,
    ...(cause !== undefined && { cause }),
  });
}
