import type { ConversationPage, ListedConversation } from '../../protocol/chats.ts';
import type { Request } from '../../protocol/commands.ts';
import type { Conversation } from '../../types/conversation.ts';
import { isWhole } from '../damaged.ts';
import { type Database, startingWith } from '../schema.ts';

const PAGE = 50;
/** Of a project's chats, the newest, which come with the first page; older ones come in their turn. */
const MOST_OF_PROJECT = 200;
/** Of those and the pinned ones together, and of those of one time: a file may bring any number, and a message has a bound. */
const MOST_TOGETHER = 1_000;

/**
 * A page of the chats, newest first; the newest pinned ones come before the first page, and so
 * do the newest of each project. Of all others no more rows are
 * read than the page shows, of the rest only keys.
 * @param goingOn what goes on in a conversation now
 */
export async function listConversations(
  db: Database,
  { archived = false, before }: Request<'listConversations'>,
  goingOn: (id: string) => ListedConversation['state'],
): Promise<ConversationPage> {
  const projects = await db.getAll('projects');
  const { store } = db.transaction('conversations');
  const [total, all, rest, archivedIds, deletedIds, pinnedIds, ...filed] = await Promise.all([
    store.count(),
    store.index('by-updated').getAllKeys(),
    store.index('by-updated').getAllKeys(before === undefined ? null : IDBKeyRange.upperBound(before, true)),
    store.index('by-archived').getAllKeys(),
    store.index('by-deleted').getAllKeys(),
    store.index('by-pinned').getAllKeys(),
    ...projects.map(({ key }) => store.index('by-project').getAllKeys(startingWith(key))),
  ]);
  const gone = new Set(deletedIds);
  const first = new Set([...pinnedIds, ...filed.flatMap((ids) => ids.slice(-MOST_OF_PROJECT))]);
  const inArchive = new Set(archivedIds.filter((id) => !gone.has(id)));
  const isListed = (id: string): boolean => !gone.has(id) && inArchive.has(id) === archived;
  // In the archive nothing comes to the front.
  const inFront = archived
    ? []
    : all
        .toReversed()
        .filter((id) => first.has(id) && isListed(id))
        .slice(0, MOST_TOGETHER);
  const isInFront = new Set(inFront);

  const ids = rest.toReversed().filter((id) => isListed(id) && !isInFront.has(id));
  const read = async (wanted: string[]): Promise<Conversation[]> =>
    (await Promise.all(wanted.map((id) => store.get(id)))).filter((row) => row !== undefined);
  const page = await read(ids.slice(0, PAGE));
  // What changed in the same millisecond as the last one would be missed by the next page.
  for (const id of ids.slice(PAGE, MOST_TOGETHER)) {
    const [next] = await read([id]);
    if (!next || next.updatedAt !== page.at(-1)?.updatedAt) break;
    page.push(next);
  }
  const front = before === undefined ? await read(inFront) : [];
  const found = [...front, ...page];
  const shown = found.filter((row) => isWhole('conversations', row));
  return {
    conversations: shown.map((conversation) => {
      const state = goingOn(conversation.id) ?? (conversation.failed && 'failed');
      const { system: _long, ...settings } = conversation.settings;
      return { ...conversation, settings, ...(state && { state }) };
    }),
    // A row whose time is no key is not in the index.
    ...((shown.length < found.length || all.length < total) && { damaged: true }),
    hasMore: ids.length > page.length,
    count: archived ? inArchive.size : all.length - gone.size - inArchive.size,
  };
}

/** Deleted and archived ones apart. */
export async function newestConversation(db: Database): Promise<Conversation | null> {
  let cursor = await db.transaction('conversations').store.index('by-updated').openCursor(null, 'prev');
  while (cursor && (cursor.value.deletedAt !== undefined || cursor.value.archivedAt !== undefined)) {
    cursor = await cursor.continue();
  }
  return cursor?.value ?? null;
}
