import type { Entry } from '../storage/journal.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { Run } from '../types/run.ts';
import type { Conversation } from '../types/setup.ts';
import type { ToolCall } from '../types/tool.ts';
import { withoutRetry } from './record.ts';

/**
 * What to write down for a run that does not get on. What streamed in stays as a partial answer; a call that was cut
 * off is `unknown`, and none waits for the person any more. Continue goes on from there, and asks again.
 */
export async function interrupted(store: RunStore, conversation: Conversation, run: Run): Promise<Entry> {
  const broken = await store.streaming(run);
  const leaf = run.leafId === null ? undefined : await store.message(run.leafId);
  const calls = leaf ? await store.calls([leaf]) : [];
  const leafId = broken?.id ?? run.leafId;
  return {
    run: { ...withoutRetry(run), status: 'ended', reason: 'interrupted', leafId },
    conversation: { ...conversation, leafId },
    ...(broken && { message: { ...broken, status: 'partial' } }),
    calls: calls
      .filter(({ result }) => result === undefined)
      .map(({ wait: _wait, ...call }): ToolCall => {
        return call.status === 'running' ? { ...call, status: 'unknown' } : call;
      }),
  };
}
