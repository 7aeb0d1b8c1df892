import type { WireError } from '../types/error.ts';
import type { StarterId } from '../types/starter.ts';
import type { SyncFault, SyncPlace } from '../types/sync.ts';
import type { ServerInput } from './servers.ts';
import type { Message } from '../types/message.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';

/** What is kept, taken along and brought back. */
export type DataCommands = {
  /**
   * Chats as text, as many at a time as a message can carry; joined, the texts are the file. `lines`: what is shown of
   * them, each line a `ChatLine` as JSON; a page of them ends with a line. `ids`: these alone; `after`: what the page
   * before gave as `next`. `project`: the key of one, which comes first, with its chats.
   * `openai`: one chat a line, `{title, messages}` as the OpenAI API takes them.
   */
  exportChats(request: {
    format: 'lines' | 'json' | 'openai';
    ids?: string[];
    project?: string;
    after?: string;
  }): {
    text: string;
    next?: string;
  };
  /**
   * Adds chats of a Portside export, and `{project}`, or `{messages}` as the OpenAI API takes them, and says what came of each. One that is
   * here already gets the messages that it lacks (`updated`), if it lacks any; nothing else of it changes. One that can't
   * be added (`bad_import`) keeps none of the others out. `from`: the program of each, as its importer is named.
   */
  importChats(request: { chats: unknown[]; from?: string[] }): {
    outcomes: (ImportOutcome | ProjectOutcome | { error: WireError })[];
  };
  exportSettings(): { text: string };
  /**
   * Adds what an export of the settings holds; nothing is overwritten, servers land switched off. Where texts of it would
   * be sent for the user, nothing is added before the user was `shown` exactly these.
   * `key`: what the file calls the server. @throws AppError `bad_import`
   */
  importSettings(request: {
    text: string;
    servers: { key: string; input: ServerInput }[];
    shown?: FileText[];
  }): { type: 'to_show'; texts: FileText[] } | ({ type: 'added' } & AddedSettings);
  storageUsed(): StorageUsed;
  /**
   * `results`: of calls older than 30 days; chats keep what their model read. `database`: one that can't be opened, to begin
   * another. `damaged`: the rows that can't be shown, of chats only what is wrong in them. @returns the count of chats,
   * results or rows
   */
  erase(request: { what: 'results' | 'chats' | 'everything' | 'database' | 'damaged' }): { count: number };
  /**
   * Begins the sync of chats with the user's other machines (docs/sync.md), if the store can be reached and the passphrase
   * is the store's; the first one to come gives it one.
   */
  setUpSync(request: { place: SyncPlace; password: string; passphrase: string }): { fault?: SyncFault };
  /** Resolves when it is over; how it went is in the set-up. */
  syncNow(): void;
  pauseSync(request: { paused: boolean }): void;
  removeSync(): void;
  /** Settings and saved prompts by the browser's own sync. */
  setBrowserSync(request: { on: boolean }): void;
};

export type ImportOutcome = { conversationId: string; outcome: 'new' | 'updated' | 'known' };

/** Of a project, which is switched off. */
export type ProjectOutcome = { projectId: number; outcome: 'new' | 'known' };

/** How much of a file of the settings was added. */
export type AddedSettings = { servers: number; providers: number; prompts: number };

/**
 * A text in a file of the settings that would be sent as the system's or the user's: a system prompt, of all chats or of
 * an assistant, a starter, a saved prompt, a note. `name`: of the assistant or the prompt, the starter's id, or what a note came from. `invisible`: how
 * many characters were taken out of it.
 */
export type FileText = { text: string; invisible: number } & (
  | { type: 'system' }
  | { type: 'note'; name?: string }
  | { type: 'starter'; name: StarterId }
  | { type: 'assistant' | 'prompt'; name: string }
);

/** Bytes, about. `quota`: what the browser allows. */
export type StorageUsed = {
  chats: number;
  results: number;
  attachments: number;
  total: number;
  quota: number;
  conversations: number;
  /** What `erase` of old results would free. */
  oldResults: number;
};

/** What an export for people is made of: how a chat begins, then each message of the branch that is shown. */
export type ChatLine =
  | { type: 'chat'; title: string; createdAt: string }
  | ({ type: 'message' } & MessageLine);

export type MessageLine = Pick<Message, 'role' | 'timestamp' | 'status' | 'content'> & {
  model?: string;
  reasoning?: string;
  /** Titles of what went with it. */
  attached: string[];
  calls: CallLine[];
};

/** `arguments`: as they were sent; `result`: the text; `pictures`: how many came with it. */
export type CallLine = Pick<ToolCall, 'toolName' | 'serverName' | 'status' | 'arguments'> & {
  result?: string;
  pictures: number;
};
