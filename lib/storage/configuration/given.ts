import type { GrantKey } from '../../protocol/tools.ts';
import type { Database } from '../database.ts';
import { withoutPermission } from './tools.ts';

/** Adds one to how often it was used; of what an earlier Portside allowed nobody knows. */
export async function countUse(
  db: Database,
  { serverId, toolName, conversationId }: GrantKey,
): Promise<void> {
  const tx = db.transaction(['tools', 'grants'], 'readwrite');
  const [tools, grants] = [tx.objectStore('tools'), tx.objectStore('grants')];
  if (conversationId === undefined) {
    const tool = await tools.get([serverId, toolName]);
    if (tool?.given) await tools.put({ ...tool, given: { ...tool.given, used: tool.given.used + 1 } });
  } else {
    const grant = await grants.get([conversationId, serverId, toolName]);
    if (grant?.given) await grants.put({ ...grant, given: { ...grant.given, used: grant.given.used + 1 } });
  }
  await tx.done;
}

/** Takes back what was allowed beforehand. What holds for the tool then is what holds for its tier. */
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
