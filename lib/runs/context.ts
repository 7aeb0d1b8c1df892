import type { ServerRequest } from '../types/request.ts';
import type { Run } from '../types/run.ts';
import type { Decision, ToolCall } from '../types/tools/tool-call.ts';
import type { RunDeps } from './deps.ts';
import type { LiveRun } from './live-run.ts';
import type { Feed } from './feed.ts';

/** What the parts of `runs` share. */
export type Context = {
  /** With a store that tells of all that is written. */
  deps: RunDeps;
  feed: Feed;
  lane: Lane;
  /** By conversation, one each; also a run that has just ended and is only still being cleared away. */
  live: Map<string, LiveRun>;
  /** What servers wait for the user to answer, by the request's id, oldest first. */
  requests: Map<string, ServerRequest>;
  /** Calls of apps that have not ended, by their id, and what hands them the user's decision. */
  appCalls: Map<string, { call: ToolCall; decide: (decision: Decision) => void }>;
};

/** The conversation's run that goes on or waits for the user. */
export function liveRun({ live }: Context, conversationId: string): LiveRun | undefined {
  const found = live.get(conversationId);
  return found?.state.run.status === 'ended' ? undefined : found;
}

/** What servers wait for in this conversation, oldest first. */
export function requestsOf({ requests }: Context, conversationId: string): ServerRequest[] {
  return [...requests.values()].filter((request) => request.conversationId === conversationId);
}

/** The run as a page gets it: its row counts a step once the answer is whole, a page is told of the one that streams in. */
export function atItsStep({ live }: Context, run: Run): Run {
  const state = live.get(run.conversationId)?.state;
  return state?.run.id === run.id && run.status !== 'ended' ? { ...run, iteration: state.iteration } : run;
}

/** ISO 8601. */
export function timestamp({ deps }: Context): string {
  return new Date(deps.now()).toISOString();
}

export function report(error: unknown): void {
  console.warn('A run could not be taken further.', error);
}

/** Does `work` after everything that was given for the same conversation before it. */
type Lane = <T>(conversationId: string, work: () => Promise<T>) => Promise<T>;

/** One thing at a time for each conversation: an event is written and told before the next one. Snapshots wait for none. */
export function createLanes(): Lane {
  const tails = new Map<string, Promise<unknown>>();
  return (conversationId, work) => {
    const before = tails.get(conversationId) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result
      .catch(() => undefined)
      .finally(() => {
        if (tails.get(conversationId) === tail) tails.delete(conversationId);
      });
    tails.set(conversationId, tail);
    return result;
  };
}
