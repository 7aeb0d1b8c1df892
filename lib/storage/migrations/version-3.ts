import type { Upgrade, Upgraded } from './version-2.ts';

/** Version 3: attachments of drafts; the tool log in the order of its calls. */
export async function upgradeToVersion3(db: Upgraded, tx: Upgrade): Promise<void> {
  db.createObjectStore('attachments', { keyPath: 'id' }).createIndex('by-conversation', 'conversationId');
  const calls = tx.objectStore('toolCalls');
  calls.createIndex('by-created', ['createdAt', 'callId']);
  const messages = tx.objectStore('messages');
  for (let cursor = await calls.openCursor(); cursor; cursor = await cursor.continue()) {
    const message = await messages.get(cursor.value.messageId);
    await cursor.update({
      ...cursor.value,
      createdAt: message?.timestamp ?? cursor.value.startedAt ?? new Date(0).toISOString(),
    });
  }
}
