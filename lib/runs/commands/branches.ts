import { canCompact } from '../../agent/context/summary.ts';
import type { Request } from '../../protocol/commands.ts';
import type { JournalEntry } from '../../storage/chats/journal.ts';
import type { AssistantMessage, Message, UserMessage } from '../../types/message.ts';
import type { Run } from '../../types/run.ts';
import type { Conversation } from '../../types/conversation.ts';
import { type Context, liveRun, timestamp } from '../context.ts';
import { messageGone, nothingToCompact, runLive } from '../refusals.ts';
import { newRun, withoutFailure } from '../rows.ts';
import { planRunAgain } from './run-again.ts';

/** What to write so that the conversation shows another branch, and the run that then goes on there. */
type Turn = JournalEntry & { conversation: Conversation; run?: Run };

export type BranchDeps = {
  drive: (conversation: Conversation, run: Run) => Promise<void>;
  /** What goes on in a conversation may be something else now. */
  changed: (conversation: Conversation) => void;
};

/** What makes a conversation show another branch of its tree, or another tree. */
export function createBranches(context: Context, { drive, changed }: BranchDeps) {
  const { deps, lane } = context;
  const { store } = deps;

  /** Writes the turn, and only then lets a run go on there. Inside the lane. */
  async function commitTurn(turn: Turn): Promise<void> {
    const { conversation, run } = turn;
    await store.write({ ...turn, isElsewhere: true });
    changed(conversation);
    if (run) await drive(conversation, run);
  }

  /** @throws AppError `run_live`, unless it is the run of this very request, which came before */
  async function turnTo(id: string, runId: string | undefined, work: () => Promise<Turn>): Promise<void> {
    await lane(id, async () => {
      if (runId !== undefined && (await store.run(runId))) return;
      if (liveRun(context, id)) throw runLive();
      await commitTurn(await work());
    });
  }

  /** @throws AppError `no_message` */
  async function requireMessage(messageId: string): Promise<{ message: Turned; before: Conversation }> {
    const message = await store.message(messageId);
    const before = message && (await store.conversation(message.conversationId));
    if (!before || (message.role !== 'user' && message.role !== 'assistant')) throw messageGone();
    return { message, before };
  }

  /** Makes an ended call once more and goes on from its result; the same ids again change nothing. */
  async function runAgain({ callId, runId }: Request<'runAgain'>): Promise<void> {
    const id = (await store.call(callId))?.conversationId ?? '';
    await turnTo(id, runId, async () =>
      planRunAgain(deps, await store.call(callId), runId, timestamp(context)),
    );
  }

  /** The same ids again change nothing. */
  async function regenerate({ messageId, runId, choice }: Request<'regenerate'>): Promise<void> {
    const { conversationId } = (await requireMessage(messageId)).message;
    await turnTo(conversationId, runId, async () => {
      const { message, before } = await requireMessage(messageId);
      const leafId = message.role === 'assistant' ? (await beginOf(message)).parentId : null;
      if (message.deletedAt !== undefined || leafId === null) throw messageGone();
      const at = timestamp(context);
      const conversation = { ...withoutFailure(before), leafId, updatedAt: at };
      return { conversation, run: { ...newRun(runId, conversation, at), ...(choice && { by: choice }) } };
    });
  }

  /** Has the older part of the branch summarised. @throws AppError `nothing_to_compact` */
  async function compact({ conversationId, runId }: Request<'compact'>): Promise<void> {
    await turnTo(conversationId, runId, async () => {
      const before = await store.conversation(conversationId);
      if (!before || !canCompact(await store.history(before.leafId))) throw nothingToCompact();
      const at = timestamp(context);
      const conversation = { ...withoutFailure(before), updatedAt: at };
      return { conversation, run: { ...newRun(runId, conversation, at), compacts: true } };
    });
  }

  /** The first message of the answer that this one belongs to. */
  async function beginOf(message: AssistantMessage): Promise<AssistantMessage> {
    let first = message;
    let parentId = first.parentId;
    while (parentId !== null) {
      const parent = await store.message(parentId);
      if (!parent || parent.role === 'user') break;
      if (parent.role === 'assistant') first = parent;
      parentId = parent.parentId;
    }
    return first;
  }

  async function switchVersion({ messageId }: { messageId: string }): Promise<void> {
    const { conversationId } = (await requireMessage(messageId)).message;
    await turnTo(conversationId, undefined, async () => {
      const { message, before } = await requireMessage(messageId);
      if (message.deletedAt !== undefined) throw messageGone();
      return { conversation: await endingBeneath(before, message) };
    });
  }

  /** A message that is deleted already is left alone. */
  async function deleteMessage({ messageId }: { messageId: string }): Promise<void> {
    const { conversationId } = (await requireMessage(messageId)).message;
    await turnTo(conversationId, undefined, async () => {
      const { message, before } = await requireMessage(messageId);
      if (message.deletedAt !== undefined) return { conversation: before };
      const conversation = await endingElsewhere(before, message);
      return { conversation, message: { ...message, deletedAt: timestamp(context) } };
    });
  }

  /** A live run goes on where it is; the message is another version then. */
  async function restoreMessage({ messageId }: { messageId: string }): Promise<void> {
    const { conversationId } = (await requireMessage(messageId)).message;
    await lane(conversationId, async () => {
      const { message, before } = await requireMessage(messageId);
      if (message.deletedAt === undefined) return;
      const { deletedAt: _deletedAt, ...restored } = message;
      if (liveRun(context, conversationId) || (await isBeneathDeleted(message))) {
        return store.write({ message: restored, isElsewhere: true });
      }
      await commitTurn({ conversation: await endingBeneath(before, message), message: restored });
    });
  }

  async function isBeneathDeleted({ conversationId, parentId }: Message): Promise<boolean> {
    const above = await store.path(conversationId, parentId);
    return above.some(({ deletedAt }) => deletedAt !== undefined);
  }

  async function endingBeneath(before: Conversation, message: Message): Promise<Conversation> {
    return { ...withoutFailure(before), leafId: (await store.newestLeaf(message)).id };
  }

  /** Where a conversation ends without this message: in the version beside it, else with the message before it. */
  async function endingElsewhere(before: Conversation, message: Message): Promise<Conversation> {
    const subtree = await store.subtree(message);
    if (!subtree.some(({ id }) => id === before.leafId)) return before;
    const versions = (await store.versions([message]))[message.id] ?? [];
    const at = versions.indexOf(message.id);
    const beside = versions[at - 1] ?? versions[at + 1];
    const version = beside === undefined ? undefined : await store.message(beside);
    if (version) return endingBeneath(before, version);
    return { ...withoutFailure(before), leafId: message.parentId };
  }

  /** Where an answer stands beside others, panels learn only now that there are several. */
  async function tellVersions(conversationId: string, answer: AssistantMessage): Promise<void> {
    const { [answer.id]: ids } = await store.versions([answer]);
    if (ids) context.feed.changed(conversationId, { versions: { [answer.id]: ids } });
  }

  /** The user's message that another one replaces. @throws AppError `no_message` */
  async function requireReplaceable(conversationId: string, messageId: string): Promise<UserMessage> {
    const message = await store.message(messageId);
    if (message?.role !== 'user' || message.deletedAt !== undefined) throw messageGone();
    if (message.conversationId !== conversationId) throw messageGone();
    return message;
  }

  return {
    runAgain,
    regenerate,
    compact,
    switchVersion,
    deleteMessage,
    restoreMessage,
    tellVersions,
    replaced: requireReplaceable,
  };
}

type Turned = UserMessage | AssistantMessage;
