import { useEffect, useRef, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { ToolLogQuery, LoggedCall } from '../../../lib/protocol/tools.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { useSetupState } from '../options-context.ts';
import { useAction } from '../form/use-action.ts';
import type { ConversationState } from '../../../lib/types/conversation.ts';

/** While calls run and the page is visible. */
const REFRESH_MS = 2000;
/** Debounces the query. */
const TYPING_MS = 200;

/**
 * The calls that fit a query, kept as they are: read again when something begins, waits or ends in a chat, and every
 * two seconds while a run works or waits.
 */
export function useToolLog(query: ToolLogQuery) {
  const { command, goingOn } = useSetupState();
  /** null until it is known. */
  const [listed, setListed] = useState<Listed | null>(null);
  const [error, setError] = useState<WireError | null>(null);
  const reading = useAction();
  const { text = '', serverId, status, callId } = query;
  const filter: ToolLogQuery = {
    ...(text.trim() !== '' && { text }),
    ...(serverId !== undefined && { serverId }),
    ...(status !== undefined && { status }),
    ...(callId !== undefined && { callId }),
  };
  const key = JSON.stringify(filter);
  const current = useRef(key);
  current.current = key;

  async function read(isNew: boolean): Promise<void> {
    try {
      const first = await command('toolLog', filter);
      if (current.current !== key) return;
      setListed((before) => (isNew || !before ? first : withFirstPage(before, first)));
      setError(null);
    } catch (failure) {
      if (current.current === key) setError(toWire(failure));
    }
  }

  const chats = goingOn.value;
  const isFirst = useRef(true);
  useEffect(() => {
    reading.stop();
    const timer = setTimeout(() => void read(true), isFirst.current ? 0 : TYPING_MS);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [key]);
  useEffect(() => {
    if (listed) void read(false);
  }, [chats]);
  const live = isLive(chats.values(), listed?.calls ?? []);
  useEffect(() => {
    if (!live) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void read(false);
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [live, key]);

  /** Reads one more page. */
  const more = (): void =>
    reading.run(async (isWanted) => {
      const before = listed?.calls.at(-1)?.callId;
      const next = await command('toolLog', { ...filter, ...(before !== undefined && { before }) });
      if (isWanted()) setListed((known) => (known ? withNextPage(known, next) : next));
    });
  return { listed, error: error ?? reading.error, more, isReadingMore: reading.busy };
}

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
