import * as chatErrors from '../../locales/errors/chat.ts';
import { AppError } from '../errors.ts';
import { type Commands, NEW_CHAT, type Snapshot } from '../protocol.ts';
import type { Entry } from '../storage/journal.ts';
import type { Run, RunEndReason } from '../types/run.ts';
import { type Conversation, inheritAll } from '../types/setup.ts';
import { idsOf, tellAttachments, withAttachments } from './attachments.ts';
import { createBranches } from './branches.ts';
import { changeConversation } from './change-conversation.ts';
import { createChats } from './chats.ts';
import { type Context, liveRun, timestamp } from './context.ts';
import { createDecisions } from './decisions.ts';
import type { RunDeps } from './deps.ts';
import { driveRun, type LiveRun } from './drive.ts';
import { givenUp } from './interrupted.ts';
import { createLanes } from './lanes.ts';
import { messageForPanel, runForPanel } from './panel-view.ts';
import { createQueue } from './queue.ts';
import { runLive } from './refusals.ts';
import { createRequests } from './requests.ts';
import { newConversation, newRun, type Sent, userMessage, withoutArchive, withoutFailure } from './rows.ts';
import { setChat } from './set-chat.ts';
import { giveSnapshot } from './snapshot.ts';
import { createWaiting, stateOf, waitingConversation } from './waiting.ts';

/** After these nothing that is queued is sent by itself: it would run into the same wall. */
const FAILURES: ReadonlySet<RunEndReason | undefined> = new Set(['error', 'limit', 'interrupted']);

type StartRequest = Parameters<Commands['startRun']>[0];

/** A run in a conversation where none is live. */
type Beginning = {
  before: Conversation;
  run: Run;
  sent?: Sent | undefined;
  /** What changes with it. */
  also?: Entry;
  /** It goes on from elsewhere than where the conversation stood. */
  isElsewhere?: boolean;
};

export type Runs = ReturnType<typeof createRuns>;

/** The runs of all conversations: one live run each, the others queued behind it (architecture.md, "The run"). */
export function createRuns(deps: RunDeps) {
  const { store } = deps;
  const lane = createLanes();
  const context: Context = { deps, lane, live: new Map(), requests: new Map() };
  const { live } = context;
  const queue = createQueue(context);
  const decisions = createDecisions(context);
  const waiting = createWaiting(context);
  const requests = createRequests(context, async (id) => {
    waiting.changed(live.get(id)?.state.conversation ?? (await store.conversation(id)) ?? { id });
  });

  const branches = createBranches(context, { drive, changed: waiting.changed });
  const chats = createChats(context, stop);

  /**
   * Begins or queues a run; the same ids again change nothing.
   * @throws AppError `run_live` for a message that replaces another one while a run is live
   */
  async function start(request: StartRequest): Promise<'started' | 'queued' | 'live'> {
    const { conversationId, runId, message, when = 'queue' } = request;
    let giving: Promise<void> | undefined;
    const answer = await lane(conversationId, async () => {
      const known = await store.run(runId);
      if (known) return known.status === 'queued' ? 'queued' : 'started';
      const current = liveRun(context, conversationId);
      if (!current) {
        await beginNew(request);
        return 'started';
      }
      if (!message) return 'live';
      if (message.replaces) throw runLive();
      const sent = await withAttachments(deps, message);
      // What comes after a Stop is meant to be sent, and so is what the run is stopped for.
      if (when === 'now' || current.queue === 'is_taken_back') current.queue = 'goes_on';
      await queue.add(newRun(runId, current.state.conversation, timestamp(context)), sent, when);
      if (when !== 'now') return 'queued';
      current.abort.abort();
      giving = current.done;
      return 'started';
    });
    await giving; // outside the lane, in which the run that makes way still has to end
    return answer;
  }

  /** A run in a conversation where none is live; its first message begins the conversation. */
  async function beginNew({ conversationId, runId, message }: StartRequest): Promise<void> {
    const at = timestamp(context);
    const before = await store.conversation(conversationId);
    const replaces = message?.replaces;
    const replaced = replaces && (await branches.replaced(conversationId, replaces.messageId));
    const kept = replaced?.attachments?.filter(({ id }) => replaces?.kept.includes(id));
    const sent = message && (await withAttachments(deps, message, kept));
    const also: Entry = sent ? await taken(conversationId, sent, replaced !== undefined) : {};
    if (before) {
      const from = replaced ? { ...before, leafId: replaced.parentId } : before;
      const isElsewhere = replaced !== undefined;
      return begin({ before: from, run: newRun(runId, from, at), sent, also, isElsewhere });
    }
    if (!sent || (await store.deletedConversation(conversationId))) {
      throw new AppError({ code: 'no_conversation', ...chatErrors.noChat });
    }
    const choice = await store.newChat();
    const conversation = newConversation(conversationId, sent, choice, at);
    // What was chosen for this chat alone is not the next one's.
    const newChat = { settings: {}, tools: inheritAll(choice.tools) };
    const run = newRun(runId, conversation, at);
    await begin({ before: conversation, run, sent, also: { ...also, newChat } });
    if (sent.attachments) await tellAttachments(deps, NEW_CHAT);
    deps.chatBegan();
  }

  /**
   * What was typed is sent now; where it takes another message's place, only if it was typed as the next one. A message
   * from the queue leaves alone what is being typed when it begins.
   */
  async function taken(conversationId: string, sent: Sent, replaces: boolean): Promise<Entry> {
    const isDraft = !replaces || (await store.draft(conversationId)).trim() === sent.text.trim();
    return { ...(isDraft && { draft: { conversationId, text: '' } }), attached: idsOf(sent) };
  }

  /** Writes {user message, run}, and what changes with them, and sets the run going. Inside the conversation's lane. */
  async function begin({ before, run, sent, also = {}, isElsewhere }: Beginning): Promise<void> {
    const at = timestamp(context);
    const leaf = before.leafId === null ? undefined : await store.message(before.leafId);
    const message = sent && userMessage(before.id, leaf, sent, at);
    const leafId = message?.id ?? before.leafId;
    const standing = withoutFailure(message ? withoutArchive(before) : before);
    const conversation = { ...standing, leafId, updatedAt: at };
    const working: Run = { ...run, status: 'working', leafId, progressAt: at, startedAt: at };
    await store.write({
      ...also,
      conversation,
      run: working,
      ...(message && { message }),
    });
    deps.send(conversation.id, { type: 'conversation', conversation });
    if (isElsewhere) await branches.show(conversation.id);
    else if (message) deps.send(conversation.id, { type: 'message', message: messageForPanel(message) });
    for (const each of [working, ...(also.runs ?? [])])
      deps.send(conversation.id, { type: 'run_changed', run: runForPanel(each) });
    if (also.attached?.length) await tellAttachments(deps, conversation.id);
    await drive(conversation, working);
  }

  async function drive(conversation: Conversation, run: Run): Promise<void> {
    const started = await driveRun(context, { run, conversation }, (event, state) => {
      waiting.changed(state.conversation);
      requests.follow(conversation.id, event);
      const isVersion = event.type === 'iteration_start' || (event.type === 'run_end' && state.standIn);
      if (isVersion) branches.told(conversation.id, state.standIn ?? state.streaming).catch(report);
      if (event.type === 'run_end' && event.reason === 'done') deps.answered(state.conversation);
      if (event.type !== 'approval_required') return;
      // A permission that was given while the call was about to wait.
      const call = state.open.get(event.callId);
      if (call) decisions.reconsiderCall(call).catch(report);
    });
    const ended = async () => {
      // A new one may have begun in the meantime: what is queued waits for that one's end.
      if (live.get(conversation.id) !== started) return;
      live.delete(conversation.id);
      await dealWithQueue(conversation.id, started.queue, started.state.run.reason);
    };
    started.done = started.done.then(() => lane(conversation.id, ended)).catch(report);
    live.set(conversation.id, started);
  }

  /** A run has ended: the next queued one begins, or what is queued goes back into the composer. */
  function dealWithQueue(
    conversationId: string,
    settled: LiveRun['queue'],
    reason: RunEndReason | undefined,
  ): Promise<void> {
    const fate = settled ?? (FAILURES.has(reason) ? 'is_taken_back' : 'goes_on');
    return fate === 'goes_on' ? beginQueued(conversationId) : queue.takeBack(conversationId);
  }

  /** Nothing is live any more: the next queued run begins. Inside the conversation's lane. */
  async function beginQueued(conversationId: string): Promise<void> {
    if (liveRun(context, conversationId)) return;
    const next = await queue.next(conversationId);
    const conversation = await store.conversation(conversationId);
    if (!next || !conversation) return;
    const { queued, ...run } = next.first;
    await begin({ before: conversation, run, sent: queued, also: { runs: next.behind } });
  }

  /** Ends the conversation's live run, and takes back what was queued: after a Stop nothing is sent by itself. */
  async function stop({ conversationId }: { conversationId: string }): Promise<void> {
    // In the lane, so that a run that is just starting is found, and none begins meanwhile.
    const current = await lane(conversationId, async () => {
      await queue.takeBack(conversationId);
      const found = live.get(conversationId);
      if (found) found.queue = 'is_taken_back';
      found?.abort.abort();
      return found;
    });
    await current?.done;
  }

  /** A starting worker picks up what an earlier one left. */
  async function resume(): Promise<void> {
    const unfinished = await store.unfinishedRuns();
    // First what was going on, whenever it began; then what waits behind it.
    const queued = unfinished.filter(({ status }) => status === 'queued');
    for (const run of [...unfinished.filter((each) => !queued.includes(each)), ...queued]) {
      const { conversationId } = run;
      const takeUp = () => (run.status === 'queued' ? pickUpQueue(conversationId) : pickUp(run));
      // One that can't be taken up must not keep the worker from everything else.
      await lane(conversationId, takeUp).catch(report);
    }
    waiting.tell();
  }

  async function pickUp(run: Run): Promise<void> {
    const conversation = await store.conversation(run.conversationId);
    if (!conversation || liveRun(context, run.conversationId)) return;
    if (run.status === 'waiting') return drive(conversation, run);
    const end = await givenUp(store, conversation, run, deps.now());
    if (end) return store.write(end);
    const resumed = { ...run, resumes: run.resumes + 1 };
    await store.write({ run: resumed });
    return drive(conversation, resumed);
  }

  /** What is queued when nothing goes on: the worker died between a run's end and what was to follow it. */
  async function pickUpQueue(conversationId: string): Promise<void> {
    if (liveRun(context, conversationId)) return;
    const last = await store.lastEndedRun(conversationId);
    await dealWithQueue(conversationId, undefined, last?.reason);
  }

  const { resolve, reconsider, checkArguments } = decisions;
  return {
    start,
    stop,
    retryNow: ({ conversationId }: Parameters<Commands['retryNow']>[0]) => live.get(conversationId)?.hurry(),
    removeQueued: queue.remove,
    moveQueued: queue.move,
    steerQueued: queue.steer,
    setChat: (request: Parameters<Commands['setChat']>[0]) => setChat(context, request),
    resolve,
    reconsider,
    checkArguments,
    runAgain: branches.runAgain,
    regenerate: branches.regenerate,
    switchVersion: branches.switchVersion,
    deleteMessage: branches.deleteMessage,
    restoreMessage: branches.restoreMessage,
    chats,
    change: (id: string, change: (before: Conversation) => Conversation) =>
      changeConversation(context, id, change),
    /** Whether a run goes on in any conversation but this one. */
    isBusyBeside: (id: string) => [...live.keys()].some((other) => other !== id && liveRun(context, other)),
    /** The conversation that waits for the person, of several the one that was used last. */
    waiting: () => waitingConversation(context),
    resume,
    ask: requests.ask,
    answerRequest: requests.answer,
    cancelRequests: requests.cancelAll,
    snapshot: (wanted: string | null, then: (snapshot: Snapshot) => void) =>
      giveSnapshot(context, wanted, then),
    stateOf: (conversationId: string) => stateOf(context, conversationId),
  };
}

function report(error: unknown): void {
  console.warn('A run could not be taken further; it is tried again when the worker next starts.', error);
}
