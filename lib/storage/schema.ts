import type { DBSchema, IDBPDatabase } from 'idb';
import type { Intent } from '../protocol/attached.ts';
import type { Attachment } from '../types/attachment.ts';
import type { Message } from '../types/message.ts';
import type { ModelRow } from '../types/model.ts';
import type { Note } from '../types/note.ts';
import type { Project } from '../types/project.ts';
import type { Run, RunStatus } from '../types/run.ts';
import type { Schedule } from '../types/schedule.ts';
import type { Assistant, Conversation } from '../types/conversation.ts';
import type { SavedPrompt } from '../types/prompt.ts';
import type { Server } from '../types/server.ts';
import type { Grant } from '../types/tools/grant.ts';
import type { Tool } from '../types/tools/server-tool.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';
import type { Provider } from '../types/provider.ts';

/** Of one conversation: ids of messages that were written or removed; its own id: its title may be another, or it is gone. */
export type Unindexed = { conversationId: string; ids: string[] };

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
    indexes: {
      'by-updated': string;
      'by-pinned': string;
      'by-archived': string;
      'by-deleted': string;
      'by-project': [project: string, updatedAt: string];
    };
  };
  messages: {
    key: string;
    value: Message;
    indexes: {
      'by-place': [conversationId: string, seq: number, sub: number];
      'by-deleted': string;
      'by-file': string;
    };
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
  /** Attached files as they were, by `fileId`, for as long as an attachment refers to them (chats/attachments.ts). */
  files: { key: string; value: Blob };
  /**
   * What is searched: the words of one title, message or tool result. Its key is made of the time, negated, so that
   * the rows of one word come newest first, and short, since every word of the index holds it.
   */
  texts: {
    key: number;
    value: SearchedText;
    indexes: { 'by-word': string; 'by-conversation': string; 'by-id': string };
  };
  /** What has changed and is not in `texts` yet, oldest first (search/index.ts). */
  unindexed: { key: number; value: Unindexed };
  servers: { key: number; value: Server };
  tools: { key: [serverId: number, name: string]; value: Tool };
  providers: { key: number; value: Provider };
  models: { key: [providerId: number, id: string]; value: ModelRow };
  assistants: { key: number; value: Assistant };
  prompts: { key: number; value: SavedPrompt };
  schedules: { key: number; value: Schedule };
  notes: { key: number; value: Note };
  projects: { key: number; value: Project };
  grants: { key: [conversationId: string, serverId: number, toolName: string]; value: Grant };
  settings: { key: string; value: unknown };
  /** Keys and header values, encrypted (secrets/secret-store.ts). Nothing but the code that makes a request reads them. */
  secrets: { key: string; value: unknown };
  drafts: { key: string; value: string };
  intents: { key: string; value: Intent };
}

export type Database = IDBPDatabase<Schema>;

/** All keys of several parts of which this is the first. */
export const startingWith = (first: string | number): IDBKeyRange => IDBKeyRange.bound([first], [first, []]);
