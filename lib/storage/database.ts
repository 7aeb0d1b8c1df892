import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Intent } from '../protocol.ts';
import type { Conversation, Message, Provider, Run, RunStatus, Server, Tool, ToolCall } from '../types.ts';

/** The stores (architecture.md, "Data"). Arrays in key paths keep a conversation's rows together and in order. */
export interface Schema extends DBSchema {
  conversations: { key: string; value: Conversation; indexes: { 'by-updated': string } };
  messages: {
    key: string;
    value: Message;
    indexes: { 'by-place': [conversationId: string, seq: number, sub: number] };
  };
  runs: {
    key: string;
    value: Run;
    indexes: { 'by-status': RunStatus; 'by-conversation': [conversationId: string, startedAt: string] };
  };
  toolCalls: {
    key: string;
    value: ToolCall;
    indexes: { 'by-message': [messageId: string, position: number]; 'by-conversation': string };
  };
  servers: { key: number; value: Server };
  tools: { key: [serverId: number, name: string]; value: Tool };
  providers: { key: number; value: Provider };
  settings: { key: string; value: unknown };
  /** Keys and header values. Nothing but the code that makes a request reads them. */
  secrets: { key: string; value: unknown };
  drafts: { key: string; value: string };
  intents: { key: string; value: Intent & { createdAt: string } };
}

export type Database = IDBPDatabase<Schema>;

const VERSION = 1;

/**
 * Opens the database, upgrading it from any released version.
 * @param name only tests choose another one
 */
export function openDatabase(name = 'portside'): Promise<Database> {
  return openDB<Schema>(name, VERSION, {
    upgrade(db, from) {
      if (from < 1) createVersion1(db);
    },
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close(); // a newer Portside wants to upgrade: let it
    },
  });
}

function createVersion1(db: Database): void {
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
