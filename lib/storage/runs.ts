import type { Run } from '../types/run.ts';
import type { Database } from './database.ts';

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

/**
 * What a panel shows of the conversation's runs: those that have not ended and the one that ended last, oldest first, the queue in its order.
 * A run that was queued and never began of its own is not how the conversation stands.
 */
export async function shownRuns(db: Database, conversationId: string): Promise<Run[]> {
  const unfinished = (await unfinishedRuns(db)).filter((run) => run.conversationId === conversationId);
  const live = unfinished.filter(({ status }) => status !== 'queued');
  const queued = await queuedRuns(db, conversationId);
  const all = IDBKeyRange.bound([conversationId], [conversationId, []]);
  let cursor = await db.transaction('runs').store.index('by-conversation').openCursor(all, 'prev');
  while (cursor && (cursor.value.status !== 'ended' || cursor.value.queued !== undefined)) {
    cursor = await cursor.continue();
  }
  return [...(cursor ? [cursor.value] : []), ...live, ...queued];
}
