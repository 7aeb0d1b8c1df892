import type { Snapshot } from '../../lib/protocol/panel.ts';
import type { Runs } from '../../lib/runs/runs.ts';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import { loadPath } from '../../lib/storage/messages.ts';
import { outline } from '../fakes/rows.ts';
import { runEvent } from '../fakes/worker.ts';

export const ended = runEvent('run_end');

/** A database that nothing was written to. */
export function freshDatabase(): Promise<Database> {
  return openDatabase(crypto.randomUUID());
}

export async function snapshotOf(runs: Runs): Promise<Snapshot> {
  const { promise, resolve } = Promise.withResolvers<Snapshot>();
  await runs.snapshot('c1', resolve);
  return promise;
}

/** Every message on disk, in order, whatever its branch. */
export async function stored(db: Database): Promise<string[]> {
  return outline(await db.getAllFromIndex('messages', 'by-place'));
}

/** The messages of the branch that the conversation `c1` shows. */
export async function branch(db: Database): Promise<string[]> {
  const leafId = (await db.get('conversations', 'c1'))?.leafId ?? null;
  return outline(await loadPath(db, 'c1', leafId));
}
