import type { Page } from 'playwright-core';
import type { Chat as Rows } from '../../lib/state/chat/chat.ts';
import type { WireError } from '../../lib/types/error.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import type { RunEndReason } from '../../lib/types/run.ts';
import { pressApproval } from './approvals.ts';
import { createChatCopy } from './chat-copy.ts';
import { command } from './extension.ts';
import { failureOf } from './failure.ts';
import { linesBetween, type RunLine } from './run-lines.ts';
import type { Tapped } from './tap.ts';

/** One chat in the panel, as this command follows it. */
export type Chat = {
  panel: Page;
  approve: 'all' | 'none';
  /** What the panel and the worker say to each other, one after the other. */
  next: () => Promise<Tapped>;
  copy: ReturnType<typeof createChatCopy>;
  report: (conversationId: string, runId: string, line: RunLine) => void;
  /** For what goes wrong while nothing waits for it. */
  fail: (error: unknown) => void;
};

export type Asked = { conversationId: string; reason: RunEndReason; error?: WireError };

/**
 * Types a question into the panel, sends it, and follows its run to the end.
 * @throws Failure when the extension refuses to start the run
 */
export async function ask(chat: Chat, text: string): Promise<Asked> {
  const { panel, copy } = chat;
  await panel.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  // By a key: of two clicks in one place, one right after the other, the panel takes only the first.
  await panel.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  const answerApprovals = approver(chat);
  let run: { conversationId: string; runId: string } | undefined;
  let seen = copy.chat();
  for (;;) {
    const tapped = await chat.next();
    if (tapped.type === 'asked') run = tapped;
    if (tapped.type === 'refused' && tapped.runId === run?.runId) throw failureOf(tapped.error);
    if (tapped.type === 'subscribed') copy.subscribed(tapped.subscription);
    if (tapped.type !== 'event') continue;
    if (tapped.event.type === 'refused') throw failureOf(tapped.event.error);
    copy.take(tapped.event);
    if (!run) continue;
    const now = copy.chat();
    const { conversationId, runId } = run;
    cancelRequests(chat, seen, now);
    for (const line of linesBetween(seen, now, runId)) {
      chat.report(conversationId, runId, line);
      answerApprovals(line);
      if (line.type === 'run_end')
        return { conversationId, reason: line.reason, ...(line.error && { error: line.error }) };
    }
    seen = now;
  }
}

/** A server asks the user something in the middle of a call, and no user is here. */
function cancelRequests({ panel, fail }: Chat, before: Rows, { requests }: Rows): void {
  const known = new Set(before.requests.map(({ id }) => id));
  for (const request of requests) if (!known.has(request.id)) cancel(panel, request).catch(fail);
}

async function cancel(panel: Page, { id, serverName }: ServerRequest): Promise<void> {
  process.stderr.write(
    `portside: ${serverName} asked for input; there is no user here, so it was cancelled.\n`,
  );
  await command(panel, 'answerRequest', { requestId: id, action: 'cancel' });
}

/** Answers one approval after the other, in the order in which the panel shows them. */
function approver({ panel, approve, fail }: Chat): (line: RunLine) => void {
  const waiting = new Set<string>();
  let pressing = Promise.resolve();
  return (line) => {
    if (line.type === 'approval_resolved') waiting.delete(line.callId);
    if (line.type !== 'approval_required') return;
    waiting.add(line.callId);
    pressing = pressing
      .then(() => pressApproval(panel, line, approve, () => !waiting.has(line.callId)))
      .catch(fail);
  };
}
