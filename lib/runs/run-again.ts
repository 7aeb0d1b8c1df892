import { AppError } from '../errors.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { Entry } from '../storage/journal.ts';
import type { Run } from '../types/run.ts';
import type { Conversation } from '../types/setup.ts';
import type { CallStatus, ToolCall } from '../types/tool.ts';
import { newRun } from './rows.ts';

const repeatable = new Set<CallStatus>(['error', 'timeout', 'cancelled', 'unknown']);

/**
 * What to write down so that a run makes a call once more and goes on from its result: the call is approved and has no
 * result, and the branch ends at its message. What came after it stays as another branch.
 * @throws AppError `not_repeatable` for a call that succeeded, was refused or denied, or has not ended
 */
export async function repeated(
  store: RunStore,
  call: ToolCall | undefined,
  runId: string,
  at: string,
): Promise<Entry & { conversation: Conversation; run: Run }> {
  const before = call && (await store.conversation(call.conversationId));
  if (!call || !before || !isRepeatable(call)) {
    throw new AppError({
      code: 'not_repeatable',
      message: 'This call can’t be run again.',
      fix: 'Ask the model for it in a message.',
    });
  }
  const conversation = { ...before, leafId: call.messageId, updatedAt: at };
  const { messages } = await store.branch(call.messageId, 1);
  const results = messages.filter(({ role, sub }) => role === 'tool' && sub === call.position + 1);
  return {
    conversation,
    run: newRun(runId, conversation, at),
    calls: [approved(call)],
    withdrawn: results.map(({ id }) => id),
  };
}

function isRepeatable({ status, wait, refused }: ToolCall): boolean {
  return repeatable.has(status) && wait === undefined && refused === undefined;
}

function approved({
  result: _result,
  durationMs: _durationMs,
  startedAt: _startedAt,
  ...call
}: ToolCall): ToolCall {
  return { ...call, status: 'approved' };
}
