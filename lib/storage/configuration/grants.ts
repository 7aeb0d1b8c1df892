import type { IDBPObjectStore, StoreNames } from 'idb';
import type { Grant } from '../../types/setup.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

type GrantStore = Pick<
  IDBPObjectStore<Schema, StoreNames<Schema>[], 'grants', 'readwrite'>,
  'getAllKeys' | 'delete'
>;

/** Adds a grant; one for the same tool in the same conversation is replaced. */
export async function putGrant(db: Database, grant: Grant): Promise<void> {
  await db.put('grants', grant);
}

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
