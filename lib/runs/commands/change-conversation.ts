import type { JournalEntry } from '../../storage/chats/journal.ts';
import type { Conversation } from '../../types/conversation.ts';
import { type Context, liveRun } from '../context.ts';

/**
 * Changes a conversation's row, also under a live run, which goes on with what it is then.
 * @returns it as it is now; undefined, and nothing is written, when it is not there
 */
export function changeConversation(
  context: Context,
  id: string,
  change: (before: Conversation) => Conversation,
  also: (conversation: Conversation) => JournalEntry = () => ({}),
): Promise<Conversation | undefined> {
  const { deps, lane } = context;
  return lane(id, async () => {
    const current = liveRun(context, id)?.state;
    const before = current?.conversation ?? (await deps.store.conversation(id));
    if (!before) return undefined;
    const conversation = change(before);
    await deps.store.write({ ...also(conversation), conversation });
    if (current) current.conversation = conversation;
    return conversation;
  });
}
