import { browser } from 'wxt/browser';
import { AppError } from '../../../lib/errors.ts';
import { originPattern } from '../../../lib/origins.ts';
import type { GrantedSite } from '../../../lib/protocol/tools.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { saveSettings } from '../../../lib/storage/configuration/settings.ts';
import type { RemoteServer, Server } from '../../../lib/types/server.ts';

import { t } from '../../../locales/texts/errors.ts';

export type SitesDeps = {
  /** Connects a server anew: it finds out that it may not be reached, and says so. */
  reconnect: (request: { id: number }) => Promise<unknown>;
  /** The configuration that pages show is stale. */
  changed: () => Promise<void>;
};

/** The hosts that the browser lets Portside reach, and what reaches them. */
export function createSites(db: Database, { reconnect, changed }: SitesDeps) {
  async function list(): Promise<GrantedSite[]> {
    const [{ origins = [], permissions = [] }, servers, providers] = await Promise.all([
      browser.permissions.getAll(),
      db.getAll('servers'),
      db.getAll('providers'),
    ]);
    const manifest = browser.runtime.getManifest();
    const fixed = new Set<string>([...(manifest.host_permissions ?? []), ...(manifest.permissions ?? [])]);
    const all = [...origins.toSorted(), ...NAMED.filter((name) => permissions.includes(name))];
    return all.map((origin) => ({
      origin,
      servers: servers.filter((each) => uses(each, origin)).map(nameOf),
      providers: providers.filter(({ baseUrl }) => covers(origin, baseUrl)).map(nameOf),
      isFixed: fixed.has(origin),
    }));
  }

  /** @throws AppError `not_revoked` */
  async function revoke({ origin }: { origin: string }): Promise<void> {
    const named = NAMED.filter((name) => name === origin);
    const taken = named.length > 0 ? { permissions: named } : { origins: [String(origin)] };
    const isGone = await browser.permissions
      .remove(taken)
      .catch((error: unknown) => notRevoked(String(error)));
    if (!isGone) notRevoked();
  }

  /** The user took something back, here or on a page of the browser's. */
  async function gone({ origins = [], permissions = [] }: Taken): Promise<void> {
    if (permissions.includes('notifications')) await saveSettings(db, { notify: false });
    const cut = (await db.getAll('servers')).filter(
      (server) =>
        server.enabled &&
        (server.transport === 'stdio'
          ? permissions.includes(PROGRAMS)
          : origins.some((origin) => covers(origin, server.url))),
    );
    await changed();
    await Promise.all(cut.map(({ id }) => reconnect({ id })));
  }

  return { list, revoke, gone };
}

type Taken = { origins?: string[] | undefined; permissions?: string[] | undefined };

const PROGRAMS = 'nativeMessaging';
/** Stand among the sites: starting programs, and what the browser tells of all tabs. */
const NAMED = [PROGRAMS, 'tabs'] as const;

const nameOf = ({ name }: { name: string }): string => name;

const uses = (server: Server, origin: string): boolean =>
  server.transport === 'stdio' ? origin === PROGRAMS : addressesOf(server).some((url) => covers(origin, url));

/** Its own, and its authorization server's. */
function addressesOf(server: RemoteServer): string[] {
  return [server.url, ...(server.signedIn ? [server.signedIn.issuer] : [])];
}

/** Whether a match pattern that was granted covers an address. */
export function covers(pattern: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  if (pattern === '<all_urls>') return true;
  const [scheme, host] = originPattern(url).split('://');
  const [granted, hosts] = pattern.split('://');
  const isScheme = granted === scheme || (granted === '*' && /^https?$/.test(scheme ?? ''));
  return isScheme && (hosts === host || hosts === '*/*');
}

function notRevoked(cause?: string): never {
  throw new AppError({
    code: 'not_revoked',
    ...t(($) => $.errors.setup.notRevoked),
    ...(cause !== undefined && { cause }),
  });
}
