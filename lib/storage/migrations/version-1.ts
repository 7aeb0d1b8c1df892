import type { IDBPDatabase } from 'idb';
import type { Schema } from '../schema.ts';

/** Version 1: the first one, made from nothing. */
export function createVersion1(db: IDBPDatabase<Schema>): void {
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
