import { AppError } from '../errors.ts';
import { isBlockedSite } from '../types/blocked-site.ts';
import type { FleetSummary, Limits, Rules, Managed } from '../types/fleet.ts';
import { isServer, OWN_TOOLS, PAGE_TOOLS } from '../types/tools/tool-source.ts';
import type { Provider } from '../types/provider.ts';
import type { Settings } from '../types/settings.ts';
import { t } from '../../locales/texts/errors.ts';

/** Where no organisation manages the browser. */
export const FREE: Rules = {
  settings: {},
  ownProviders: true,
  ownServers: true,
  sync: true,
  tools: {},
  sites: {},
  importers: {},
};

/** For a policy that can't be read: what it was to forbid is not known. */
export function closed(fault: string): Rules {
  const none = { allowed: [] };
  return {
    ...FREE,
    ownProviders: false,
    ownServers: false,
    sync: false,
    tools: none,
    sites: none,
    importers: none,
    fault,
  };
}

let held = FREE;
/** Keys of the organisation's providers, by its names for them and where they are (`keyName`): they stay where they came from. */
let keys: ReadonlyMap<string, string> = new Map();

/** What holds now. Kept in memory alone, where nothing erases it: a worker reads it before anything else. */
export const rules = (): Rules => held;

/** @param providerKeys absent: those from before */
export function setRules(next: Rules, providerKeys = keys): void {
  held = next;
  keys = providerKeys;
}

/** The key that goes with the requests to a provider of the organisation's. */
export const fleetKey = ({ managed, baseUrl }: Pick<Provider, 'managed' | 'baseUrl'>): string | undefined =>
  managed && keys.get(keyName(managed.name, baseUrl));

/** The policy may name another address for a provider before its row does, and has that stay where it has a mistake. */
export const keyName = (name: string, baseUrl: string): string => `${URL.parse(baseUrl)?.origin} ${name}`;

/** Undefined where no organisation manages the browser. */
export function fleetSummary(): FleetSummary | undefined {
  if (held === FREE) return undefined;
  const { settings, ...others } = held;
  return { ...others, locked: Object.keys(settings) as (keyof Settings)[] };
}

/** Something that may be the organisation's. */
type Row = { managed?: Managed } | undefined;

const isAllowed = ({ allowed, forbidden = [] }: Limits, fits: (name: string) => boolean): boolean =>
  !forbidden.some(fits) && (allowed?.some(fits) ?? true);

/** @param server the tool's, where it has one */
export function isToolForbidden(
  { serverId, name }: { serverId: number; name: string },
  server: Row | object,
): boolean {
  const managed = (server as Row)?.managed;
  if (isServer(serverId) && managed === undefined && !held.ownServers) return true;
  const place =
    serverId === OWN_TOOLS ? 'portside' : serverId === PAGE_TOOLS ? 'page' : (managed?.name ?? 'user');
  const names = new Set(['*', `${place}/*`, `*/${name}`, `${place}/${name}`]);
  return !isAllowed(held.tools, (pattern) => names.has(pattern));
}

/** Whether one of these origins is of a site where nothing may be read or done. */
export function isSiteForbidden(origins: string[]): boolean {
  const { sites } = held;
  return origins.some(
    (origin) => URL.canParse(origin) && !isAllowed(sites, (site) => isBlockedSite([origin], site)),
  );
}

export const isProviderForbidden = (provider: Row): boolean =>
  !held.ownProviders && provider?.managed === undefined;

export const isServerForbidden = (server: Row): boolean => !held.ownServers && server?.managed === undefined;

/** @throws AppError `set_by_organisation` for what is the organisation's */
export function requireOwn(row: Row): void {
  if (row?.managed !== undefined) throw refused('set');
}

/** @throws AppError `set_by_organisation` */
export function requireImporter(name: string): void {
  const wanted = name.toLowerCase();
  if (!isAllowed(held.importers, (each) => each.toLowerCase() === wanted)) throw refused('other');
}

/** @throws AppError `set_by_organisation` */
export function requireSync(): void {
  if (!held.sync) throw refused('other');
}

/**
 * What the organisation does not allow.
 * @param what `set`: to change what it set; `own`: to use something that it did not set up
 */
export function refused(what: 'set' | 'own' | 'other'): AppError {
  return new AppError({
    code: 'set_by_organisation',
    message:
      held.fault === undefined
        ? t(($) => $.errors.fleet.refused, { what })
        : t(($) => $.errors.fleet.fault, { why: held.fault }),
    fix: t(($) => $.errors.fleet.fix),
  });
}
