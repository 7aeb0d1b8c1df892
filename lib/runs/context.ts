import type { RunDeps } from './deps.ts';
import type { LiveRun } from './drive.ts';
import type { Lane } from './lanes.ts';

/** What the parts of `runs` share. */
export type Context = {
  deps: RunDeps;
  lane: Lane;
  /** By conversation, one each; also a run that has just ended and is only still being cleared away. */
  live: Map<string, LiveRun>;
};

/** The conversation's run that goes on or waits for the person. */
export function liveRun({ live }: Context, conversationId: string): LiveRun | undefined {
  const found = live.get(conversationId);
  return found?.state.run.status === 'ended' ? undefined : found;
}

/** ISO 8601. */
export function timestamp({ deps }: Context): string {
  return new Date(deps.now()).toISOString();
}
