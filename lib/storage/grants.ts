import type { Grant } from '../types/setup.ts';
import type { Database } from './database.ts';

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
