import type { Run } from '../types.ts';
import type { Database } from './database.ts';

/** The runs that a starting worker must look after, oldest first. */
export async function unfinishedRuns(db: Database): Promise<Run[]> {
  const index = db.transaction('runs').store.index('by-status');
  const found = await Promise.all([index.getAll('working'), index.getAll('waiting'), index.getAll('queued')]);
  return found.flat().toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
}

/** The conversation's runs, oldest first. */
export function conversationRuns(db: Database, conversationId: string): Promise<Run[]> {
  return db.getAllFromIndex(
    'runs',
    'by-conversation',
    IDBKeyRange.bound([conversationId], [conversationId, []]),
  );
}
