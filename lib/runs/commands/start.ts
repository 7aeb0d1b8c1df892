import { userMessage } from '../../agent/context/history.ts';
import { AppError } from '../../errors.ts';
import { NEW_CHAT } from '../../protocol/chats.ts';
import type { Request } from '../../protocol/commands.ts';
import type { NewMessage } from '../../protocol/runs.ts';
import type { RunStartRows } from '../../storage/chats/run-start.ts';
import type { JournalEntry } from '../../storage/chats/journal.ts';
import { isDraftOf, type Message, type UsageLimit, type UserMessage } from '../../types/message.ts';
import type { Run } from '../../types/run.ts';
import { type ChatChoice, type Conversation, inheritAll } from '../../types/conversation.ts';
import { type Prefetched, prefetch } from '../prefetch.ts';
import { takenFromDraft, tellAttachments, withAttachments } from '../attachments.ts';
import type { createBranches } from './branches.ts';
import { type Context, liveRun, timestamp } from '../context.ts';
import type { createQueue } from './queue.ts';
import { runLive } from '../refusals.ts';
import { newConversation, newRun, type Sent, withoutArchive, withoutFailure } from '../rows.ts';
import { t } from '../../../locales/texts/errors.ts';

/** A new chat that is asked otherwise than the user's next one, and what its run may use. */
export type OwnStart = {
  row: ChatChoice & Pick<Conversation, 'title' | 'titledBy' | 'schedule'>;
  limit?: UsageLimit | undefined;
};

/** A run in a conversation where none is live. */
type StartPlan = {
  before: Conversation;
  /** Its last message, if that was read already. */
  leaf?: Message | undefined;
  run: Run;
  sent?: Sent | undefined;
  /** The message whose place it takes. */
  replaced?: UserMessage | undefined;
  /** What changes with it. */
  also?: JournalEntry;
  /** It goes on from elsewhere than where the conversation stood. */
  isElsewhere?: boolean;
};

/** A run whose rows are being written. */
type RunPlan = Omit<Prefetched, 'history'> & {
  entry: JournalEntry;
  conversation: Conversation;
  run: Run;
  message: UserMessage | undefined;
  leaf: Message | undefined;
};

type Parts = {
  queue: ReturnType<typeof createQueue>;
  branches: ReturnType<typeof createBranches>;
  drive: (conversation: Conversation, run: Run, read: Prefetched) => Promise<void>;
};

/** How a run begins: what was asked for is written down, and then set going. */
export function createStart(context: Context, { queue, branches, drive }: Parts) {
  const { deps, lane } = context;
  const { store } = deps;
  /** Conversations of which a run was asked for that is not written yet. */
  const starting = new Set<string>();

  /**
   * Begins or queues a run; the same ids again change nothing. `own`: of a message without attachments that begins a chat.
   * @throws AppError `run_live` for a message that replaces another one while a run is live
   */
  async function start(request: Request<'startRun'>, own?: OwnStart): Promise<'started' | 'queued' | 'live'> {
    starting.add(request.conversationId);
    return startOrQueue(request, own).finally(() => starting.delete(request.conversationId));
  }

  async function startOrQueue(
    request: Request<'startRun'>,
    own: OwnStart | undefined,
  ): Promise<'started' | 'queued' | 'live'> {
    const { conversationId, runId, message, when = 'queue', draft, place } = request;
    let stopping: Promise<void> | undefined;
    const answer = await lane(conversationId, async () => {
      const [choice, at] = await Promise.all([store.newChat(), place && store.placeKey(place)]);
      const current = liveRun(context, conversationId);
      let plain: RunPlan | undefined;
      const plan = (found: RunStartRows): JournalEntry | undefined => {
        plain = current ? undefined : planSimpleStart(found, choice, request, own);
        return plain?.entry;
      };
      const { known, before, leaf, history } = await store.begin(runId, conversationId, plan, at);
      if (known) return known.status === 'queued' ? 'queued' : 'started';
      if (plain) {
        await launch(plain, history);
        if (!before && !own) deps.chatBegan();
        return 'started';
      }
      if (!current) {
        if (before && before.deletedAt === undefined) await startInExisting(before, leaf, request);
        else if (message && !message.replaces && !before) await beginChat(choice, { ...request, message });
        else throw new AppError({ code: 'no_conversation', ...t(($) => $.errors.chat.noChat) });
        return 'started';
      }
      if (!message) return 'live';
      if (message.replaces) throw runLive();
      const sent = await withAttachments(deps, message);
      // What comes after a Stop is meant to be sent, and so is what the run is stopped for.
      if (when === 'now' || current.queue === 'is_taken_back') current.queue = 'goes_on';
      await queue.add(newRun(runId, current.state.conversation, timestamp(context)), sent, when, draft);
      if (when !== 'now') return 'queued';
      current.abort.abort();
      stopping = current.done;
      return 'started';
    });
    await stopping; // outside the lane, in which the run that makes way still has to end
    return answer;
  }

  /** The plan for a message that needs no further reads; undefined for any other, and where there is nothing to begin. */
  function planSimpleStart(
    { known, before, leaf, draft: stored }: RunStartRows,
    choice: ChatChoice,
    { conversationId, runId, message, draft }: Request<'startRun'>,
    own: OwnStart | undefined,
  ): RunPlan | undefined {
    if (known || before?.deletedAt !== undefined || !message || message.replaces || message.attachments)
      return undefined;
    if (!before && !own && isChosen(choice)) return undefined;
    const at = timestamp(context);
    const { id, text } = message;
    const from = before ?? { ...newConversation(conversationId, { text }, choice, at), ...own?.row };
    const sent = { conversationId: before ? conversationId : NEW_CHAT, text: '' };
    const also = !own && isDraftOf({ text, draft }, stored) ? { draft: sent } : {};
    const run = { ...newRun(runId, from, at), ...(own?.limit && { limit: own.limit }) };
    return planRun({ before: from, run, sent: { id, text }, also }, leaf);
  }

  /** A run in a conversation where none is live. */
  async function startInExisting(
    before: Conversation,
    leaf: Message | undefined,
    { runId, message, draft }: Request<'startRun'>,
  ): Promise<void> {
    const { id } = before;
    const at = timestamp(context);
    const replaces = message?.replaces;
    const replaced = replaces && (await branches.replaced(id, replaces.messageId));
    const kept = replaced?.attachments?.filter((each) => replaces?.kept.includes(each.id));
    const sent = message && (await withAttachments(deps, message, kept));
    const isElsewhere = replaced !== undefined;
    const also: JournalEntry = sent ? await clearedDraft(id, sent, isElsewhere, draft) : {};
    const from = replaced ? { ...before, leafId: replaced.parentId } : before;
    const run = { ...newRun(runId, from, at), ...(!sent && (await continuing(id))) };
    await begin({ before: from, leaf: replaced ? undefined : leaf, run, sent, replaced, also, isElsewhere });
  }

  /** The first message begins the conversation, which is asked as was chosen for the next new one. */
  async function beginChat(
    choice: ChatChoice,
    { conversationId, runId, message, draft }: Request<'startRun'> & { message: NewMessage },
  ): Promise<void> {
    const at = timestamp(context);
    const sent = await withAttachments(deps, message);
    const also = await clearedDraft(NEW_CHAT, sent, false, draft);
    const conversation = newConversation(conversationId, sent, choice, at);
    // What was chosen for this chat alone is not the next one's.
    const newChat = { settings: {}, tools: inheritAll(choice.tools), project: null };
    const run = newRun(runId, conversation, at);
    await begin({ before: conversation, run, sent, also: { ...also, ...(isChosen(choice) && { newChat }) } });
    if (sent.attachments) tellAttachments(context, NEW_CHAT);
    deps.chatBegan();
  }

  /** What goes on without a message does what was asked last, and asks the same model. */
  async function continuing(conversationId: string): Promise<Pick<Run, 'by' | 'compacts'>> {
    const last = await store.lastEndedRun(conversationId);
    if (!last || last.reason === 'done') return {};
    return { ...(last.by && { by: last.by }), ...(last.compacts && { compacts: true }) };
  }

  /**
   * What was typed is sent now; where it takes another message's place, only if it was typed as the next one. A message
   * from the queue leaves alone what is being typed when it begins.
   */
  async function clearedDraft(
    conversationId: string,
    sent: Sent,
    replaces: boolean,
    draft: string | undefined,
  ): Promise<JournalEntry> {
    const stored = await store.draft(conversationId);
    const isDraft = replaces
      ? stored.trim() === sent.text.trim()
      : isDraftOf({ text: sent.text, draft }, stored);
    return {
      ...(isDraft && { draft: { conversationId, text: '' } }),
      attached: takenFromDraft(sent, replaces || isDraft),
    };
  }

  /** Writes {user message, run}, and what changes with them, and sets the run going. Inside the conversation's lane. */
  async function begin(beginning: StartPlan): Promise<void> {
    const { before } = beginning;
    const leaf = beginning.leaf ?? (before.leafId === null ? undefined : await store.message(before.leafId));
    const plan = planRun(beginning, leaf);
    const written = store.write(plan.entry);
    // Asked for before the write has ended, so that the database reads it right after.
    const history = prefetch(store.history(leaf ?? null));
    await written;
    await launch(plan, history);
  }

  /** The rows of a run that begins, and what it takes to ask the model, which is read while they are being written. */
  function planRun(
    { before, run: asked, sent, replaced, also = {}, isElsewhere = false }: StartPlan,
    leaf: Message | undefined,
  ): RunPlan {
    const at = timestamp(context);
    const message = sent && {
      ...userMessage(before.id, leaf, sent, at),
      // What of it the user left as it was is still the file's.
      ...(replaced?.imported && { imported: true as const }),
    };
    const leafId = message?.id ?? before.leafId;
    const standing = withoutFailure(message ? withoutArchive(before) : before);
    const conversation = { ...standing, leafId, updatedAt: at };
    const run: Run = { ...asked, status: 'working', leafId, progressAt: at, startedAt: at };
    const prepared = prefetch(deps.prepare(run, conversation));
    const maxIterations = prefetch(deps.maxIterations());
    const entry: JournalEntry = { ...also, conversation, run, ...(message && { message }), isElsewhere };
    return { entry, conversation, run, message, leaf, prepared, maxIterations };
  }

  /** Drives a run whose rows are written. `earlier`: the branch before the message, if it was read with them. */
  async function launch(
    { conversation, run, message, leaf, prepared, maxIterations }: RunPlan,
    earlier: Promise<Message[]> | Message[] | undefined,
  ): Promise<void> {
    const before = await (earlier ?? store.history(leaf ?? null));
    const history = message ? [...before, message] : before;
    await drive(conversation, run, { prepared, maxIterations, history });
  }

  return { start, begin, isStarting: (conversationId: string) => starting.has(conversationId) };
}

/** Something was chosen for the next new chat alone. */
const isChosen = ({ settings, tools, project }: ChatChoice): boolean =>
  Boolean(project) || Object.keys({ ...settings, ...tools }).length > 0;
