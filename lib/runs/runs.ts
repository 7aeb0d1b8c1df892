import { denied, outcomeUnknown } from '../agent/ledger.ts';
import { placeAfter } from '../agent/history.ts';
import { AppError } from '../errors.ts';
import type { Commands, Snapshot } from '../protocol.ts';
import type { Conversation, Run, ToolCall, UserMessage } from '../types.ts';
import { driveRun, type LiveRun, type RunDeps } from './drive.ts';
import { createLanes } from './lanes.ts';
import { firstTitle } from './title.ts';

const SNAPSHOT_MESSAGES = 50;
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
  async function start(request: StartRequest): Promise<void> {
    const { conversationId, runId, message } = request;
    await lane(conversationId, async () => {
      if (await store.run(runId)) return;
      const conversation = (await store.conversation(conversationId)) ?? (await newConversation(request));
      const run = newRun(runId, conversation);
      if (live.has(conversationId)) {
        if (message) await enqueue(run, message);
        return;
      }
      await begin(conversation, run, message);
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
    const working: Run = { ...run, status: 'working', leafId, progressAt: at };
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
    void started.done.finally(() => lane(conversation.id, () => next(conversation.id)));
  }

  /** The live run has ended: the next queued one begins. Inside the conversation's lane. */
  async function next(conversationId: string): Promise<void> {
    live.delete(conversationId);
    const queued = (await store.runs(conversationId)).find(({ status }) => status === 'queued');
    const conversation = await store.conversation(conversationId);
    if (!queued || !conversation) return;
    const { queuedText, queuedMessageId, ...run } = queued;
    await begin(conversation, run, { id: queuedMessageId ?? deps.newId(), text: queuedText ?? '' });
  }

  /** Ends the conversation's live run; what was said so far stays. */
  async function stop({ conversationId }: { conversationId: string }): Promise<void> {
    const current = live.get(conversationId);
    current?.abort.abort();
    await current?.done;
  }

  async function removeQueued({ runId }: { runId: string }): Promise<void> {
    const run = await store.run(runId);
    if (!run) return;
    await lane(run.conversationId, async () => {
      const current = await store.run(runId);
      if (current?.status !== 'queued') return;
      const ended: Run = { ...current, status: 'ended', reason: 'cancelled' };
      await store.write({ run: ended });
      deps.send(run.conversationId, { type: 'run_changed', run: ended });
    });
  }

  /** Writes the person's decision down, then hands it to the waiting call. A call that does not wait is left alone. */
  async function resolve({ callId, decision }: Parameters<Commands['resolveCall']>[0]): Promise<void> {
    const call = await store.call(callId);
    if (!call) return;
    const decided = await lane(call.conversationId, async () => {
      const current = await store.call(callId);
      if (current?.wait === undefined) return false;
      await store.write({ calls: [withDecision(current, decision)] });
      return true;
    });
    if (decided) live.get(call.conversationId)?.decide(callId, decision);
  }

  /** A starting worker picks up what an earlier one left. */
  async function resume(): Promise<void> {
    for (const run of await store.unfinishedRuns()) {
      await lane(run.conversationId, () => (run.status === 'queued' ? resumeQueued(run) : pickUp(run)));
    }
  }

  async function resumeQueued({ conversationId }: Run): Promise<void> {
    if (!live.has(conversationId)) await next(conversationId);
  }

  async function pickUp(run: Run): Promise<void> {
    const conversation = await store.conversation(run.conversationId);
    if (!conversation || live.has(run.conversationId)) return;
    if (run.status === 'waiting') return drive(conversation, run);
    const stalled = deps.now() - Date.parse(run.progressAt) > MAX_STALL_MS;
    if (run.resumes >= MAX_RESUMES || stalled) return interrupt(conversation, run);
    const resumed = { ...run, resumes: run.resumes + 1 };
    await store.write({ run: resumed });
    return drive(conversation, resumed);
  }

  /** Ends a run that does not get on. What streamed in stays as a partial answer; a call cut off is `unknown`. */
  async function interrupt(conversation: Conversation, run: Run): Promise<void> {
    const broken = await store.streaming(conversation.id, run.id);
    const leaf = run.leafId === null ? undefined : await store.message(run.leafId);
    const calls = leaf ? await store.calls([leaf]) : [];
    const leafId = broken?.id ?? run.leafId;
    await store.write({
      run: { ...run, status: 'ended', reason: 'interrupted', leafId },
      conversation: { ...conversation, leafId },
      ...(broken && { message: { ...broken, status: 'partial' } }),
      calls: calls
        .filter(({ status }) => status === 'running')
        .map((call): ToolCall => ({ ...call, status: 'unknown' })),
    });
  }

  /** Reads a panel's view and hands it to `then` before any later event of the conversation is sent. */
  async function snapshot(wanted: string | null, then: (snapshot: Snapshot) => void): Promise<void> {
    const id = wanted ?? (await store.newestConversation())?.id;
    if (id === undefined) return then(emptySnapshot);
    await lane(id, async () => {
      const conversation = await store.conversation(id);
      const draft = await store.draft(id);
      if (!conversation) return then({ ...emptySnapshot, draft });
      const { messages, hasOlder } = await store.messages(id, SNAPSHOT_MESSAGES);
      const streaming = live.get(id)?.state.streaming;
      const shown = messages.filter((message) => message.id !== streaming?.id);
      const runs = await store.runs(id);
      const ended = runs.findLast(({ status, queuedText }) => status === 'ended' && queuedText === undefined);
      then({
        conversation,
        messages: streaming ? [...shown, { ...streaming }] : shown,
        hasOlder,
        toolCalls: await store.calls(messages),
        runs: runs.filter((run) => run.status !== 'ended' || run === ended),
        draft,
      });
    });
  }

  return { start, stop, removeQueued, resolve, resume, snapshot };
}

const emptySnapshot: Snapshot = {
  conversation: null,
  messages: [],
  hasOlder: false,
  toolCalls: [],
  runs: [],
  draft: '',
};

function withDecision(call: ToolCall, decision: 'allow' | 'deny'): ToolCall {
  const { wait, ...rest } = call;
  if (decision === 'allow') return { ...rest, status: 'approved' };
  return wait === 'unknown'
    ? { ...rest, result: outcomeUnknown }
    : { ...rest, status: 'denied', result: denied };
}
