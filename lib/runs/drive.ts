import type { LiveRun, RunState } from './live-run.ts';
import { newAnswer } from '../agent/context/history.ts';
import { runAgent } from '../agent/run.ts';
import { toWire } from '../errors.ts';
import type { ChatRows } from '../protocol/panel.ts';
import type { JournalEntry } from '../storage/chats/journal.ts';
import { type Run, type RunEvent, type Activity, idle } from '../types/run.ts';
import type { Conversation } from '../types/conversation.ts';
import type { Prefetched } from './prefetch.ts';
import { agentDeps, createWaits } from './agent-deps.ts';
import { appendDelta, type Delta, isDelta, asPartial } from './answer.ts';
import { atItsStep, type Context } from './context.ts';
import type { RequestChannel, RunDeps } from './deps.ts';
import { loadRun } from './load.ts';
import { isCut, messageForPanel, runForPanel } from './panel-view.ts';
import { liveAnswer, record, shownAnswer } from './record.ts';
import type { CallProgress } from '../types/tools/call-tool.ts';

/** Called after each of a run's events but its deltas, when it is written and told. */
type AfterEvent = (event: RunEvent, state: RunState) => void;

/** Reads a run's rows and drives it to its end: write each event down, tell the rows that changed, then go on. */
export async function driveRun(
  context: Context,
  { run, conversation, read }: { run: Run; conversation: Conversation; read?: Prefetched | undefined },
  channel: RequestChannel,
  afterEvent: AfterEvent,
): Promise<LiveRun> {
  const { deps } = context;
  const { input, state } = await loadRun(deps.store, conversation, run, deps.now(), read?.history);
  const abort = new AbortController();
  const { decide, retryNow, ...waits } = createWaits(state);
  const maxIterations = await (read?.maxIterations ?? deps.maxIterations());
  const agent = agentDeps(context, state, { read, maxIterations, channel, signal: abort.signal, ...waits });
  deps.working(state.run.id, state.run.status === 'working');
  const done = consume(context, state, runAgent(input, agent, abort.signal), abort, afterEvent);
  return { state, abort, decide, retryNow, done };
}

async function consume(
  context: Context,
  state: RunState,
  events: AsyncIterable<RunEvent>,
  abort: AbortController,
  afterEvent: AfterEvent,
): Promise<void> {
  const { deps, lane } = context;
  const { id } = state.conversation;
  const flush = createFlush(() =>
    lane(id, async () => {
      if (state.streaming) await deps.store.write({ message: { ...state.streaming } });
    }),
  );
  const handleEvent = async (event: RunEvent) => {
    if (isDelta(event)) {
      flush.grew('text' in event ? event.text.length : event.arguments.length);
      return stream(context, state, event);
    }
    if (event.type === 'run_end' && event.reason !== 'done') await standInFor(deps, state);
    const before = { ...state };
    const entry = await writeDown(deps, state, event);
    if (!state.streaming) flush.cancel();
    tellLive(context, state, before, entry);
    afterEvent(event, state);
    deps.event(id, event);
  };
  try {
    for await (const event of events) await lane(id, () => handleEvent(event));
  } catch (error) {
    flush.cancel();
    const end = { type: 'run_end', runId: state.run.id, reason: 'error', error: toWire(error) } as const;
    await lane(id, () => handleEvent(end)).catch((again: unknown) => {
      // Not even the end could be written: it is shown all the same, and the row is picked up by the next worker.
      console.warn('The end of a run could not be written down.', again);
      const before = { ...state };
      state.streaming = undefined;
      state.run = { ...state.run, status: 'ended', reason: 'error', error: end.error };
      context.feed.changed(id, { runs: [runForPanel(state.run)] });
      tellLive(context, state, before);
      afterEvent(end, state);
      deps.event(id, end);
    });
  } finally {
    abort.abort(); // whatever of it still goes on somewhere
  }
}

/** Keeps the place of a version without any text: without it the other versions could not be reached. */
async function standInFor({ store, newId, now }: RunDeps, state: RunState): Promise<void> {
  const shown = shownAnswer(state);
  if (shown && asPartial(shown)) return;
  const timestamp = new Date(now()).toISOString();
  const missing = newAnswer({ ...state.run, runId: state.run.id }, state.leaf, newId(), timestamp);
  const versions = await store.versions([missing]);
  if (versions[missing.id]) state.standIn = { ...missing, status: 'partial' };
}

/** Text is told as it comes; an answer that takes another one's place, whole with its first piece. */
function stream(context: Context, state: RunState, delta: Delta): void {
  if (!state.streaming) return;
  const append = appendDelta(state.streaming, delta);
  if (isCut(append)) return;
  if (state.told?.id === append.messageId && state.told.status === 'streaming')
    context.feed.append(state.conversation.id, append);
  else tellLive(context, state, state);
}

/** Tells what no row that was written says: the answer that streams in, the step, and what goes on beside it. */
function tellLive(context: Context, state: RunState, before: RunState, entry?: JournalEntry): void {
  const { deps, feed } = context;
  const answer = liveAnswer(state);
  const told = state.told;
  const isNew = answer && (answer.id !== told?.id || answer.status !== told.status);
  const isGone = told && told.id !== answer?.id && told.id !== entry?.message?.id;
  if (answer) state.told = { id: answer.id, status: answer.status };
  else delete state.told;
  const rows: ChatRows = {
    ...(isNew && { messages: [messageForPanel(structuredClone(answer))] }),
    ...(isGone && { removed: [told.id] }),
    ...(state.iteration !== before.iteration && { runs: [runForPanel(atItsStep(context, state.run))] }),
    ...(state.activity !== before.activity && { activity: state.activity }),
  };
  if (Object.keys(rows).length > 0) feed.changed(state.conversation.id, rows);
  const { id, status } = state.run;
  // At its end the queue comes first (runs.ts): what wakes a worker stays until that is dealt with.
  if (status !== before.run.status && status !== 'ended') deps.working(id, status === 'working');
}

/** Takes the event over and writes it down. What could not be written is not remembered either. */
async function writeDown(
  deps: RunDeps,
  state: RunState,
  event: Exclude<RunEvent, Delta>,
): Promise<JournalEntry | undefined> {
  const before = { ...state, open: new Map(state.open), steers: new Map(state.steers) };
  state.activity = activityAfter(state.activity, event);
  const entry = record(state, event, new Date(deps.now()).toISOString());
  try {
    if (entry) await deps.store.write(entry);
  } catch (error) {
    Object.assign(state, before);
    throw error;
  }
  return entry;
}

/** Streamed text is at most this far ahead of the disk. */
const FLUSH_MS = 500;

/**
 * Writes a growing message down from time to time: the first change waits 500 ms, a long message longer (a millisecond
 * more for every 200 characters of text, thought and calls), since the whole row is rewritten each time.
 */
function createFlush(write: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let length = 0;
  return {
    /** @param by characters that came to the message */
    grew(by: number): void {
      length += by;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          write().catch((error: unknown) =>
            console.warn('Streamed text could not be written down yet.', error),
          );
        },
        FLUSH_MS + length / 200,
      );
    },
    /** There is no message that grows any more. */
    cancel(): void {
      clearTimeout(timer);
      timer = undefined;
      length = 0;
    },
  };
}

/** What a live run is at after an event; the same object where that is nothing new. */
function activityAfter(before: Activity, event: RunEvent): Activity {
  switch (event.type) {
    case 'iteration_start':
      return { ...before, maxIterations: event.maxIterations, summarising: false };
    case 'summary_start':
      return { ...before, summarising: true };
    case 'summary_end':
      return { ...before, summarising: false };
    case 'call_progress':
      return { ...before, progress: { ...before.progress, [event.callId]: progressOf(event) } };
    case 'call_end': {
      const { [event.callId]: ended, ...progress } = before.progress;
      return ended ? { ...before, progress } : before;
    }
    case 'run_end':
      return idle;
    default:
      return before;
  }
}

function progressOf(event: Extract<RunEvent, { type: 'call_progress' }>): CallProgress {
  const { type: _type, callId: _callId, ...progress } = event;
  return progress;
}
