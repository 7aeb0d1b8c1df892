import type { IDBPCursorWithValue, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { ChatChoice } from '../types/conversation.ts';
import type { Run } from '../types/run.ts';
import type { Tool } from '../types/tools/server-tool.ts';
import { NONCE } from './chats/nonce.ts';
import type { Schema } from './schema.ts';
import { noteChanged } from './search/index.ts';
import { putSecret } from './secrets/secret-store.ts';

type Upgraded = IDBPDatabase<Schema>;
type Upgrade = IDBPTransaction<Schema, StoreNames<Schema>[], 'versionchange'>;

/**
 * What makes a database of each version one of the next. A new version of the schema is a function and a line here, with a
 * fixture of the version before it in tests/storage/migrations.
 */
export const migrations: ((db: Upgraded, tx: Upgrade) => Promise<void> | void)[] = [
  createVersion1,
  upgradeToVersion2,
  upgradeToVersion3,
  upgradeToVersion4,
  upgradeToVersion5,
  upgradeToVersion6,
  upgradeToVersion7,
  upgradeToVersion8,
  upgradeToVersion9,
  upgradeToVersion10,
];

/** Version 1: the first one, made from nothing. */
function createVersion1(db: Upgraded): void {
  db.createObjectStore('conversations', { keyPath: 'id' }).createIndex('by-updated', 'updatedAt');
  db.createObjectStore('messages', { keyPath: 'id' }).createIndex('by-place', [
    'conversationId',
    'seq',
    'sub',
  ]);
  const runs = db.createObjectStore('runs', { keyPath: 'id' });
  runs.createIndex('by-status', 'status');
  runs.createIndex('by-conversation', ['conversationId', 'startedAt']);
  const calls = db.createObjectStore('toolCalls', { keyPath: 'callId' });
  calls.createIndex('by-message', ['messageId', 'position']);
  calls.createIndex('by-conversation', 'conversationId');
  db.createObjectStore('servers', { keyPath: 'id', autoIncrement: true });
  db.createObjectStore('tools', { keyPath: ['serverId', 'name'] });
  db.createObjectStore('providers', { keyPath: 'id', autoIncrement: true });
  db.createObjectStore('settings');
  db.createObjectStore('secrets');
  db.createObjectStore('drafts');
  db.createObjectStore('intents', { keyPath: 'id' });
}

/** A run's row as version 1 wrote it. */
type Run1 = Run & { queuedText?: string; queuedMessageId?: string };

/**
 * Version 2: models, assistants and grants; how a chat is asked; what is queued in an order of its own. A tool's `ask`
 * was every tool's default in version 1 and no choice of the user's.
 */
async function upgradeToVersion2(db: Upgraded, tx: Upgrade): Promise<void> {
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

/** Version 3: attachments of drafts; the tool log in the order of its calls. */
async function upgradeToVersion3(db: Upgraded, tx: Upgrade): Promise<void> {
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

/**
 * Version 4: what is searched, which the rows that are there were to be added to in the background; saved prompts; chats
 * that are pinned, archived or deleted, and deleted messages.
 */
async function upgradeToVersion4(db: Upgraded, tx: Upgrade): Promise<void> {
  const texts = db.createObjectStore('texts', { keyPath: 'place' });
  texts.createIndex('by-word', 'words', { multiEntry: true });
  texts.createIndex('by-conversation', 'conversationId');
  texts.createIndex('by-id', 'id');
  db.createObjectStore('unindexed', { autoIncrement: true });
  db.createObjectStore('prompts', { keyPath: 'id', autoIncrement: true });
  const conversations = tx.objectStore('conversations');
  conversations.createIndex('by-pinned', 'pinnedAt');
  conversations.createIndex('by-archived', 'archivedAt');
  conversations.createIndex('by-deleted', 'deletedAt');
  tx.objectStore('messages').createIndex('by-deleted', 'deletedAt');
  await tx.objectStore('settings').put({ store: 'conversations', after: '' }, 'searchBackfill');
}

/** Until version 5: how far the search had got with the rows from before there was one; absent when it was done. */
const BACKFILL = 'searchBackfill';

/** Version 5: rows from before there was a search are changes, which the index catches up with as with any others. */
async function upgradeToVersion5(_db: Upgraded, tx: Upgrade): Promise<void> {
  const settings = tx.objectStore('settings');
  if ((await settings.get(BACKFILL)) === undefined) return;
  await settings.delete(BACKFILL);
  const places = tx.objectStore('messages').index('by-place');
  for (const id of await tx.objectStore('conversations').getAllKeys()) {
    const messageIds = await places.getAllKeys(IDBKeyRange.bound([id], [id, []]));
    await noteChanged(tx.objectStore('unindexed'), id, [id, ...messageIds]);
  }
}

/** Version 6: secrets are encrypted. The upgrade is one transaction: all of them, or none. */
async function upgradeToVersion6(_db: Upgraded, tx: Upgrade): Promise<void> {
  const secrets = tx.objectStore('secrets');
  for (const name of await secrets.getAllKeys())
    if (name !== NONCE) await putSecret(secrets, await secrets.get(name), name);
}

/** Version 7: attached files as they were, and which messages refer to them. Of files from before there is no such. */
function upgradeToVersion7(db: Upgraded, tx: Upgrade): void {
  db.createObjectStore('files');
  tx.objectStore('messages').createIndex('by-file', 'files', { multiEntry: true });
}

/** Version 8: prompts that are asked by a schedule. */
function upgradeToVersion8(db: Upgraded): void {
  db.createObjectStore('schedules', { keyPath: 'id', autoIncrement: true });
}

/** Version 9: notes for models to know. */
function upgradeToVersion9(db: Upgraded): void {
  db.createObjectStore('notes', { keyPath: 'id', autoIncrement: true });
}

/** Version 10: projects, and their chats by when they were used. */
function upgradeToVersion10(db: Upgraded, tx: Upgrade): void {
  db.createObjectStore('projects', { keyPath: 'id', autoIncrement: true });
  tx.objectStore('conversations').createIndex('by-project', ['project', 'updatedAt']);
}
