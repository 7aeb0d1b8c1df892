import type { Message } from '../../types/message.ts';
import type { Run } from '../../types/run.ts';
import type { Conversation } from '../../types/conversation.ts';
import { type Database, startingWith } from '../schema.ts';

/** A panel shows the errors of so many runs that ended before the last one. */
const MOST_ENDED = 30;

/** The runs that a starting worker must look after, oldest first. */
export async function unfinishedRuns(db: Database): Promise<Run[]> {
  const index = db.transaction('runs').store.index('by-status');
  const found = await Promise.all([index.getAll('working'), index.getAll('waiting'), index.getAll('queued')]);
  return found.flat().toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
}

/** The conversation's queued runs, in the order in which they are sent. */
export async function queuedRuns(db: Database, conversationId: string): Promise<Run[]> {
  const queued = await db.getAllFromIndex('runs', 'by-status', 'queued');
  return queued
    .filter((run) => run.conversationId === conversationId)
    .toSorted((a, b) => (a.queued?.order ?? 0) - (b.queued?.order ?? 0));
}

/** The conversation's run that ended last. One that was queued and never began of its own is not how it stands. */
export async function lastEndedRun(db: Database, conversationId: string): Promise<Run | undefined> {
  const all = startingWith(conversationId);
  let cursor = await db.transaction('runs').store.index('by-conversation').openCursor(all, 'prev');
  while (cursor && (cursor.value.status !== 'ended' || cursor.value.queued !== undefined)) {
    cursor = await cursor.continue();
  }
  return cursor?.value;
}

/**
 * What a panel shows of the conversation's runs: those that have not ended, those that ended at one of the messages
 * shown, and last of these the one that the branch ended with; oldest first, the queue in its order. Among them, though
 * it shows them no more, are those whose message went back into the draft: its composer may lack the text.
 */
export async function shownRuns(
  db: Database,
  { id, leafId }: Pick<Conversation, 'id' | 'leafId'>,
  shown: Message[],
): Promise<Run[]> {
  const unfinished = (await unfinishedRuns(db)).filter((run) => run.conversationId === id);
  const live = unfinished.filter(({ status }) => status !== 'queued');
  const queued = await queuedRuns(db, id);
  const last = await endedAt(db, id, leafId);
  const ended = (await endedSince(db, id, shown)).filter((run) => !last.some((other) => other.id === run.id));
  return [...ended, ...last, ...live, ...queued];
}

/** Runs that ended at one of these messages, or unsent since, oldest first, of the last `MOST_ENDED` of the conversation. */
async function endedSince(db: Database, id: string, shown: Message[]): Promise<Run[]> {
  const ids = new Set(shown.map((message) => message.id));
  const since = IDBKeyRange.bound([id, shown[0]?.timestamp ?? []], [id, []]);
  const found: Run[] = [];
  let cursor = await db.transaction('runs').store.index('by-conversation').openCursor(since, 'prev');
  for (let left = MOST_ENDED; cursor && left > 0; left--) {
    const { status, queued, leafId, unsent } = cursor.value;
    const isShown = unsent ?? (queued === undefined && ids.has(leafId ?? ''));
    if (status === 'ended' && isShown) found.unshift(cursor.value);
    cursor = await cursor.continue();
  }
  return found;
}

/** How the branch came to its end: the last run, if it ended there, else the one that wrote its last message. */
async function endedAt(db: Database, id: string, leafId: string | null): Promise<Run[]> {
  const last = await lastEndedRun(db, id);
  if (last?.leafId === leafId) return [last];
  const leaf = leafId === null ? undefined : await db.get('messages', leafId);
  const run = leaf && 'runId' in leaf ? await db.get('runs', leaf.runId) : undefined;
  return run?.conversationId === id && run.status === 'ended' && run.leafId === leafId ? [run] : [];
}
