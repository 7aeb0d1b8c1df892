import type { Request } from '../../protocol/commands.ts';
import type { Conversation } from '../../types/conversation.ts';
import { changeConversation } from './change-conversation.ts';
import { type Context, liveRun, timestamp } from '../context.ts';
import { answeredUpTo, copyBranch } from './fork.ts';
import { messageGone } from '../refusals.ts';

type Change = Request<'setConversation'>;

/** What is done with whole conversations. */
export function createChats(context: Context, stop: (request: { conversationId: string }) => Promise<void>) {
  const { deps, lane } = context;
  const { store } = deps;

  /** One that is not there is left alone. */
  async function set({ id, title, pinned, archived }: Change): Promise<void> {
    const at = timestamp(context);
    await changeConversation(context, id, ({ pinnedAt, archivedAt, ...before }) => ({
      ...before,
      ...(title !== undefined && { title, titledBy: 'person' }),
      ...marked('pinnedAt', pinned, pinnedAt, at),
      ...marked('archivedAt', archived, archivedAt, at),
    }));
  }

  /** They can be had back until they are purged. */
  async function remove({ ids }: { ids: string[] }): Promise<void> {
    const gone: string[] = [];
    for (const id of ids) if (await markDeleted(id)) gone.push(id);
    if (gone.length > 0) deps.sendToAll({ type: 'conversations_gone', ids: gone });
  }

  async function markDeleted(id: string): Promise<boolean> {
    await stop({ conversationId: id });
    const isGone = await lane(id, async () => {
      if (liveRun(context, id)) return undefined; // one that began in the meantime
      const before = await store.conversation(id);
      if (before) await store.write({ conversation: { ...before, deletedAt: timestamp(context) } });
      return before !== undefined;
    });
    return isGone ?? markDeleted(id);
  }

  async function restore({ ids }: { ids: string[] }): Promise<void> {
    for (const id of ids) {
      await lane(id, async () => {
        const before = await store.deletedConversation(id);
        if (!before) return;
        const { deletedAt: _deletedAt, ...conversation } = before;
        await store.write({ conversation });
      });
    }
  }

  /**
   * Begins a conversation with a copy of the branch, which is how this one goes on no longer. The same id again changes
   * nothing. Grants are not copied: they were given for the other chat.
   * @param titleOf what the copy of a chat with this title is called
   * @throws AppError `no_message`
   */
  async function fork(
    { messageId, conversationId }: Request<'forkConversation'>,
    titleOf: (title: string) => string,
  ): Promise<Conversation> {
    const message = await store.message(messageId);
    if (!message) throw messageGone();
    return lane(message.conversationId, async () => {
      const known = await store.conversation(conversationId);
      if (known) return known;
      const source = await store.conversation(message.conversationId);
      if (!source) throw messageGone();
      const shown = await store.path(source.id, source.leafId);
      const isShown = shown.some(({ id }) => id === messageId);
      const branch = isShown ? shown : await store.path(source.id, (await store.newestLeaf(message)).id);
      const wanted = answeredUpTo(branch, messageId);
      const last = wanted.findLast(({ role }) => role !== 'tool');
      if (!last) throw messageGone();
      const { messages, calls } = await copyBranch(store, wanted, conversationId, deps.newId);
      const at = timestamp(context);
      const {
        usage: _used,
        pinnedAt: _pin,
        archivedAt: _put,
        deletedAt: _gone,
        failed: _ended,
        schedule: _by,
        ...kept
      } = source;
      const conversation: Conversation = {
        ...kept,
        id: conversationId,
        title: titleOf(source.title),
        createdAt: at,
        updatedAt: at,
        leafId: messages.findLast(({ role }) => role !== 'tool')?.id ?? null,
        forkedFrom: { conversationId: source.id, messageId: last.id },
      };
      await store.write({ conversation, messages, calls });
      return conversation;
    });
  }

  return { set, remove, restore, fork };
}

/** Since when it is so: as before, where nothing is said of it, or it was so already. */
function marked<K extends 'pinnedAt' | 'archivedAt'>(
  key: K,
  isSo: boolean | undefined,
  before: string | undefined,
  at: string,
): Partial<Pick<Conversation, K>> {
  const since = isSo === undefined ? before : isSo ? (before ?? at) : undefined;
  return since === undefined ? {} : ({ [key]: since } as Pick<Conversation, K>);
}
