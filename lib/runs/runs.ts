import { decided } from '../agent/ledger.ts';
import { placeAfter } from '../agent/history.ts';
import { AppError } from '../errors.ts';
import type { Commands, Snapshot } from '../protocol.ts';
import type { Conversation, Run, UserMessage } from '../types.ts';
import { driveRun, type LiveRun, type RunDeps } from './drive.ts';
import { interrupted } from './interrupted.ts';
import { createLanes } from './lanes.ts';
import { emptySnapshot, readSnapshot } from './snapshot.ts';
import { firstTitle } from './title.ts';

/** A run that was picked up this often without getting a step further is given up. */
const MAX_RESUMES = 3;
const MAX_STALL_MS = 10 * 60_000;

type StartRequest = Parameters<Commands['startRun']>[0];

export type Runs = ReturnType<typeof createRuns>;

/** The runs of all conversations: one live run each, the others queued behind it (architecture.md, "The run"). */
export function createRuns(deps: RunDeps & { defaultProvider: () => Promise<number | null> }) {
  const { store } = deps;
  const lane = createLanes();
  const live = new Map<string, LiveRun>();
  const timestamp = () => new Date(deps.now()).toISOString();

  /** Begins or queues a run; the same ids again change nothing. */
  function start(request: StartRequest): Promise<'started' | 'queued' | 'live'> {
    const { conversationId, runId, message } = request;
    return lane(conversationId, async () => {
      const known = await store.run(runId);
      if (known) return known.status === 'queued' ? 'queued' : 'started';
      const conversation = (await store.conversation(conversationId)) ?? (await newConversation(request));
      const run = newRun(runId, conversation);
      if (!live.has(conversationId)) {
        await begin(conversation, run, message);
        return 'started';
      }
      if (!message) return 'live';
      await enqueue(run, message);
      return 'queued';
    });
  }

  async function newConversation({ conversationId, message }: StartRequest): Promise<Conversation> {
    if (!message) {
      throw new AppError({
        code: 'no_conversation',
        message: 'This chat is not there any more.',
        fix: 'Start a new chat.',
      });
    }
    const at = timestamp();
    const title = firstTitle(message.text);
    const providerId = await deps.defaultProvider();
    return { id: conversationId, title, createdAt: at, updatedAt: at, leafId: null, providerId };
  }

  function newRun(id: string, { id: conversationId, leafId }: Conversation): Run {
    const at = timestamp();
    return {
      id,
      conversationId,
      status: 'working',
      leafId,
      iteration: 0,
      resumes: 0,
      progressAt: at,
      startedAt: at,
    };
  }

  async function enqueue(run: Run, { id, text }: { id: string; text: string }): Promise<void> {
    const queued: Run = { ...run, status: 'queued', queuedText: text, queuedMessageId: id };
    await store.write({ run: queued, sentDraft: run.conversationId });
    deps.send(run.conversationId, { type: 'run_changed', run: queued });
  }

  /** Writes {user message, run} and sets the run going. Inside the conversation's lane. */
  async function begin(before: Conversation, run: Run, text?: { id: string; text: string }): Promise<void> {
    const message = text && (await userMessage(before, text));
    const at = timestamp();
    const leafId = message?.id ?? before.leafId;
    const conversation = { ...before, leafId, updatedAt: at };
    const working: Run = { ...run, status: 'working', leafId, progressAt: at, startedAt: at };
    await store.write({
      conversation,
      run: working,
      ...(message && { message, sentDraft: conversation.id }),
    });
    deps.send(conversation.id, { type: 'conversation', conversation });
    if (message) deps.send(conversation.id, { type: 'message', message });
    deps.send(conversation.id, { type: 'run_changed', run: working });
    await drive(conversation, working);
  }

  async function userMessage(
    { id: conversationId, leafId }: Conversation,
    { id, text }: { id: string; text: string },
  ): Promise<UserMessage> {
    const leaf = leafId === null ? undefined : await store.message(leafId);
    const place = placeAfter(leaf);
    return {
      ...place,
      id,
      conversationId,
      timestamp: timestamp(),
      role: 'user',
      status: 'complete',
      content: text,
    };
  }

  async function drive(conversation: Conversation, run: Run): Promise<void> {
    const started = await driveRun(deps, lane, { run, conversation });
    live.set(conversation.id, started);
    void started.done.then(() => lane(conversation.id, () => beginQueued(conversation.id))).catch(report);
  }

  /** The live run has ended: the next queued one begins. Inside the conversation's lane. */
  async function beginQueued(conversationId: string): Promise<void> {
    live.delete(conversationId);
    const queued = (await store.runs(conversationId)).find(({ status }) => status === 'queued');
    const conversation = await store.conversation(conversationId);
    if (!queued || !conversation) return;
    const { queuedText, queuedMessageId, ...run } = queued;
    await begin(conversation, run, { id: queuedMessageId ?? deps.newId(), text: queuedText ?? '' });
  }

  /** Ends the conversation's live run; what was said so far stays. */
  async function stop({ conversationId }: { conversationId: string }): Promise<void> {
    // In the lane, so that a run that is just starting is found.
    const current = await lane(conversationId, async () => live.get(conversationId));
    current?.abort.abort();
    await current?.done;
  }

  /** @returns false when the run is not queued any more */
  async function removeQueued({ runId }: { runId: string }): Promise<boolean> {
    const run = await store.run(runId);
    if (!run) return false;
    return lane(run.conversationId, async () => {
      const current = await store.run(runId);
      if (current?.status !== 'queued') return false;
      const ended: Run = { ...current, status: 'ended', reason: 'cancelled' };
      await store.write({ run: ended });
      deps.send(run.conversationId, { type: 'run_changed', run: ended });
      return true;
    });
  }

  /** Changes the conversation's provider, for its next run. A conversation that has not begun is left alone. */
  async function chooseProvider(conversationId: string, providerId: number): Promise<void> {
    await lane(conversationId, async () => {
      const current = live.get(conversationId)?.state;
      const before = current?.conversation ?? (await store.conversation(conversationId));
      if (!before) return;
      const conversation = { ...before, providerId };
      if (current) current.conversation = conversation;
      await store.write({ conversation });
      deps.send(conversationId, { type: 'conversation', conversation });
    });
  }

  /** Writes the person's decision down, then hands it to the waiting call. A call that does not wait is left alone. */
  async function resolve({ callId, decision }: Parameters<Commands['resolveCall']>[0]): Promise<void> {
    const call = await store.call(callId);
    if (!call) return;
    const waited = await lane(call.conversationId, async () => {
      const current = await store.call(callId);
      if (current?.wait === undefined) return false;
      await store.write({ calls: [decided(current, decision)] });
      return true;
    });
    if (waited) live.get(call.conversationId)?.decide(callId, decision);
  }

  /** A starting worker picks up what an earlier one left. */
  async function resume(): Promise<void> {
    for (const run of await store.unfinishedRuns()) {
      // One that can't be picked up must not keep the worker from everything else.
      await lane(run.conversationId, () => (run.status === 'queued' ? resumeQueued(run) : pickUp(run))).catch(
        report,
      );
    }
  }

  async function resumeQueued({ conversationId }: Run): Promise<void> {
    if (!live.has(conversationId)) await beginQueued(conversationId);
  }

  async function pickUp(run: Run): Promise<void> {
    const conversation = await store.conversation(run.conversationId);
    if (!conversation || live.has(run.conversationId)) return;
    if (run.status === 'waiting') return drive(conversation, run);
    const stalled = deps.now() - Date.parse(run.progressAt) > MAX_STALL_MS;
    if (run.resumes >= MAX_RESUMES || stalled)
      return store.write(await interrupted(store, conversation, run));
    const resumed = { ...run, resumes: run.resumes + 1 };
    await store.write({ run: resumed });
    return drive(conversation, resumed);
  }

  /** Reads a panel's view and hands it to `then` before any later event of the conversation is sent. */
  async function snapshot(wanted: string | null, then: (snapshot: Snapshot) => void): Promise<void> {
    const id = wanted ?? (await store.newestConversation())?.id;
    if (id === undefined) return then(emptySnapshot);
    await lane(id, async () => then(await readSnapshot(store, id, live.get(id)?.state.streaming)));
  }

  return { start, stop, removeQueued, chooseProvider, resolve, resume, snapshot };
}

function report(error: unknown): void {
  console.warn('A run could not be taken further; it is tried again when the worker next starts.', error);
}
