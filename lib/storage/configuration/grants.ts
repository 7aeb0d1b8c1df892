import type { IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import type { GrantKey } from '../../protocol/tools.ts';
import type { Given, Grant, Reach, Tool } from '../../types/setup.ts';
import type { Database } from '../schema.ts';
import type { Schema } from '../schema.ts';

type GrantStore = Pick<
  IDBPObjectStore<Schema, StoreNames<Schema>[], 'grants', 'readwrite'>,
  'getAllKeys' | 'delete'
>;

/**
 * Adds a grant. One for the same tool in the same conversation is replaced; of the same definition, its origins and the count
 * of its use are taken over: what holds in spite of foreign text apart from what was given without any, on whichever branch.
 */
export async function putGrant(db: Database, grant: Grant & { given: Given }): Promise<void> {
  const { conversationId, serverId, toolName, fingerprint, given, despite } = grant;
  const tx = db.transaction('grants', 'readwrite');
  const before = await tx.store.get([conversationId, serverId, toolName]);
  const same = before?.fingerprint === fingerprint ? before : undefined;
  await tx.store.put({
    ...grant,
    given: { used: 0, ...same?.given, ...givenAgain(same?.given, given) },
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
  if (before && (origins.length === 0 ? had : origins.every((each) => before.origins?.includes(each))))
    return before;
  const all = [...new Set([...(before?.origins ?? []), ...origins])];
  const withoutOrigin = origins.length === 0 || had;
  return { at, ...(all.length > 0 && { origins: all, ...(withoutOrigin && { withoutOrigin }) }) };
}

/** All of a chat. */
export const grantsOf = (conversationId: string): IDBKeyRange =>
  IDBKeyRange.bound([conversationId], [conversationId, []]);

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
 * Voids all that the user allowed at a server, inside the caller's transaction: it is another one now. A Block stays, and so
 * does what is switched off.
 */
export async function voidAllowed(tx: Allowed, serverId: number): Promise<void> {
  await deleteGrants(tx.objectStore('grants'), serverId);
  const tools = tx.objectStore('tools');
  const all = await tools.getAll(IDBKeyRange.bound([serverId], [serverId, []]));
  await Promise.all(
    all
      .map(withoutReview)
      .map((tool) => tools.put(tool.permission === 'allow' ? withoutPermission(tool) : tool)),
  );
}

type Allowed = IDBPTransaction<Schema, ('servers' | 'secrets' | 'tools' | 'grants')[], 'readwrite'>;

/** Adds one to how often it was used, and when; what an earlier Portside allowed has no count. */
export async function countUse(
  db: Database,
  { serverId, toolName, conversationId }: GrantKey,
): Promise<void> {
  const tx = db.transaction(['tools', 'grants'], 'readwrite');
  const [tools, grants] = [tx.objectStore('tools'), tx.objectStore('grants')];
  const counted = (given: Given): Given => ({
    ...given,
    used: given.used + 1,
    usedAt: new Date().toISOString(),
  });
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
