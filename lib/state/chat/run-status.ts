import type { Run, RunEndReason } from '../../types/run.ts';
import { isEnded } from '../../types/tools/tool-call.ts';
import type { Chat } from './chat.ts';

/** What the run bar says. `idle` carries how the last run ended, if there was one. */
export type RunStatusLine =
  | { type: 'thinking' | 'writing' | 'calling' | 'approval' | 'answer' | 'choice' | 'retry' | 'summary' }
  | { type: 'tools'; count: number }
  | { type: 'idle'; reason: RunEndReason | 'compacted' | null };

export type Writes = 'text' | 'call';
const lines = { text: 'writing', call: 'calling' } as const;

export const liveRun = (chat: Chat): Run | null =>
  chat.runs.find((run) => run.status === 'working' || run.status === 'waiting') ?? null;

/** What waits behind the live run, next one first: a steering message does not wait for its end. */
export const queuedRuns = (chat: Chat): Run[] =>
  chat.runs
    .filter((run) => run.status === 'queued')
    .toSorted((a, b) => Number(steers(b)) - Number(steers(a)) || orderOf(a) - orderOf(b));

const steers = ({ queued }: Run): boolean => queued?.steer ?? false;
const orderOf = ({ queued }: Run): number => queued?.order ?? 0;

/** The run whose end is to be shown: the last one, while nothing goes on. */
export function endedRun(chat: Chat): Run | null {
  return liveRun(chat) ? null : (chat.runs.findLast((run) => run.status === 'ended') ?? null);
}

/** Runs that failed before, by the message at which they ended. */
export type Faults = Record<string, Run[]>;

/** `shown` is told of elsewhere. @param before what failed as it was, which is what comes back if nothing else has */
export function pastFaults({ runs }: Chat, shown: Run | null, before: Faults = {}): Faults {
  const faults: Faults = {};
  for (const run of runs) {
    if (run.status !== 'ended' || run.reason !== 'error' || !run.leafId || run.id === shown?.id) continue;
    faults[run.leafId] = [...(faults[run.leafId] ?? []), run];
  }
  const [now, then] = [Object.values(faults).flat(), Object.values(before).flat()];
  return now.length === then.length && now.every((run, at) => run === then[at]) ? before : faults;
}

/** `starting`: a run was asked for and has not shown up yet. `writes`: what the streaming message has got to. */
export function runStatusLine(chat: Chat, starting: boolean, writes: Writes | null): RunStatusLine {
  const run = liveRun(chat);
  if (!run) {
    if (starting) return { type: 'thinking' };
    const { reason = null, compacts } = endedRun(chat) ?? {};
    return { type: 'idle', reason: compacts && reason === 'done' ? 'compacted' : reason };
  }
  const calls = Object.values(chat.calls);
  if (calls.some((call) => call.wait === 'permission')) return { type: 'approval' };
  const asked = chat.requests[0];
  if (asked) return { type: asked.kind === 'sampling' ? 'approval' : 'answer' };
  if (calls.some((call) => call.wait === 'hand_over')) return { type: 'answer' };
  if (calls.some((call) => call.wait === 'unknown')) return { type: 'choice' };
  const running = calls.filter((call) => call.status === 'running').length;
  // Before a call runs, its server may have to be reached.
  const last = chat.messages.at(-1)?.id;
  const begins = calls.filter(({ messageId, status }) => messageId === last && !isEnded(status)).length;
  if (run.retry) return { type: 'retry' };
  if (chat.summarising) return { type: 'summary' };
  if (running + begins > 0) return { type: 'tools', count: running || begins };
  return { type: writes === null ? 'thinking' : lines[writes] };
}
