import type { Message, Versions } from '../../types/message.ts';
import type { Database } from '../schema.ts';

const isVersion = ({ role, deletedAt }: Message): boolean =>
  deletedAt === undefined && (role === 'user' || role === 'assistant');

const olderFirst = (a: Message, b: Message): number =>
  a.timestamp.localeCompare(b.timestamp) || a.id.localeCompare(b.id);

/**
 * What else could stand in the places of these messages, which follow one another on a branch: by message id, where there
 * is more than one. A summary is no place of its own. Of a branch without others only the keys of its turns are read.
 */
export async function loadVersions(db: Database, shown: Message[]): Promise<Record<string, Versions>> {
  const [first] = shown;
  if (!first) return {};
  const { store } = db.transaction('messages');
  const parent = first.parentId === null ? undefined : await store.get(first.parentId);
  const branch = parent?.role === 'summary' ? [parent, ...shown] : shown;
  const turns = branch.filter(({ role }) => role !== 'tool').map(({ seq }) => seq);
  const { conversationId } = first;
  // One turn more: where a summary stands before the one version, the other stands a turn later.
  const [from, to] = [Math.min(...turns), Math.max(...turns) + 1];
  const place = IDBKeyRange.bound([conversationId, from], [conversationId, to, 0]);
  const known = new Set(branch.map(({ id }) => id));
  const others = (await store.index('by-place').getAllKeys(place)).filter((id) => !known.has(id));
  const read = await Promise.all(others.map((id) => store.get(id)));
  return versionsAmong([...branch, ...read.filter((message) => message !== undefined)]);
}

function versionsAmong(messages: Message[]): Record<string, Versions> {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const placeOf = ({ parentId }: Message): string | null => {
    const parent = parentId === null ? undefined : byId.get(parentId);
    return parent?.role === 'summary' ? placeOf(parent) : parentId;
  };
  const places = Map.groupBy(messages.filter(isVersion).toSorted(olderFirst), placeOf);
  const several = [...places.values()].filter(({ length }) => length > 1);
  return Object.fromEntries(
    several.flatMap((versions) => {
      const ids = versions.map(({ id }) => id);
      return ids.map((id) => [id, ids] as const);
    }),
  );
}

/** A message and all that follows it, on whatever branch, with the tool results. */
export async function loadSubtree(db: Database, message: Message): Promise<Message[]> {
  const { conversationId, seq } = message;
  const later = IDBKeyRange.bound([conversationId, seq], [conversationId, []]);
  const rows = await db.getAllFromIndex('messages', 'by-place', later);
  const inside = new Set([message.id]);
  // In order of their turns, so that each comes after the one it follows.
  return rows.filter(({ id, parentId }) => {
    const belongs = inside.has(id) || (parentId !== null && inside.has(parentId));
    if (belongs) inside.add(id);
    return belongs;
  });
}

/** The last message of what follows this one, of several branches of the one that was written last; itself, if nothing does. */
export async function newestLeaf(db: Database, message: Message): Promise<Message> {
  const gone = new Set<string>();
  const left = (await loadSubtree(db, message)).filter(({ id, role, parentId, deletedAt }) => {
    const isGone = id !== message.id && (deletedAt !== undefined || gone.has(parentId ?? ''));
    if (isGone) gone.add(id);
    return !isGone && role !== 'tool';
  });
  const parents = new Set(left.map(({ parentId }) => parentId));
  const leaves = left.filter(({ id }) => !parents.has(id));
  return leaves.toSorted(olderFirst).at(-1) ?? message;
}
