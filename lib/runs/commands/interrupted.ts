import type { JournalEntry } from '../../storage/chats/journal.ts';
import type { RunStore } from '../../storage/chats/run-store.ts';
import type { WireError } from '../../types/error.ts';
import type { Run } from '../../types/run.ts';
import type { Conversation } from '../../types/setup.ts';
import type { ToolCall } from '../../types/tool.ts';
import { withoutRetry } from '../record.ts';
import { t } from '../../../locales/texts/errors.ts';

/** A run that was picked up this often without getting a step further is given up. */
const MAX_RESUMES = 3;
const MAX_STALL_MS = 10 * 60_000;

const stalled = (): WireError => ({
  code: 'run_stalled',
  ...t(($) => $.errors.chat.stalled),
  retryable: true,
});

export const overtaken = (run: Run): Run => ({
  ...withoutRetry(run),
  status: 'ended',
  reason: 'interrupted',
});

/**
 * What to write down instead of picking the run up once more, when it does not get on; undefined while it may.
 * One that waits for the user is never given up: what it waits for would be lost. A task may take as long as it likes, and
 * the browser may be closed meanwhile.
 * @param now milliseconds since the epoch
 */
export async function givenUp(
  store: RunStore,
  conversation: Conversation,
  run: Run,
  now: number,
): Promise<JournalEntry | undefined> {
  const isStalled = now - Date.parse(run.progressAt) > MAX_STALL_MS;
  if (run.resumes < MAX_RESUMES && !isStalled) return undefined;
  const leaf = run.leafId === null ? undefined : await store.message(run.leafId);
  const open = (leaf ? await store.calls([leaf]) : []).filter(({ result }) => result === undefined);
  if (open.some(({ wait }) => wait !== undefined)) return undefined;
  const mayResume = run.resumes < MAX_RESUMES;
  if (mayResume && open.some(({ task }) => task !== undefined)) return undefined;
  return interrupted(store, conversation, run, open, mayResume ? stalled() : undefined);
}

/**
 * What streamed in stays as a partial answer; a call that was cut off is `unknown`. Continue goes on from there, and
 * asks about it.
 * @param error why, where it is not that the browser ended it again and again
 */
async function interrupted(
  store: RunStore,
  conversation: Conversation,
  run: Run,
  open: ToolCall[],
  error: WireError | undefined,
): Promise<JournalEntry> {
  const broken = await store.streaming(run);
  const leafId = broken?.id ?? run.leafId;
  const ended = { status: 'ended', reason: 'interrupted', leafId, ...(error && { error }) } as const;
  return {
    run: { ...withoutRetry(run), ...ended },
    conversation: { ...conversation, leafId, failed: true },
    ...(broken && { message: { ...broken, status: 'partial' } }),
    calls: open.filter(({ status }) => status === 'running').map((call) => ({ ...call, status: 'unknown' })),
  };
}
