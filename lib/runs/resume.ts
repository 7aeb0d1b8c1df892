import type { JournalEntry } from '../storage/chats/journal.ts';
import type { RunStore } from '../storage/chats/run-store.ts';
import type { WireError } from '../types/error.ts';
import type { AssistantMessage } from '../types/message.ts';
import type { Run, RunEndReason } from '../types/run.ts';
import type { Conversation } from '../types/conversation.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';
import { saysSomething } from './answer.ts';
import { type Context, liveRun, report, timestamp } from './context.ts';
import { withoutRetry } from './record.ts';
import { t } from '../../locales/texts/errors.ts';

type Needs = {
  drive: (conversation: Conversation, run: Run) => Promise<void>;
  dealWithQueue: (conversationId: string, reason: RunEndReason | undefined) => Promise<void>;
  waiting: { tell: () => void };
};

/** A starting worker picks up what an earlier one left (docs/decisions/resume-from-disk.md). */
export function createResume(context: Context, { drive, dealWithQueue, waiting }: Needs) {
  const { deps, lane } = context;
  const { store } = deps;

  async function resume(): Promise<void> {
    const unfinished = await store.unfinishedRuns();
    // First what was going on, the newest of a conversation before what it has overtaken; then what waits behind it.
    const queued = unfinished.filter(({ status }) => status === 'queued');
    for (const run of [...unfinished.filter((each) => !queued.includes(each)).toReversed(), ...queued]) {
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
    const last = await store.lastEndedRun(conversation.id);
    // Its own end could not be written, and the conversation has gone on since.
    if (last && last.startedAt > run.startedAt) return store.write({ run: overtaken(run) });
    if (run.status === 'waiting') return drive(conversation, run);
    const end = await givenUp(store, conversation, run, deps.now());
    if (end) return store.write(end);
    const resumed = { ...run, resumes: run.resumes + 1 };
    const message = await pickedUp(store, run, timestamp(context));
    await store.write({ run: resumed, ...(message && { message }) });
    return drive(conversation, resumed);
  }

  /** What is queued when nothing goes on: the worker died between a run's end and what was to follow it. */
  async function pickUpQueue(conversationId: string): Promise<void> {
    if (liveRun(context, conversationId)) return;
    const last = await store.lastEndedRun(conversationId);
    await dealWithQueue(conversationId, last?.reason);
  }

  return resume;
}

/** A run that was picked up this often without getting a step further is given up. */
const MAX_RESUMES = 3;
const MAX_STALL_MS = 10 * 60_000;

const stalled = (): WireError => ({
  code: 'run_stalled',
  ...t(($) => $.errors.chat.stalled),
  retryable: true,
});

const overtaken = (run: Run): Run => ({
  ...withoutRetry(run),
  status: 'ended',
  reason: 'interrupted',
});

/**
 * What to write down instead of picking the run up once more, when it does not get on; undefined while it may.
 * One that waits for the user is never given up: what it waits for would be lost. A task may take as long as it likes, and
 * the browser may be closed meanwhile.
 * @param now milliseconds since the epoch
 */
async function givenUp(
  store: RunStore,
  conversation: Conversation,
  run: Run,
  now: number,
): Promise<JournalEntry | undefined> {
  const isStalled = now - Date.parse(run.progressAt) > MAX_STALL_MS;
  if (run.resumes < MAX_RESUMES && !isStalled) return undefined;
  const leaf = run.leafId === null ? undefined : await store.message(run.leafId);
  const open = (leaf ? await store.calls([leaf]) : []).filter(({ result }) => result === undefined);
  if (open.some(({ wait }) => wait !== undefined)) return undefined;
  const mayResume = run.resumes < MAX_RESUMES;
  if (mayResume && open.some(({ task }) => task !== undefined)) return undefined;
  return interrupted(store, conversation, run, open, mayResume ? stalled() : undefined);
}

/**
 * What streamed in stays as a partial answer; a call that was cut off is `unknown`. Continue goes on from there, and
 * asks about it.
 * @param error why, where it is not that the browser ended it again and again
 */
async function interrupted(
  store: RunStore,
  conversation: Conversation,
  run: Run,
  open: ToolCall[],
  error: WireError | undefined,
): Promise<JournalEntry> {
  const broken = await store.streaming(run);
  const leafId = broken?.id ?? run.leafId;
  const ended = { status: 'ended', reason: 'interrupted', leafId, ...(error && { error }) } as const;
  return {
    run: { ...withoutRetry(run), ...ended },
    conversation: { ...conversation, leafId, failed: true },
    ...(broken && { message: { ...broken, status: 'partial' } }),
    calls: open.filter(({ status }) => status === 'running').map((call) => ({ ...call, status: 'unknown' })),
  };
}

/**
 * The answer in whose middle the run was when its worker died, in its text or between its calls, and when it is picked
 * up; undefined where there is nothing that a user saw break off.
 * @param at ISO 8601
 */
async function pickedUp(store: RunStore, run: Run, at: string): Promise<AssistantMessage | undefined> {
  const broken = await store.streaming(run);
  if (broken) return saysSomething(broken) ? { ...broken, pickedUpAt: at } : undefined;
  const leaf = run.leafId === null ? undefined : await store.message(run.leafId);
  if (leaf?.role !== 'assistant' || leaf.status !== 'complete') return undefined;
  const isOpen = (await store.calls([leaf])).some(({ result }) => result === undefined);
  return isOpen ? { ...leaf, pickedUpAt: at } : undefined;
}
