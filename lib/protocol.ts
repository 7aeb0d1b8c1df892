import type {
  Conversation,
  Message,
  Permission,
  Provider,
  Run,
  RunEvent,
  Server,
  ServerStatus,
  Settings,
  Tool,
  ToolCall,
  Transport,
  WireError,
} from './types.ts';

/** What a page may ask of the worker: request -> reply. A failure rejects with an AppError. */
export type Commands = {
  /**
   * Begins a run, or queues it behind the conversation's live one. Ids are the panel's, so a repeat is harmless.
   * Without `message` the conversation goes on from where it stands (Retry, Continue); `live` says that it does so
   * already and that no run of this id exists.
   */
  startRun(request: {
    conversationId: string;
    runId: string;
    message?: { id: string; text: string };
  }): 'started' | 'queued' | 'live';
  /**
   * Ends the conversation's live run and empties its queue: after a Stop nothing more is sent by itself. What was
   * queued is in the draft now, and goes to every panel that shows the conversation (`unsent`).
   */
  stopRun(request: { conversationId: string }): void;
  /** False when it is not queued any more: it has begun, or somebody else removed it. */
  removeQueued(request: { runId: string }): boolean;
  /** Answers an approval, or an unknown outcome (`allow` = run again, `deny` = skip). */
  resolveCall(request: { callId: string; decision: 'allow' | 'deny' }): void;
  /** Messages older than `before` (exclusive), at most 50, oldest first, with their calls. */
  olderMessages(request: { conversationId: string; before: { seq: number; sub: number } }): {
    messages: Message[];
    toolCalls: ToolCall[];
    hasOlder: boolean;
  };
  /** Newest first. */
  listConversations(): Conversation[];
  /** What a context menu or another entry point left to be asked in this window; given out once. */
  takeIntent(request: { windowId: number }): Intent | null;
  saveDraft(request: { conversationId: string; text: string }): void;

  saveServer(request: ServerInput): { id: number };
  removeServer(request: { id: number }): void;
  setServerEnabled(request: { id: number; enabled: boolean }): void;
  /** Resolves when the server is connected; rejects with its error. */
  reconnectServer(request: { id: number }): void;
  setTool(request: { serverId: number; name: string; enabled?: boolean; permission?: Permission }): void;

  saveProvider(request: ProviderInput): { id: number };
  removeProvider(request: { id: number }): void;
  /** The provider that new messages of this conversation, and new chats, go to. */
  chooseProvider(request: { conversationId: string; providerId: number }): void;
  /** Asks the provider's `/models`; an error names what is wrong. */
  listModels(request: { baseUrl: string; apiKey?: string; providerId?: number }): string[];
  saveSettings(request: Partial<Settings>): void;
};

/** `headers` absent keeps the stored ones; values are write-only. */
export type ServerInput = {
  id?: number;
  name: string;
  transport: Transport;
  url: string;
  enabled: boolean;
  toolTimeout: number;
  headers?: Record<string, string>;
};

/** `apiKey` absent keeps the stored one; an empty string removes it. */
export type ProviderInput = { id?: number; name: string; baseUrl: string; model: string; apiKey?: string };

/** `windowId` is absent where the browser did not tell it: any window's panel takes it then. */
export type Intent = { id: string; text: string; windowId?: number };

/** The id under which a chat that has no message yet is watched and its draft kept. */
export const NEW_CHAT = 'new';

/** What a page says on the event port. */
export type PanelRequest =
  /** Watch a conversation (null: the newest one). Answered by one snapshot, then events in order. */
  | { type: 'watch'; conversationId: string | null }
  /** Options pages: set-up only. */
  | { type: 'watch_setup' };

/** What the worker says on the event port. */
export type PanelEvent =
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'setup'; setup: Setup }
  | { type: 'server_status'; serverId: number; status: ServerStatus }
  | { type: 'run'; conversationId: string; runId: string; event: RunEvent }
  /** A user message was written down, or a run changed outside its events (queued, waiting, removed). */
  | { type: 'message'; message: Message }
  | { type: 'run_changed'; run: Run }
  /** What was queued and is not sent any more: back into the composer. */
  | { type: 'unsent'; conversationId: string; texts: string[] }
  /** The ledger rows of a message that has just ended, as they were written down. */
  | { type: 'calls'; conversationId: string; toolCalls: ToolCall[] }
  | { type: 'conversation'; conversation: Conversation }
  /** An entry point left an intent: ask for it with `takeIntent`. */
  | { type: 'intent' }
  | { type: 'refused'; error: WireError };

/** Everything a panel needs to draw one conversation: the last 50 messages, the live one among them. */
export type Snapshot = {
  conversation: Conversation | null;
  messages: Message[];
  hasOlder: boolean;
  toolCalls: ToolCall[];
  /** The live, waiting, queued and last ended runs, oldest first. */
  runs: Run[];
  draft: string;
};

/** A tool without its schema, which no page shows and which may be large. */
export type ToolSummary = Omit<Tool, 'inputSchema'>;

/** What the person set up, with live statuses. Pushed whole whenever it changes. */
export type Setup = {
  servers: Server[];
  statuses: Record<number, ServerStatus>;
  tools: ToolSummary[];
  providers: Provider[];
  /** The provider for new chats. */
  defaultProviderId: number | null;
  settings: Settings;
};
