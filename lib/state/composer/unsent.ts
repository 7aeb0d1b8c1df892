import type { Request } from '../../protocol/commands.ts';
import { readList, type TextStore } from './kept-answers.ts';

/** What was sent, and under which id it is a draft. */
export type Sent = { request: Request<'startRun'>; savedAs: string };

type UnsentMessage = Sent & { at: string; windowId?: number };

const KEY = 'unsent';
/** After this time no open page waits for the answer any more. */
const ABANDONED_MS = 10_000;

/**
 * What was sent and has no answer of the worker yet, in the page's own storage, which takes it at once: when a page closes
 * before the worker has started, the browser drops what the page said to it.
 * @param now ISO 8601
 */
export function createUnsent(store: TextStore | null, now: () => string) {
  const entries = (): UnsentMessage[] => readList(store?.getItem(KEY) ?? null) as UnsentMessage[];
  function write(next: UnsentMessage[]): void {
    try {
      store?.setItem(KEY, JSON.stringify(next));
    } catch (error) {
      console.warn('A message is sent without a copy of it.', error); // larger than the storage: 5 MB
    }
  }
  return {
    put: (sent: Sent, windowId: number | undefined): void =>
      write([...entries(), { at: now(), ...(windowId !== undefined && { windowId }), ...sent }]),
    /** The worker has answered. */
    drop: (runId: string): void => write(entries().filter(({ request }) => request.runId !== runId)),
    /** What pages of this window have left behind, and those of any other a while ago. */
    left: (windowId: number | undefined): Sent[] =>
      entries().filter(
        (entry) => entry.windowId === windowId || Date.parse(now()) - Date.parse(entry.at) > ABANDONED_MS,
      ),
  };
}

export type Unsent = ReturnType<typeof createUnsent>;
