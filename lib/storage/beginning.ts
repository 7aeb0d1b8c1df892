import type { Database } from './database.ts';
import { everyMessage } from './messages.ts';

/**
 * What a run that is asked for begins with, as it stands at one moment: the run, if it was asked for before, the
 * conversation, also a deleted one, and the message that it stands at.
 */
export async function loadBeginning(db: Database, runId: string, conversationId: string) {
  const tx = db.transaction(['runs', 'conversations', 'messages']);
  const messages = tx.objectStore('messages');
  const [known, before, last] = await Promise.all([
    tx.objectStore('runs').get(runId),
    tx.objectStore('conversations').get(conversationId),
    // Mostly it stands at its last message, which can be asked for without knowing which one that is.
    messages.index('by-place').openCursor(everyMessage(conversationId), 'prev'),
  ]);
  const leafId = before?.leafId ?? null;
  if (leafId === null) return { known, before };
  return { known, before, leaf: last?.value.id === leafId ? last.value : await messages.get(leafId) };
}
