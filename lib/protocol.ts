import type { WireError } from './types/error.ts';
import type { Message } from './types/message.ts';
import type { FoundModel, LocalServer, ModelRow, ModelTest, PresetId, Traits } from './types/model.ts';
import type { Run, RunEvent } from './types/run.ts';
import type {
  Assistant,
  ChatChoice,
  Conversation,
  ConversationState,
  Provider,
  Server,
  ServerStatus,
  Settings,
  Tool,
  Transport,
} from './types/setup.ts';
import type { Decision, Permission, ToolCall } from './types/tool.ts';

/** What a page may ask of the worker: request -> reply. A failure rejects with an AppError. */
export type Commands = {
  /**
   * Begins a run, or queues it behind the conversation's live one. Ids are the panel's, so a repeat is harmless.
   * Without `message` the conversation goes on from where it stands (Retry, Continue); `live` says that it does so
   * already and that no run of this id exists. While a run is live, `when` says what becomes of the message: it is
   * sent when the run ends (`queue`, unless told), slipped in at the next tool boundary (`steer`), or the run is
   * stopped for it (`now`), before anything that is queued.
   */
  startRun(request: {
    conversationId: string;
    runId: string;
    message?: { id: string; text: string };
    when?: 'queue' | 'steer' | 'now';
  }): 'started' | 'queued' | 'live';
  /**
   * Ends the conversation's live run and empties its queue: after a Stop nothing more is sent by itself. What was
   * queued is in the draft now, and goes to every panel that shows the conversation (`unsent`).
   */
  stopRun(request: { conversationId: string }): void;
  /** Ends a wait for the next try: the model is asked again now. */
  retryNow(request: { conversationId: string }): void;
  /** False when it is not queued any more: it has begun, or somebody else removed it. */
  removeQueued(request: { runId: string }): boolean;
  /** Moves a queued message one place towards the front (-1) or the end (1) of the queue. */
  moveQueued(request: { runId: string; by: -1 | 1 }): void;
  /** Changes a queued message between waiting for the run's end and being slipped in at its next tool boundary. */
  steerQueued(request: { runId: string; steer: boolean }): void;
  /**
   * Answers an approval or an unknown outcome. `scope` other than `once` also allows the tool's later calls, in this
   * chat or always, and releases the ones that wait now.
   * @throws AppError `bad_arguments` when edited arguments do not fit the tool's schema: the call still waits;
   * `definition_changed` when the tool is not any more what the person was asked about: no later call is allowed, and
   * this one is not made, which the model is told
   */
  resolveCall(request: { callId: string; scope?: 'once' | 'chat' | 'always' } & Decision): void;
  /** What the schema of the call's tool says against these arguments, in one sentence; null when they fit. */
  checkArguments(request: { callId: string; arguments: string }): string | null;
  /**
   * Makes a call that failed, timed out, was cancelled or has an unknown outcome once more, and lets the model go on
   * from its result. What came after the call before stays on a branch of its own.
   * @throws AppError `run_live` while the conversation's run goes on; `not_repeatable` for any other call
   */
  runAgain(request: { callId: string; runId: string }): void;
  /** At most 50 messages of the branch that ends in `leafId` (inclusive), oldest first, with their calls. */
  olderMessages(request: { leafId: string }): {
    messages: Message[];
    toolCalls: ToolCall[];
    hasOlder: boolean;
  };
  /** Newest first. */
  listConversations(): ListedConversation[];
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
  /** Asks the provider what models it has and what they can do, and remembers it. @returns how many */
  refreshModels(request: { providerId: number }): { count: number };
  /** The same for an address that is not saved yet; nothing is remembered. An error names what is wrong. */
  listModels(request: ProviderProbe): FoundModel[];
  /** Sends one tiny request with a tool. What it shows of a saved provider's model is remembered. */
  testModel(request: ProviderProbe & { model: string }): ModelTest;
  /** Changes what the person says of a model: `chosen` replaces all of it. */
  setModel(request: {
    providerId: number;
    id: string;
    chosen?: Traits;
    shown?: boolean;
    /** What its refusals taught is forgotten. */
    forget?: true;
  }): void;
  /** Looks once for model servers on this computer. */
  findLocalServers(): LocalServer[];
  /** Changes how a chat is asked, from its next message on; of NEW_CHAT: the chat that begins next. */
  setChat(request: { conversationId: string } & Partial<ChatChoice>): void;
  saveAssistant(request: Omit<Assistant, 'id'> & { id?: number }): { id: number };
  removeAssistant(request: { id: number }): void;
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
  trusted: boolean;
  oneAtATime: boolean;
  headers?: Record<string, string>;
};

/** `apiKey` absent keeps the stored one, an empty string removes it; `headers` absent keeps the stored ones. */
export type ProviderInput = {
  id?: number;
  name: string;
  preset: PresetId;
  baseUrl: string;
  model: string;
  apiKey?: string;
  headers?: Record<string, string>;
};

/** An address to ask. With `providerId` what is not given here is taken from the stored secrets. */
export type ProviderProbe = {
  preset: PresetId;
  baseUrl: string;
  apiKey?: string;
  headers?: Record<string, string>;
  providerId?: number;
};

/** `windowId` is absent where the browser did not tell it: any window's panel takes it then. */
export type Intent = { id: string; text: string; windowId?: number };

/** A conversation, and what goes on in it, if anything. */
export type ListedConversation = Conversation & { state?: ConversationState };

/** The id under which a chat that has no message yet is watched and its draft kept. */
export const NEW_CHAT = 'new';

/** What a page says on the event port. */
export type PanelRequest =
  /** Watch a conversation (null: the one that waits for the person, else the newest). Answered by one snapshot, then events in order. */
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
  | { type: 'conversation'; conversation: Conversation }
  /** To every page: something began, waits or ended in a conversation; null: nothing goes on in it any more. */
  | { type: 'conversation_state'; conversationId: string; state: ConversationState | null }
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

/** A tool without its schema, which no page shows and which may be large. `permission` is the one in force. */
export type ToolSummary = Omit<Tool, 'inputSchema' | 'permission'> & { permission: Permission };

/** A model as pages see it. */
export type ModelSummary = ModelRow & {
  /** What holds: what the person says, else what was learnt, else what was found. */
  traits: Traits;
};

/** What the person set up, with live statuses. Pushed whole whenever it changes. */
export type Setup = {
  servers: Server[];
  statuses: Record<number, ServerStatus>;
  tools: ToolSummary[];
  providers: Provider[];
  models: ModelSummary[];
  assistants: Assistant[];
  /** How the next new chat is asked; its provider and model are those chosen last. */
  newChat: ChatChoice;
  settings: Settings;
};
