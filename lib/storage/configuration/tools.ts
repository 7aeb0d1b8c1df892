import type { Tool } from '../../types/setup.ts';
import type { Permission } from '../../types/tool.ts';
import type { Database } from '../schema.ts';
import { deleteGrants, withoutPermission } from './grants.ts';

type FoundTool = Pick<
  Tool,
  'name' | 'offeredName' | 'title' | 'description' | 'inputSchema' | 'annotations' | 'icons' | 'problem'
>;

/** The keys of a server's tools. */
export const toolsOf = (serverId: number): IDBKeyRange => IDBKeyRange.bound([serverId], [serverId, []]);

/**
 * Takes over what a server lists. The user's choices stay with a tool's name, over reconnects and absences; of a tool
 * that is gone nothing else is kept, so that a server that renames its tools for ever fills no database. A new tool is on. An Allow was given for one definition: it is void once another one comes under the same name.
 */
export async function syncTools(db: Database, serverId: number, found: FoundTool[]): Promise<void> {
  const tx = db.transaction('tools', 'readwrite');
  const known = await tx.store.getAll(toolsOf(serverId));
  const names = new Set(found.map(({ name }) => name));
  const gone = known.filter((tool) => !names.has(tool.name));
  await Promise.all([
    ...gone.map((tool) =>
      isChosen(tool) ? tx.store.put({ ...tool, present: false }) : tx.store.delete([serverId, tool.name]),
    ),
    ...found.map(foundParts).map((listed) => {
      const before = known.find(({ name }) => name === listed.name);
      const isVoid = before?.permission === 'allow' && !isSameDefinition(before, listed);
      const permission = isVoid ? undefined : before?.permission;
      const given = permission === 'allow' ? before?.given : undefined;
      const enabled = before?.enabled ?? true;
      return tx.store.put({
        ...listed,
        serverId,
        enabled,
        ...(permission && { permission }),
        ...(given && { given }),
        present: true,
      });
    }),
    tx.done,
  ]);
}

const isChosen = ({ enabled, permission }: Tool): boolean => !enabled || permission !== undefined;

/** Characters of an icon's address. Those of real servers take one or two thousand. */
const MOST_ICON = 8_192;

/** What is kept of a tool as a server lists it: at most one icon, and nothing else that comes with it. */
function foundParts(tool: FoundTool): FoundTool {
  const { name, offeredName, title, description, inputSchema, annotations, icons, problem } = tool;
  // Any other than a `data:` one is never shown.
  const icon = icons?.find(({ src }) => src.startsWith('data:') && src.length <= MOST_ICON);
  return {
    name,
    offeredName,
    description,
    inputSchema,
    annotations,
    ...(title !== undefined && { title }),
    ...(icon && { icons: [icon] }),
    ...(problem !== undefined && { problem }),
  };
}

/** The same parts count as for a grant's fingerprint (lib/trust/fingerprint.ts). */
function isSameDefinition(before: FoundTool, after: FoundTool): boolean {
  return (['description', 'inputSchema', 'annotations'] as const).every((part) =>
    isSame(before[part], after[part]),
  );
}

/** Whether two JSON values are the same, however their keys are ordered. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return (
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && isSame(value, right.get(key)))
  );
}

/** Switches all tools of a server on or off. */
export async function setTools(db: Database, serverId: number, enabled: boolean): Promise<void> {
  const tx = db.transaction('tools', 'readwrite');
  const tools = await tx.store.getAll(toolsOf(serverId));
  await Promise.all([...tools.map((tool) => tx.store.put({ ...tool, enabled })), tx.done]);
}

/**
 * Changes the user's choices for one tool; an unknown tool is left alone. A permission goes for every chat: what
 * single ones were granted before ends.
 * @param meant the definition that the choice is made for: one that is another by now is left alone too
 * @returns whether it was changed
 */
export async function setTool(
  db: Database,
  serverId: number,
  name: string,
  { enabled, permission }: { enabled?: boolean; permission?: Permission },
  meant?: FoundTool,
): Promise<boolean> {
  const tx = db.transaction(['tools', 'grants'], 'readwrite');
  const tools = tx.objectStore('tools');
  const tool = await tools.get([serverId, name]);
  const changes = tool !== undefined && (meant === undefined || isSameDefinition(tool, meant));
  if (changes) {
    const isGiven = permission === 'allow' && tool.permission !== 'allow';
    await tools.put({
      ...(permission === undefined || permission === tool.permission ? tool : withoutPermission(tool)),
      ...(enabled !== undefined && { enabled }),
      ...(permission !== undefined && { permission }),
      ...(isGiven && { given: { at: new Date().toISOString(), used: 0 } }),
    });
    if (permission !== undefined) await deleteGrants(tx.objectStore('grants'), serverId, name);
  }
  await tx.done;
  return changes;
}
