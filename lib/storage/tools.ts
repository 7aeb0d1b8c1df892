import type { ToolSummary } from '../protocol.ts';
import type { Permission, Tool } from '../types.ts';
import type { Database } from './database.ts';

type FoundTool = Pick<Tool, 'name' | 'offeredName' | 'description' | 'inputSchema' | 'annotations'>;

/** Every tool that was ever found, without its schema. */
export async function listTools(db: Database): Promise<ToolSummary[]> {
  return (await db.getAll('tools')).map(({ inputSchema: _schema, ...summary }) => summary);
}

/**
 * Takes over what a server lists. The person's choices stay with a tool's name, over reconnects and absences; a new
 * tool is on and asks.
 */
export async function syncTools(db: Database, serverId: number, found: FoundTool[]): Promise<void> {
  const tx = db.transaction('tools', 'readwrite');
  const known = await tx.store.getAll(IDBKeyRange.bound([serverId], [serverId, []]));
  const names = new Set(found.map(({ name }) => name));
  const gone = known.filter((tool) => tool.present && !names.has(tool.name));
  await Promise.all([
    ...gone.map((tool) => tx.store.put({ ...tool, present: false })),
    ...found.map(({ name, offeredName, description, inputSchema, annotations }) => {
      const before = known.find((tool) => tool.name === name);
      const { enabled, permission } = before ?? { enabled: true, permission: 'ask' as const };
      const listed = { name, offeredName, description, inputSchema, annotations };
      return tx.store.put({ ...listed, serverId, enabled, permission, present: true });
    }),
    tx.done,
  ]);
}

/** Changes the person's choices for one tool; a tool nobody knows is left alone. */
export async function setTool(
  db: Database,
  serverId: number,
  name: string,
  { enabled, permission }: { enabled?: boolean; permission?: Permission },
): Promise<void> {
  const tx = db.transaction('tools', 'readwrite');
  const tool = await tx.store.get([serverId, name]);
  if (tool) {
    await tx.store.put({
      ...tool,
      ...(enabled !== undefined && { enabled }),
      ...(permission !== undefined && { permission }),
    });
  }
  await tx.done;
}
