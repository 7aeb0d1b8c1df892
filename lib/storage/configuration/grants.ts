import type { IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import type { GrantKey } from '../../protocol/tools.ts';
import type { Given, Grant, Reach } from '../../types/tools/grant.ts';
import type { Tool } from '../../types/tools/server-tool.ts';
import { OWN_TOOLS, PAGE_TOOLS } from '../../types/tools/tool-source.ts';
import { BY_PAGE, isSameSite, type SiteKind, type SiteUse, toolsOfKind } from '../../types/site-rule.ts';
import { type Database, type Schema, startingWith } from '../schema.ts';

type GrantStore = Pick<
  IDBPObjectStore<Schema, StoreNames<Schema>[], 'grants', 'readwrite'>,
  'getAllKeys' | 'delete'
>;

/**
 * Adds a grant. One for the same tool in the same conversation is replaced; of the same definition, its origins and the count
 * of its use are taken over: what holds in spite of foreign text apart from what was given without any, on whichever branch.
 * What was given for the tool itself stays so.
 */
export async function putGrant(db: Database, grant: Grant & { given: Given }): Promise<void> {
  const { byServer, ...own } = grant;
  const { conversationId, serverId, toolName, fingerprint, given, despite, ofApp } = own;
  const tx = db.transaction('grants', 'readwrite');
  const before = await tx.store.get([conversationId, serverId, toolName]);
  const same = before?.fingerprint === fingerprint && before.ofApp === ofApp ? before : undefined;
  await tx.store.put({
    ...own,
    ...(byServer && (!same || same.byServer) && { byServer }),
    given: {
      used: 0,
      ...same?.given,
      ...givenAgain(same?.given, given),
      ...usedBySite(same?.given, given),
      ...(same && { again: given.at }),
    },
    ...(same?.despite && { despite: same.despite }),
    ...(despite && { despite: givenAgain(same?.despite, despite) }),
  });
  await tx.done;
}

/**
 * For more origins, or also for calls without any, it holds from `at` on, so that it releases no call that waited until then.
 * What was given already stays as it was: calls that were made under it may still be on their way.
 */
export function givenAgain(before: Reach | undefined, { at, origins = [] }: Reach): Reach {
  const had = before && (before.withoutOrigin ?? !before.origins);
  if (before && (origins.length === 0 ? had : new Set(origins).isSubsetOf(new Set(before.origins))))
    return before;
  const all = [...new Set([...(before?.origins ?? []), ...origins])];
  const withoutOrigin = origins.length === 0 || had;
  return { at, ...(all.length > 0 && { origins: all, ...(withoutOrigin && { withoutOrigin }) }) };
}

/** When something was last given for each of its sites, and how often that was used there. */
export const usedBySite = (before: Given | undefined, { at, origins = [] }: Reach): Pick<Given, 'bySite'> =>
  origins.length > 0
    ? {
        bySite: {
          ...before?.bySite,
          ...Object.fromEntries(origins.map((site) => [site, { used: 0, ...before?.bySite?.[site], at }])),
        },
      }
    : {};

export function grantFor(
  db: Database,
  conversationId: string,
  serverId: number,
  toolName: string,
): Promise<Grant | undefined> {
  return db.get('grants', [conversationId, serverId, toolName]);
}

/** Ends what chats were granted, for one tool or all tools of a server, inside the caller's transaction. */
export async function deleteGrants(grants: GrantStore, serverId: number, toolName?: string): Promise<void> {
  const ended = (await grants.getAllKeys()).filter(
    ([, server, tool]) => server === serverId && (toolName === undefined || tool === toolName),
  );
  await Promise.all(ended.map((key) => grants.delete(key)));
}

export function withoutPermission({ permission: _permission, given: _given, ...tool }: Tool): Tool {
  return tool;
}

/** The tool as it is counts as seen. */
export function withoutReview({ review: _review, ...tool }: Tool): Tool {
  return tool;
}

/**
 * Voids all that the user allowed at a server, inside the caller's transaction: it is another one now, whose apps show nothing
 * of what was called at the one before, and which is asked for none of its tasks. A Block stays, and so does what is switched off.
 */
export async function voidAllowed(tx: Allowed, serverId: number): Promise<void> {
  await deleteGrants(tx.objectStore('grants'), serverId);
  const tools = tx.objectStore('tools');
  const all = await tools.getAll(startingWith(serverId));
  await Promise.all(
    all
      .map(withoutReview)
      .map((tool) => tools.put(tool.permission === 'allow' ? withoutPermission(tool) : tool)),
  );
  const calls = tx.objectStore('toolCalls');
  for (let cursor = await calls.openCursor(); cursor; cursor = await cursor.continue()) {
    const { app, task, ...call } = cursor.value;
    if ((app ?? task) !== undefined && call.serverId === serverId) await cursor.update(call);
  }
}

/** The stores of a transaction that may do so. */
export type Voiding = 'servers' | 'secrets' | 'tools' | 'grants' | 'toolCalls';
type Allowed = IDBPTransaction<Schema, Voiding[], 'readwrite'>;

/** Adds one to how often it was used, on each of the call's sites too, and when; what an earlier Portside allowed has no count. */
export async function countUse(
  db: Database,
  { serverId, toolName, conversationId }: GrantKey,
  sites: string[] = [],
): Promise<void> {
  const tx = db.transaction(['tools', 'grants'], 'readwrite');
  const [tools, grants] = [tx.objectStore('tools'), tx.objectStore('grants')];
  const usedAt = new Date().toISOString();
  const once = <Used extends { used: number }>(use: Used) => ({ ...use, used: use.used + 1, usedAt });
  const counted = (given: Given): Given => {
    const here = Object.entries(given.bySite ?? {}).map(([site, use]): [string, SiteUse] => [
      site,
      sites.includes(site) ? once(use) : use,
    ]);
    return { ...once(given), ...(here.length > 0 && { bySite: Object.fromEntries(here) }) };
  };
  if (conversationId === undefined) {
    const tool = await tools.get([serverId, toolName]);
    if (tool?.given) await tools.put({ ...tool, given: counted(tool.given) });
  } else {
    const grant = await grants.get([conversationId, serverId, toolName]);
    if (grant?.given) await grants.put({ ...grant, given: counted(grant.given) });
  }
  await tx.done;
}

/** Revokes permissions and grants. What holds for the tool then is what holds for its tier. */
export async function revoke(db: Database, keys: GrantKey[]): Promise<void> {
  const tx = db.transaction(['tools', 'grants'], 'readwrite');
  const [tools, grants] = [tx.objectStore('tools'), tx.objectStore('grants')];
  for (const { serverId, toolName, conversationId } of keys) {
    if (conversationId !== undefined) await grants.delete([conversationId, serverId, toolName]);
    else {
      const tool = await tools.get([serverId, toolName]);
      if (tool?.permission === 'allow') await tools.put(withoutPermission(tool));
    }
  }
  await tx.done;
}

/**
 * Takes a site out of what Portside's own tools of a kind were allowed for; where that is everywhere, and the site's own
 * tools may do such a thing, out of what these were.
 * @param where in all chats, in one, or both what holds in all and in each
 */
export async function revokeSite(
  db: Database,
  { kind, site }: { kind: SiteKind; site: string },
  where: 'always' | 'everywhere' | { conversationId: string },
): Promise<void> {
  const names = toolsOfKind(kind);
  const isByPage = where === 'everywhere' && BY_PAGE.includes(kind);
  const tx = db.transaction(['tools', 'grants'], 'readwrite');
  const [tools, grants] = [tx.objectStore('tools'), tx.objectStore('grants')];
  for (const tool of typeof where === 'object' ? [] : await tools.getAll(startingWith(OWN_TOOLS))) {
    if (tool.permission !== 'allow' || !tool.given || !names.includes(tool.name)) continue;
    const given = withoutSite(tool.given, site);
    await tools.put(given ? { ...tool, given } : withoutPermission(tool));
  }
  for (const { despite, ...grant } of where === 'always' ? [] : await grants.getAll()) {
    const isOwn = grant.serverId === OWN_TOOLS && names.includes(grant.toolName);
    const isMeant = isOwn || (isByPage && grant.serverId === PAGE_TOOLS);
    const isHere = typeof where === 'string' || where.conversationId === grant.conversationId;
    if (!isMeant || !isHere || !grant.given) continue;
    const given = withoutSite(grant.given, site);
    const left = despite && withoutSite(despite, site);
    const { conversationId, serverId, toolName } = grant;
    if (given) await grants.put({ ...grant, given, ...(left && { despite: left }) });
    else await grants.delete([conversationId, serverId, toolName]);
  }
  await tx.done;
}

/** Undefined where nothing is left. What is for any site stays so. */
function withoutSite<Kept extends Reach & Pick<Given, 'bySite'>>(
  given: Kept,
  site: string,
): Kept | undefined {
  if (!given.origins?.some((each) => isSameSite(each, site))) return given;
  const origins = given.origins.filter((each) => !isSameSite(each, site));
  if (origins.length === 0 && !given.withoutOrigin) return undefined;
  const uses = Object.entries(given.bySite ?? {}).filter(([each]) => origins.includes(each));
  return { ...given, origins, ...(given.bySite && { bySite: Object.fromEntries(uses) }) };
}
