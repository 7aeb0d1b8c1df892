import type { IDBPTransaction } from 'idb';
import type { Permission } from '../../types/tools/approval.ts';
import type { Given } from '../../types/tools/grant.ts';
import { type Definition, definitionOf, type Tool } from '../../types/tools/server-tool.ts';
import { OWN_TOOLS } from '../../types/tools/tool-source.ts';
import { type Database, type Schema, startingWith } from '../schema.ts';
import { deleteGrants, givenAgain, usedBySite, withoutPermission, withoutReview } from './grants.ts';

type FoundTool = Pick<
  Tool,
  | 'name'
  | 'offeredName'
  | 'title'
  | 'description'
  | 'inputSchema'
  | 'annotations'
  | 'icons'
  | 'skill'
  | 'app'
  | 'problem'
>;

/**
 * Takes over what a server lists. The user's choices stay with a tool's name, over reconnects and absences, and so does what
 * they saw of it when they allowed it or trusted its server; of a tool that is gone nothing else is kept, so that a server
 * that renames its tools for ever fills no database. A new tool is on. An Allow was given for one definition: it is void
 * once another one comes under the same name.
 */
export async function syncTools(db: Database, serverId: number, found: FoundTool[]): Promise<void> {
  const tx = db.transaction(['tools', 'servers', 'grants'], 'readwrite');
  const tools = tx.objectStore('tools');
  const known = await tools.getAll(startingWith(serverId));
  const isPinned = await pinning(tx, serverId);
  const names = new Set(found.map(({ name }) => name));
  const gone = known.filter((tool) => !names.has(tool.name));
  await Promise.all([
    ...gone.map((tool) =>
      isChosen(tool) || (tool.review ? tool.review.before : isPinned(tool))
        ? tools.put({ ...tool, present: false })
        : tools.delete([serverId, tool.name]),
    ),
    ...found.map(foundParts).map((listed) => {
      const before = known.find(({ name }) => name === listed.name);
      const isVoid = before?.permission === 'allow' && !isSameDefinition(before, listed);
      const permission = isVoid ? undefined : before?.permission;
      const given = permission === 'allow' ? before?.given : undefined;
      const enabled = before?.enabled ?? true;
      // The first list of a trusted server is what was trusted.
      const review = before
        ? reviewAfter(before, listed, isPinned)
        : known.length > 0 && isPinned(listed) && {};
      return tools.put({
        ...listed,
        serverId,
        enabled,
        ...(permission && { permission }),
        ...(given && { given }),
        ...(review && { review }),
        present: true,
      });
    }),
    tx.done,
  ]);
}

/** Whether the user's word stands for a tool as it is: their trust in its server, an Allow or a chat's grant. */
async function pinning(
  tx: Syncing,
  serverId: number,
): Promise<(tool: Pick<Tool, 'name' | 'permission'>) => boolean> {
  // Portside's own change with Portside alone.
  if (serverId === OWN_TOOLS) return () => false;
  const trusted = (await tx.objectStore('servers').get(serverId))?.trusted === true;
  const grants = await tx.objectStore('grants').getAllKeys();
  const granted = new Set(grants.filter(([, server]) => server === serverId).map(([, , name]) => name));
  return ({ name, permission }) => trusted || permission === 'allow' || granted.has(name);
}

type Syncing = IDBPTransaction<Schema, ('tools' | 'servers' | 'grants')[], 'readwrite'>;

/** A change that is taken back leaves nothing to look at; one after another is one from what the user saw. */
function reviewAfter(
  before: Tool,
  listed: FoundTool,
  isPinned: (tool: Tool) => boolean,
): Tool['review'] | false {
  if (before.review && !before.review.before) return before.review;
  const seen = before.review?.before ?? (isPinned(before) && before);
  return seen && !isSameDefinition(seen, listed) && { before: definitionOf(seen) };
}

/** Whether the user chose something of the tool, for which its row is kept. */
export const isChosen = ({ enabled, permission }: Tool): boolean => !enabled || permission !== undefined;

/** Characters of an icon's address. Those of real servers take one or two thousand. */
const MOST_ICON = 8_192;

/** What is kept of a tool as a server lists it: at most one icon, and nothing else that comes with it. */
function foundParts(tool: FoundTool): FoundTool {
  const { name, offeredName, title, description, inputSchema, annotations, icons, skill, app, problem } =
    tool;
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
    ...(skill && { skill }),
    ...(app && { app }),
    ...(problem !== undefined && { problem }),
  };
}

/** The same parts count as for a grant's fingerprint (lib/trust/fingerprint.ts). */
function isSameDefinition(before: Definition, after: Definition): boolean {
  return (['title', 'description', 'inputSchema', 'annotations', 'skill'] as const).every((part) =>
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

export async function setTools(db: Database, serverId: number, enabled: boolean): Promise<void> {
  const tx = db.transaction('tools', 'readwrite');
  const tools = await tx.store.getAll(startingWith(serverId));
  await Promise.all([...tools.map((tool) => tx.store.put({ ...tool, enabled })), tx.done]);
}

/**
 * Changes the user's choices for one tool; an unknown tool is left alone. A permission goes for every chat: what
 * single ones were granted before ends. Who allows it accepts it as it is.
 * @param choices `origins`: of the web addresses in the call that an Allow is given for; absent: for any. Where one is in force,
 * they are added to its own.
 * @param meant the definition that the choice is made for: one that is another by now is left alone too
 * @returns whether it was changed
 */
export async function setTool(
  db: Database,
  serverId: number,
  name: string,
  choices: { enabled?: boolean; permission?: Permission; origins?: string[]; accepted?: true },
  meant?: Definition,
): Promise<boolean> {
  const { enabled, permission, origins, accepted } = choices;
  const tx = db.transaction(['tools', 'grants'], 'readwrite');
  const tools = tx.objectStore('tools');
  const tool = await tools.get([serverId, name]);
  const changes = tool !== undefined && (meant === undefined || isSameDefinition(tool, meant));
  if (changes) {
    const given = permission === 'allow' && allowedAgain(tool, origins);
    const kept = accepted || permission === 'allow' ? withoutReview(tool) : tool;
    await tools.put({
      ...(permission === undefined || permission === tool.permission ? kept : withoutPermission(kept)),
      ...(enabled !== undefined && { enabled }),
      ...(permission !== undefined && { permission }),
      ...(given && { given }),
    });
    if (permission !== undefined) await deleteGrants(tx.objectStore('grants'), serverId, name);
  }
  await tx.done;
  return changes;
}

/** Undefined where an Allow for any origin is in force: it stays as it is. */
function allowedAgain({ permission, given }: Tool, origins: string[] | undefined): Given | undefined {
  if (permission === 'allow' && !given?.origins) return undefined;
  const before = permission === 'allow' && origins ? given : undefined;
  const reach = givenAgain(before, { at: new Date().toISOString(), ...(origins && { origins }) });
  return { used: 0, ...before, ...reach, ...usedBySite(before, reach) };
}
