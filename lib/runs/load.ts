import { leafOf, nextStep, unanswered } from '../agent/context/history.ts';
import type { RetryLeft, RunInput } from '../agent/deps.ts';
import type { RunStore } from '../storage/chats/run-store.ts';
import type { Message } from '../types/message.ts';
import { idle, type Retry, type Run } from '../types/run.ts';
import type { Conversation } from '../types/conversation.ts';
import type { RunState } from './live-run.ts';

/**
 * Reads what a run goes on from. An answer that broke (the worker died while it streamed, or an earlier run left it
 * partial) is not part of the history: the next one takes its place and its id. Where there is no next one it stays. A wait for the next try goes on.
 * @param now milliseconds since the epoch
 * @param begun the history of a run that begins: nothing of an earlier life of it can be there
 */
export async function loadRun(
  store: RunStore,
  conversation: Conversation,
  run: Run,
  now: number,
  begun?: Message[],
): Promise<{ input: RunInput; state: RunState }> {
  let history = begun ?? (await store.history(run.leafId));
  let broken = begun ? undefined : await store.streaming(run);
  const last = history.at(-1);
  if (last?.role === 'assistant' && last.status !== 'complete' && !run.compacts) {
    history = history.slice(0, -1);
    broken = last;
  }

  const step = nextStep(history);
  const calls = step.type === 'execute' ? await store.calls([step.message]) : [];
  const ledger = calls.filter(({ byApp }) => byApp === undefined);
  const positions = step.type === 'execute' ? unanswered(step.message, history) : [];
  const open = ledger.filter(({ position }) => positions.includes(position));
  const input: RunInput = {
    runId: run.id,
    conversationId: conversation.id,
    history,
    ledger,
    iteration: run.iteration,
    ...(run.compacts && { compacts: true }),
    ...(broken && { replaces: broken.id }),
    ...(run.retry && { retry: retryLeft(run.retry, now) }),
  };
  const state: RunState = {
    run,
    conversation,
    leaf: leafOf(history),
    iteration: run.iteration,
    streaming: undefined,
    broken,
    open: new Map(open.map((call) => [call.callId, call])),
    activity: idle,
    steers: new Map(),
  };
  return { input, state };
}

function retryLeft({ attempt, error, at }: Retry, now: number): RetryLeft {
  return { attempt, error, waitMs: Math.max(0, Date.parse(at) - now) };
}
