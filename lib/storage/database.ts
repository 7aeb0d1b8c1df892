import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Intent } from '../protocol/attached.ts';
import type { Attachment } from '../types/attachment.ts';
import type { Message } from '../types/message.ts';
import type { ModelRow } from '../types/model.ts';
import type { Run, RunStatus } from '../types/run.ts';
import type { Assistant, Conversation, Grant, Provider, SavedPrompt, Server, Tool } from '../types/setup.ts';
import type { ToolCall } from '../types/tool.ts';
import type { Unindexed } from './search/unindexed.ts';
import { upgradeToVersion2 } from './migrations/version-2.ts';
import { upgradeToVersion3 } from './migrations/version-3.ts';
import { upgradeToVersion4 } from './migrations/version-4.ts';

/** `id`: the conversation's for a title, else the message's, a tool's for a result. `words`: each once, folded. */
export type SearchedText = {
  place: number;
  id: string;
  conversationId: string;
  kind: 'title' | 'message' | 'result';
  words: string[];
};

/** The stores (architecture.md, "Data"). Arrays in key paths keep a conversation's rows together and in order. */
export interface Schema extends DBSchema {
  conversations: {
    key: string;
    value: Conversation;
    indexes: { 'by-updated': string; 'by-pinned': string; 'by-archived': string; 'by-deleted': string };
  };
  messages: {
    key: string;
    value: Message;
    indexes: { 'by-place': [conversationId: string, seq: number, sub: number]; 'by-deleted': string };
  };
  runs: {
    key: string;
    value: Run;
    indexes: { 'by-status': RunStatus; 'by-conversation': [conversationId: string, startedAt: string] };
  };
  toolCalls: {
    key: string;
    value: ToolCall;
    indexes: {
      'by-message': [messageId: string, position: number];
      'by-conversation': string;
      'by-created': [createdAt: string, callId: string];
    };
  };
  /** Of drafts: a sent message holds its own. */
  attachments: {
    key: string;
    value: Attachment & { conversationId: string };
    indexes: { 'by-conversation': string };
  };
  /**
   * What is searched: the words of one title, message or tool result. Its key is made of the time, negated, so that
   * the rows of one word come newest first, and short, since every word of the index holds it.
   */
  texts: {
    key: number;
    value: SearchedText;
    indexes: { 'by-word': string; 'by-conversation': string; 'by-id': string };
  };
  /** What has changed and is not in `texts` yet, oldest first (unindexed.ts). */
  unindexed: { key: number; value: Unindexed };
  servers: { key: number; value: Server };
  tools: { key: [serverId: number, name: string]; value: Tool };
  providers: { key: number; value: Provider };
  models: { key: [providerId: number, id: string]; value: ModelRow };
  assistants: { key: number; value: Assistant };
  prompts: { key: number; value: SavedPrompt };
  grants: { key: [conversationId: string, serverId: number, toolName: string]; value: Grant };
  settings: { key: string; value: unknown };
  /** Keys and header values. Nothing but the code that makes a request reads them. */
  secrets: { key: string; value: unknown };
  drafts: { key: string; value: string };
  intents: { key: string; value: Intent };
}

export type Database = IDBPDatabase<Schema>;

const VERSION = 4;

/**
 * Opens the database, upgrading it from any released version.
 * @param name only tests choose another one
 */
export function openDatabase(name = 'portside'): Promise<Database> {
  return openDB<Schema>(name, VERSION, {
    async upgrade(db, from, _to, tx) {
      if (from < 1) createVersion1(db);
      if (from < 2) await upgradeToVersion2(db, tx);
      if (from < 3) await upgradeToVersion3(db, tx);
      if (from < 4) await upgradeToVersion4(db, tx);
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
