import type { Snapshot } from '../../lib/protocol/panel.ts';
import type { Runs } from '../../lib/runs/runs.ts';
import { chatFrom, withRows } from '../../lib/state/chat/chat.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { loadPath } from '../../lib/storage/chats/messages.ts';
import { outline } from '../fakes/rows.ts';
import { runEvent, type Told } from '../fakes/worker.ts';

export const ended = runEvent('run_end');

/** A database that nothing was written to. */
export function freshDatabase(): Promise<Database> {
  return openDatabase(crypto.randomUUID());
}

/** What a panel gets that opens now. */
export async function snapshotOf(runs: Runs, id = 'c1'): Promise<Snapshot> {
  const { promise, resolve } = Promise.withResolvers<Snapshot>();
  await runs.snapshot(id, ({ snapshot, since }) => {
    const { calls, ...chat } = since.reduce((before, { rows }) => withRows(before, rows), chatFrom(snapshot));
    resolve({ ...snapshot, ...chat, toolCalls: Object.values(calls) });
  });
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

/** The texts that were queued and went back into the draft, as subscribers were told. */
export const unsent = (sent: Told[]): string[] =>
  sent.flatMap((event) =>
    event.type === 'run_changed' && event.run.unsent ? [event.run.queued?.text ?? ''] : [],
  );
