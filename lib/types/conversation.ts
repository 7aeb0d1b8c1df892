import type { UsageTotal } from './message.ts';
import type { ChatSettings } from './model.ts';

/** Which model a chat asks, and how. */
export type ChatChoice = {
  providerId: number | null;
  /** The provider's name of the model; null: the provider's own first choice. */
  model: string | null;
  settings: ChatSettings;
  /** Absent: every tool as it is set for all chats. */
  tools?: ToolOverrides;
  /** The key of its project (lib/types/project.ts), which may be gone. */
  project?: string | null;
};

/**
 * What a chat has on or off, whatever holds for all chats: by a tool's offered name, or by `mcp__{serverId}` for all of
 * a server's. What is absent is inherited; a tool's own entry goes before its server's.
 */
export type ToolOverrides = Record<string, boolean>;

/** What changes in a chat's overrides; null: inherited from now on. */
export type ToolChanges = Record<string, boolean | null>;

export function withChanges(overrides: ToolOverrides | undefined, changes: ToolChanges): ToolOverrides {
  const all = Object.entries({ ...overrides, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, boolean] => entry[1] !== null));
}

/** Says nothing of any of them any more. */
export const inheritAll = (overrides: ToolOverrides = {}): ToolChanges =>
  Object.fromEntries(Object.keys(overrides).map((key) => [key, null]));

/** A change of what a chat is asked: its choice of tools in part, whatever else is given as a whole. */
export type ChatChange = Partial<Omit<ChatChoice, 'tools'>> & { tools?: ToolChanges };

export type Conversation = ChatChoice & {
  id: string;
  title: string;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  /** The last message on the current branch. */
  leafId: string | null;
  usage?: UsageTotal;
  /** Its last run ended with an error, or was given up. */
  failed?: true;
  /** Whose title it is; absent: the beginning of the first message, until there is a better one. */
  titledBy?: 'model' | 'person';
  /** ISO 8601, of when that was done. One that is deleted is kept until it can't be restored any more. */
  pinnedAt?: string;
  archivedAt?: string;
  deletedAt?: string;
  /** It came from a file: anyone may have written any of it. */
  imported?: true;
  /** Its system prompt stood in that file, and the user has not changed it since. */
  systemFromFile?: true;
  schedule?: ScheduledBy;
  /** The chat that it was branched off from, and after which message. */
  forkedFrom?: { conversationId: string; messageId: string };
};

/** Of a chat that a schedule began: its id, its name then, and whether everything else than reading asks in it. */
export type ScheduledBy = { id: number; name: string; readsOnly?: true };

/** `waiting`: something in it waits for the user. `failed`: its last run ended with an error, or was given up. */
export type ConversationState = 'running' | 'waiting' | 'failed';

/** A saved way to ask: a chat that takes it copies its choice. */
export type Assistant = { id: number; name: string } & ChatChoice;
