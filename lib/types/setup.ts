import type { WireError } from './error.ts';
import type { UsageTotal } from './message.ts';
import type { ChatSettings, PresetId } from './model.ts';
import type { Permission, ToolAnnotations } from './tool.ts';

/** Which model a chat asks, and how. */
export type ChatChoice = {
  providerId: number | null;
  /** The provider's name of the model; null: the provider's own first choice. */
  model: string | null;
  settings: ChatSettings;
};

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
};

/** `waiting`: something in it waits for the person. `failed`: its last run ended with an error, or was given up. */
export type ConversationState = 'running' | 'waiting' | 'failed';

/** A saved way to ask: a chat that takes it copies its choice. */
export type Assistant = { id: number; name: string } & ChatChoice;

export type Transport = 'streamable-http' | 'sse';

export type Server = {
  id: number;
  name: string;
  transport: Transport;
  url: string;
  enabled: boolean;
  /** Milliseconds; each call races it. */
  toolTimeout: number;
  /** Names of the headers that are kept in `secrets`; their values never leave the worker. */
  headerNames: string[];
  /** Tools that call themselves read-only run without asking. */
  trusted: boolean;
  /** Its calls are made one after another. */
  oneAtATime: boolean;
};

/** A tool found on a server. `enabled` and `permission` are the person's and survive a reconnect. */
export type Tool = {
  serverId: number;
  name: string;
  /** The name under which models know it, e.g. `mcp__3__echo`. */
  offeredName: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: ToolAnnotations;
  enabled: boolean;
  /** The person's choice; absent: the default of lib/trust/permission.ts. An `allow` is void once the definition changes. */
  permission?: Permission;
  /** False when the server no longer lists it; the person's choices wait for its return. */
  present: boolean;
};

/** "Allow for this chat": releases a tool's calls in one conversation, as long as its definition stays the same. */
export type Grant = {
  conversationId: string;
  serverId: number;
  toolName: string;
  /** Of the definition it was given for (lib/trust/fingerprint.ts). */
  fingerprint: string;
};

export type ServerState = 'disconnected' | 'connecting' | 'connected' | 'error';
export type ServerStatus = { state: ServerState; error?: WireError; toolCount: number };

export type Provider = {
  id: number;
  name: string;
  preset: PresetId;
  /** Up to and including the version, e.g. `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  /** The model of chats that name none. */
  model: string;
  hasKey: boolean;
  /** Names of the headers that are kept in `secrets`. */
  headerNames: string[];
};

export type Settings = {
  maxIterations: number;
  theme: 'system' | 'light' | 'dark';
  /** Above this many, or this share of the context in percent, tools are found by search instead of being sent. */
  maxTools: number;
  maxToolShare: number;
};

export type NumberSetting = Exclude<keyof Settings, 'theme'>;

export const SETTING_LIMITS: Record<NumberSetting, readonly [lowest: number, highest: number]> = {
  maxIterations: [1, 50],
  maxTools: [1, 1000],
  maxToolShare: [1, 90],
};
