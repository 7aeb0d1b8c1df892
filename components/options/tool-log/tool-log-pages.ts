import type { LoggedCall } from '../../../lib/protocol/tools.ts';
import type { ConversationState } from '../../../lib/types/conversation.ts';

/** The part of the log that is shown, newest first. */
export type Listed = { calls: LoggedCall[]; hasMore: boolean };

/** The list with its first page read again: what is new comes on top, what was loaded behind that page stays. */
export function withFirstPage(listed: Listed, first: Listed): Listed {
  const last = first.calls.at(-1);
  const end = listed.calls.findIndex(({ callId }) => callId === last?.callId);
  // So many new ones that the old ones begin somewhere behind this page.
  if (!first.hasMore || end === -1) return first;
  return { calls: [...first.calls, ...listed.calls.slice(end + 1)], hasMore: listed.hasMore };
}

/** The list with one more page. */
export function withNextPage(listed: Listed, next: Listed): Listed {
  const known = new Set(listed.calls.map(({ callId }) => callId));
  return {
    calls: [...listed.calls, ...next.calls.filter(({ callId }) => !known.has(callId))],
    hasMore: next.hasMore,
  };
}

/**
 * Whether the list may change by itself soon. A chat that waits for the user counts: beside the call that waits, others of
 * the same message go on.
 */
export function isLive(chats: Iterable<ConversationState>, calls: LoggedCall[]): boolean {
  return (
    [...chats].some((state) => state !== 'failed') ||
    calls.some(({ status }) => status === 'running' || status === 'approved')
  );
}
