import { decided } from '../agent/ledger.ts';
import { AppError } from '../errors.ts';
import { type Commands, NEW_CHAT, type Snapshot } from '../protocol.ts';
import type { Entry } from '../storage/journal.ts';
import type { AssistantMessage, Conversation, Run } from '../types.ts';
import { driveRun, type LiveRun, type RunDeps } from './drive.ts';
import { interrupted } from './interrupted.ts';
import { createLanes } from './lanes.ts';
import { shownAnswer } from './record.ts';
import { emptySnapshot, readSnapshot } from './snapshot.ts';
import { newConversation, newRun, type Sent, userMessage } from './rows.ts';

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
      const conversation = (await store.conversation(conversationId)) ?? (await firstOf(request));
      const run = newRun(runId, conversation, timestamp());
      if (isLive(conversationId)) {
        if (!message) return 'live';
        await enqueue(run, message);
        return 'queued';
      }
      await begin(conversation, run, message);
      return 'started';
    });
  }

  /** The conversation that a first message begins. */
  async function firstOf({ conversationId, message }: StartRequest): Promise<Conversation> {
    if (message)
      return newConversation(conversationId, message.text, await deps.defaultProvider(), timestamp());
    throw new AppError({
      code: 'no_conversation',
      message: 'This chat is not there any more.',
      fix: 'Start a new chat.',
    });
  }

  async function enqueue(run: Run, { id, text }: Sent): Promise<void> {
    const queued: Run = { ...run, status: 'queued', queuedText: text, queuedMessageId: id };
    await store.write({ run: queued, draft: { conversationId: run.conversationId, text: '' } });
    deps.send(run.conversationId, { type: 'run_changed', run: queued });
  }

  /** Writes {user message, run} and sets the run going. Inside the conversation's lane. */
  async function begin(before: Conversation, run: Run, sent?: Sent): Promise<void> {
    const at = timestamp();
    const leaf = before.leafId === null ? undefined : await store.message(before.leafId);
    const message = sent && userMessage(before.id, leaf, sent, at);
    const leafId = message?.id ?? before.leafId;
    const conversation = { ...before, leafId, updatedAt: at };
    const working: Run = { ...run, status: 'working', leafId, progressAt: at, startedAt: at };
    await store.write({
      conversation,
      run: working,
      ...(message && { message, draft: { conversationId: conversation.id, text: '' } }),
    });
    deps.send(conversation.id, { type: 'conversation', conversation });
    if (message) deps.send(conversation.id, { type: 'message', message });
    deps.send(conversation.id, { type: 'run_changed', run: working });
    await drive(conversation, working);
  }

  async function drive(conversation: Conversation, run: Run): Promise<void> {
    const started = await driveRun(deps, lane, { run, conversation });
    live.set(conversation.id, started);
    const ended = async () => {
      // A new one may have begun in the meantime.
      if (live.get(conversation.id) === started) live.delete(conversation.id);
      await beginQueued(conversation.id);
    };
    started.done.then(() => lane(conversation.id, ended)).catch(report);
  }

  /** Also false for a run that has just ended, and is only still being cleared away. */
  function isLive(conversationId: string): boolean {
    const state = live.get(conversationId)?.state;
    return state !== undefined && state.run.status !== 'ended';
  }

  /** Nothing is live any more: the next queued run begins. Inside the conversation's lane. */
  async function beginQueued(conversationId: string): Promise<void> {
    if (isLive(conversationId)) return;
    const queued = (await store.runs(conversationId)).find(({ status }) => status === 'queued');
    const conversation = await store.conversation(conversationId);
    if (!queued || !conversation) return;
    const { queuedText, queuedMessageId, ...run } = queued;
    await begin(conversation, run, { id: queuedMessageId ?? deps.newId(), text: queuedText ?? '' });
  }

  /** Ends the conversation's live run, and takes back what was queued: after a Stop nothing is sent by itself. */
  async function stop({ conversationId }: { conversationId: string }): Promise<void> {
    // In the lane, so that a run that is just starting is found, and none begins meanwhile.
    const current = await lane(conversationId, async () => {
      await unqueueAll(conversationId);
      const found = live.get(conversationId);
      found?.abort.abort();
      return found;
    });
    await current?.done;
  }

  async function unqueueAll(conversationId: string): Promise<void> {
    const queued = (await store.runs(conversationId)).filter(({ status }) => status === 'queued');
    if (queued.length === 0) return;
    const texts = queued.map(({ queuedText }) => queuedText ?? '');
    const text = [await store.draft(conversationId), ...texts].filter((each) => each !== '').join('\n');
    await endQueued(queued, { conversationId, text });
    deps.send(conversationId, { type: 'unsent', conversationId, texts });
  }

  async function endQueued(queued: Run[], draft?: Entry['draft']): Promise<void> {
    const runs = queued.map((run): Run => ({ ...run, status: 'ended', reason: 'cancelled' }));
    await store.write({ runs, ...(draft && { draft }) });
    for (const run of runs) deps.send(run.conversationId, { type: 'run_changed', run });
  }

  /** @returns false when the run is not queued any more */
  async function removeQueued({ runId }: { runId: string }): Promise<boolean> {
    const run = await store.run(runId);
    if (!run) return false;
    return lane(run.conversationId, async () => {
      const current = await store.run(runId);
      if (current?.status !== 'queued') return false;
      await endQueued([current]);
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
    const unfinished = await store.unfinishedRuns();
    // First what was going on, whenever it began; then what waits behind it.
    const queued = unfinished.filter(({ status }) => status === 'queued');
    for (const run of [...unfinished.filter((each) => !queued.includes(each)), ...queued]) {
      const { conversationId } = run;
      const takeUp = () => (run.status === 'queued' ? beginQueued(conversationId) : pickUp(run));
      // One that can't be taken up must not keep the worker from everything else.
      await lane(conversationId, takeUp).catch(report);
    }
  }

  async function pickUp(run: Run): Promise<void> {
    const conversation = await store.conversation(run.conversationId);
    if (!conversation || isLive(run.conversationId)) return;
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
    const id = wanted ?? (await firstShown());
    if (id === undefined) return then(emptySnapshot);
    await lane(id, async () => then(await readSnapshot(store, id, liveAnswer(id))));
  }

  /** What a panel that opens shows: the newest conversation, or the new chat that somebody was writing. */
  async function firstShown(): Promise<string | undefined> {
    const newest = (await store.newestConversation())?.id;
    const writing = (await store.draft(NEW_CHAT)) !== '';
    return writing && (newest === undefined || !isLive(newest)) ? undefined : newest;
  }

  /** The answer of a live run as it stands: an earlier attempt's remains are `partial` until the new one speaks. */
  function liveAnswer(conversationId: string): AssistantMessage | undefined {
    const state = live.get(conversationId)?.state;
    if (!state?.streaming) return undefined;
    const shown = shownAnswer(state) ?? state.streaming;
    return shown === state.streaming ? shown : { ...shown, status: 'partial' };
  }

  return { start, stop, removeQueued, chooseProvider, resolve, resume, snapshot };
}

function report(error: unknown): void {
  console.warn('A run could not be taken further; it is tried again when the worker next starts.', error);
}
