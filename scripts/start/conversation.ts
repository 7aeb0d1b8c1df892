import type { Page } from 'playwright-core';
import type { PanelEvent } from '../../lib/protocol/panel.ts';
import type { WireError } from '../../lib/types/error.ts';
import type { RunEndReason, RunEvent } from '../../lib/types/run.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import { pressApproval } from './approvals.ts';
import { command } from './extension.ts';
import { failureOf } from './failure.ts';
import type { Tapped } from './tap.ts';

/** One chat in the panel, as this command follows it. */
export type Chat = {
  panel: Page;
  approve: 'all' | 'none';
  /** What the panel and the worker say to each other, one after the other. */
  next: () => Promise<Tapped>;
  report: (conversationId: string, runId: string, event: RunEvent) => void;
  /** For what goes wrong while nobody waits for it. */
  fail: (error: unknown) => void;
};

export type Asked = { conversationId: string; reason: RunEndReason; error?: WireError };

/**
 * Types a question into the panel, sends it, and follows its run to the end.
 * @throws Failure when the extension refuses to start the run
 */
export async function ask(chat: Chat, text: string): Promise<Asked> {
  await chat.panel.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  // By a key: of two clicks in one place, one right after the other, the panel takes only the first.
  await chat.panel.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  const { conversationId, runId, before } = await untilAsked(chat);
  const answerApprovals = approver(chat);
  for (;;) {
    const tapped = before.shift() ?? (await chat.next());
    if (tapped.type === 'refused' && tapped.runId === runId) throw failureOf(tapped.error);
    if (tapped.type !== 'event') continue;
    const { event } = tapped;
    if (event.type === 'server_request') cancelRequest(chat, event.request).catch(chat.fail);
    if (event.type === 'run' && event.runId === runId) {
      chat.report(conversationId, runId, event.event);
      answerApprovals(event.event);
    }
    const end = endOf(event, runId);
    if (end) return { conversationId, ...end };
  }
}

/** @returns `before`: what was heard until then, which may be of this run already when much comes at once */
async function untilAsked({
  next,
}: Chat): Promise<{ conversationId: string; runId: string; before: Tapped[] }> {
  const before: Tapped[] = [];
  for (;;) {
    const tapped = await next();
    if (tapped.type === 'asked') return { ...tapped, before };
    before.push(tapped);
    if (tapped.type === 'event' && tapped.event.type === 'refused') throw failureOf(tapped.event.error);
  }
}

/** A server asks the person something in the middle of a call, and nobody is here who could answer. */
async function cancelRequest({ panel }: Chat, { id, serverName }: ServerRequest): Promise<void> {
  process.stderr.write(`portside: ${serverName} asked something; nobody is here, so it was cancelled.\n`);
  await command(panel, 'answerRequest', { requestId: id, action: 'cancel' });
}

/** Answers one approval after the other, in the order in which the panel shows them. */
function approver({ panel, approve, fail }: Chat): (event: RunEvent) => void {
  const waiting = new Set<string>();
  let pressing = Promise.resolve();
  return (event) => {
    if (event.type === 'approval_resolved') waiting.delete(event.callId);
    if (event.type !== 'approval_required') return;
    waiting.add(event.callId);
    pressing = pressing
      .then(() => pressApproval(panel, event, approve, () => !waiting.has(event.callId)))
      .catch(fail);
  };
}

/** From the run's last event, or from a snapshot when that event came while the panel's port was down. */
function endOf(event: PanelEvent, runId: string): Omit<Asked, 'conversationId'> | undefined {
  if (event.type === 'run' && event.runId === runId && event.event.type === 'run_end') {
    const { reason, error } = event.event;
    return { reason, ...(error && { error }) };
  }
  if (event.type !== 'snapshot') return undefined;
  const run = event.snapshot.runs.find(({ id, status }) => id === runId && status === 'ended');
  return run && { reason: run.reason ?? 'interrupted', ...(run.error && { error: run.error }) };
}
