import type { Request } from '../protocol/commands.ts';
import type { AttachmentSummary } from '../types/attachment.ts';
import type { PageTab } from '../types/page.ts';
import type { Run, RunEndReason } from '../types/run.ts';
import type { Conversation } from '../types/conversation.ts';
import type { Prefetched } from './prefetch.ts';
import { createAppCalls } from './commands/app-calls.ts';
import { createBranches } from './commands/branches.ts';
import { changeConversation } from './commands/change-conversation.ts';
import { createChats } from './commands/chats.ts';
import { type Context, liveRun, report, createLanes } from './context.ts';
import { createDecisions } from './commands/resolve-call.ts';
import type { RequestChannel, RunDeps } from './deps.ts';
import { driveRun } from './drive.ts';
import type { LiveRun } from './live-run.ts';
import { createFeed } from './feed.ts';
import { createResume } from './resume.ts';
import { createQueue } from './commands/queue.ts';
import { recordingStore } from './recording-store.ts';
import { createRequests } from './commands/requests.ts';
import { setChat } from './commands/set-chat.ts';
import { type Answer, firstShown, giveSnapshot, missedSince } from './snapshot.ts';
import { createStart } from './commands/start.ts';
import { createWaiting, stateOf, waitingConversation } from './waiting.ts';

/** After these nothing that is queued is sent by itself: it would run into the same wall. */
const FAILURES: ReadonlySet<RunEndReason | undefined> = new Set(['error', 'limit', 'interrupted']);

export type Runs = ReturnType<typeof createRuns>;

/** The runs of all conversations: one live run each, the others queued behind it (architecture.md, "The run"). */
export function createRuns(given: RunDeps) {
  const lane = createLanes();
  const feed = createFeed(given.publish);
  const context: Context = {
    deps: given,
    feed,
    lane,
    live: new Map(),
    requests: new Map(),
    appCalls: new Map(),
  };
  const store = recordingStore(given.store, context);
  const deps = (context.deps = { ...given, store });
  const { live } = context;
  const queue = createQueue(context);
  const decisions = createDecisions(context);
  const waiting = createWaiting(context);
  const waitsChanged = async (id: string): Promise<void> =>
    waiting.changed(live.get(id)?.state.conversation ?? (await store.conversation(id)) ?? { id });
  const requests = createRequests(context, waitsChanged);
  const channel: RequestChannel = {
    ask: requests.ask,
    change: (id, change) => changeConversation(context, id, change),
  };

  const appCalls = createAppCalls(context, { channel, changed: waitsChanged });
  const branches = createBranches(context, { drive, changed: waiting.changed });
  const chats = createChats(context, (chat) => {
    requests.cancelAll(chat.conversationId);
    return stop(chat);
  });
  const { start, begin, isStarting } = createStart(context, { queue, branches, drive });

  async function drive(conversation: Conversation, run: Run, read?: Prefetched): Promise<void> {
    const started = await driveRun(context, { run, conversation, read }, channel, (event, state) => {
      waiting.changed(state.conversation);
      requests.follow(conversation.id, event);
      const isVersion = event.type === 'iteration_start' || (event.type === 'run_end' && state.standIn);
      const version = isVersion && (state.standIn ?? state.streaming);
      if (version) branches.tellVersions(conversation.id, version).catch(report);
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
      await dealWithQueue(conversation.id, started.state.run.reason, started.queue);
    };
    started.done = started.done
      .then(() => lane(conversation.id, ended))
      .catch(report)
      .finally(() => deps.working(run.id, false));
    live.set(conversation.id, started);
  }

  /** A run has ended: the next queued one begins, or what is queued goes back into the composer. */
  function dealWithQueue(
    conversationId: string,
    reason: RunEndReason | undefined,
    settled?: LiveRun['queue'],
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

  const { resolve, reconsider, checkArguments } = decisions;
  return {
    start,
    isStarting,
    stop,
    retryNow: ({ conversationId }: Request<'retryNow'>) => live.get(conversationId)?.retryNow(),
    removeQueued: queue.remove,
    moveQueued: queue.move,
    steerQueued: queue.steer,
    setChat: (request: Request<'setChat'>) => setChat(context, request),
    resolve,
    reconsider,
    checkArguments,
    runAgain: branches.runAgain,
    regenerate: branches.regenerate,
    compact: branches.compact,
    switchVersion: branches.switchVersion,
    deleteMessage: branches.deleteMessage,
    restoreMessage: branches.restoreMessage,
    chats,
    /** Whether a run goes on in any conversation but this one. */
    isBusyBeside: (id: string) => [...live.keys()].some((other) => other !== id && liveRun(context, other)),
    /** The conversation that waits for the user, of several the one that was used last. */
    waiting: () => waitingConversation(context),
    resume: createResume(context, { drive, dealWithQueue, waiting }),
    ...channel,
    appCalls,
    answerRequest: requests.answer,
    cancelRequests: requests.cancelAll,
    /** What a panel shows for which no chat was chosen. */
    firstShown: () => firstShown(context),
    snapshot: (id: string, then: (answer: Answer) => void) => giveSnapshot(context, id, then),
    missedSince: (id: string, number: number) => missedSince(context, id, number),
    revisionOf: feed.number,
    /** A run goes on in it and waits for nothing. */
    isWorking: (id: string) => live.get(id)?.state.run.status === 'working',
    /** What is attached to its draft is this now. */
    attached: (id: string, attachments: AttachmentSummary[]) => feed.changed(id, { attachments }),
    /** The tabs that it opened and that are still open are these now. */
    opened: (id: string, tabs: PageTab[]) => feed.changed(id, { tabs }),
    /** They are not there any more, or what they show was written by something else than a run. */
    changed: feed.reset,
    stateOf: (conversationId: string) => stateOf(context, conversationId),
  };
}
