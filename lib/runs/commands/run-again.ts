import { AppError } from '../../errors.ts';
import type { JournalEntry } from '../../storage/chats/journal.ts';
import type { Run } from '../../types/run.ts';
import type { Conversation } from '../../types/conversation.ts';
import { mayRunAgain, type ToolCall, unbound } from '../../types/tools/tool-call.ts';
import { lacksAccess } from '../../types/tools/tool-result.ts';
import type { RunDeps } from '../deps.ts';
import { problemWith } from './resolve-call.ts';
import { newRun, withoutFailure } from '../rows.ts';
import { t } from '../../../locales/texts/errors.ts';

/**
 * What to write down so that a run makes a call once more and goes on from its result: the call is open again and has
 * no result, and the branch ends at its message. What came after it stays as another branch.
 * @throws AppError `not_repeatable` for a call that was refused or denied, or has not ended, that succeeded and is not kept
 * whole any more, whose tool is blocked, or whose arguments do not fit the tool's schema any more
 */
export async function planRunAgain(
  deps: RunDeps,
  call: ToolCall | undefined,
  runId: string,
  at: string,
): Promise<JournalEntry & { conversation: Conversation; run: Run }> {
  const { store } = deps;
  const before = call && (await store.conversation(call.conversationId));
  if (!call || !before || !mayRunAgain(call)) throw notRepeatable();
  if ((await deps.judge(call)).permission === 'block') {
    throw notRepeatable(
      t(($) => $.errors.chat.notRepeatable.blocked),
      t(($) => $.errors.chat.notRepeatable.unblock),
    );
  }
  const problem = await problemWith(deps, call, call.edited ?? call.arguments);
  if (problem !== undefined) throw notRepeatable(problem);

  const conversation = { ...withoutFailure(before), leafId: call.messageId, updatedAt: at };
  const { messages } = await store.branch(call.messageId, 1);
  const results = messages.filter(({ role, sub }) => role === 'tool' && sub === call.position + 1);
  return {
    conversation,
    run: newRun(runId, conversation, at),
    calls: [reopened(call)],
    withdrawn: results.map(({ id }) => id),
  };
}

function notRepeatable(cause?: string, fix = t(($) => $.errors.chat.notRepeatable.ask)): AppError {
  return new AppError({
    code: 'not_repeatable',
    message: t(($) => $.errors.chat.notRepeatable.message),
    ...(cause !== undefined && { cause }),
    fix,
  });
}

/** The row without its end. It needs permission like a new one; its card shows what was edited before. */
function reopened(call: ToolCall): ToolCall {
  const {
    result,
    durationMs: _duration,
    startedAt: _at,
    task: _over,
    fingerprint: _seen,
    taint: _taint,
    allowed: _by,
    basis: _on,
    word: _said,
    imported: _from,
    ...rest
  } = unbound(call);
  if (!result || lacksAccess(call)) return { ...rest, status: 'pending' };
  const { isError, url } = result;
  const earlier = [...(call.earlier ?? []), { isError, ...(url !== undefined && { url }) }];
  return { ...rest, status: 'pending', earlier };
}
