import type { IDBPCursorWithValue, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { Run } from '../../types/run.ts';
import type { ChatChoice } from '../../types/conversation.ts';
import type { Tool } from '../../types/tools/server-tool.ts';
import type { Schema } from '../schema.ts';

export type Upgraded = IDBPDatabase<Schema>;
export type Upgrade = IDBPTransaction<Schema, StoreNames<Schema>[], 'versionchange'>;

/** A run's row as version 1 wrote it. */
type Run1 = Run & { queuedText?: string; queuedMessageId?: string };

/**
 * Version 2: models, assistants and grants; how a chat is asked; what is queued in an order of its own. A tool's `ask`
 * was every tool's default in version 1 and no choice of the user's.
 */
export async function upgradeToVersion2(db: Upgraded, tx: Upgrade): Promise<void> {
  db.createObjectStore('models', { keyPath: ['providerId', 'id'] });
  db.createObjectStore('assistants', { keyPath: 'id', autoIncrement: true });
  db.createObjectStore('grants', { keyPath: ['conversationId', 'serverId', 'toolName'] });

  await change(tx, 'providers', (row) => ({ ...row, preset: 'custom' as const, headerNames: [] }));
  await change(tx, 'servers', (row) => ({ ...row, trusted: false, oneAtATime: false }));
  await change(tx, 'conversations', (row) => ({ ...row, model: null, settings: {} }));
  await change(tx, 'tools', withoutAsk);
  await upgradeRuns(tx);

  const settings = tx.objectStore('settings');
  const providerId = await settings.get('defaultProviderId');
  if (typeof providerId === 'number') {
    const choice: ChatChoice = { providerId, model: null, settings: {} };
    await settings.put(choice, 'newChat');
  }
  await settings.delete('defaultProviderId');
}

/** Rewrites every row of a store. */
async function change<Name extends 'providers' | 'servers' | 'conversations' | 'tools'>(
  tx: Upgrade,
  store: Name,
  upgraded: (row: Schema[Name]['value']) => Schema[Name]['value'],
): Promise<void> {
  type Cursor = IDBPCursorWithValue<Schema, StoreNames<Schema>[], Name, unknown, 'versionchange'>;
  let cursor = (await tx.objectStore(store).openCursor()) as Cursor | null;
  while (cursor) {
    await cursor.update(upgraded(cursor.value));
    cursor = (await cursor.continue()) as Cursor | null;
  }
}

function withoutAsk({ permission, ...tool }: Tool): Tool {
  return permission === undefined || permission === 'ask' ? tool : { ...tool, permission };
}

/** The queue went by the time at which a message was sent. */
async function upgradeRuns(tx: Upgrade): Promise<void> {
  let order = 0;
  let cursor = await tx.objectStore('runs').index('by-conversation').openCursor();
  while (cursor) {
    const { queuedText: text, queuedMessageId, ...run }: Run1 = cursor.value;
    if (text !== undefined) {
      const id = queuedMessageId ?? `${run.id}.message`;
      await cursor.update({ ...run, queued: { id, text, order: order++, steer: false } });
    }
    cursor = await cursor.continue();
  }
}
