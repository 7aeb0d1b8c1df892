import type { Database } from '../schema.ts';

/**
 * Removes the files that nothing refers to any more: no message, though a deleted one that can be restored, no draft and
 * nothing that is queued.
 */
export async function removeUnusedFiles(db: Database): Promise<void> {
  if ((await db.count('files')) === 0) return;
  const tx = db.transaction(['files', 'messages', 'attachments', 'runs'], 'readwrite');
  const [files, messages] = [tx.objectStore('files'), tx.objectStore('messages').index('by-file')];
  const [ids, drafted, queued] = await Promise.all([
    files.getAllKeys(),
    tx.objectStore('attachments').getAll(),
    tx.objectStore('runs').index('by-status').getAll('queued'),
  ]);
  const attached = [...drafted, ...queued.flatMap((run) => run.queued?.attachments ?? [])];
  const used = new Set(attached.map(({ fileId }) => fileId));
  const counts = await Promise.all(ids.map((id) => (used.has(id) ? 1 : messages.count(id))));
  await Promise.all([...ids.filter((_id, at) => counts[at] === 0).map((id) => files.delete(id)), tx.done]);
}
