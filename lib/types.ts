/**
 * The nouns that every context shares. Plain data: everything here survives structured clone and JSON.
 * Imports nothing.
 */

// ── Errors ────────────────────────────────────────────────────────────────────────────────────────────

/** An error as data: what crosses a port, what a row keeps. `lib/errors.ts` turns it into an AppError and back. */
export type WireError = {
  /** Stable, machine-readable: `model_unauthorized`, `server_unreachable`. Nothing is decided by the message. */
  code: string;
  /** What happened, in one sentence for a person. */
  message: string;
  /** The raw cause (HTTP status, the server's own words), for the second, subtle line. */
  cause?: string;
  /** What the person can do now, in one sentence. */
  fix?: string;
  /** True when the same request may work if it is made again unchanged. */
  retryable: boolean;
};

// ── Messages ──────────────────────────────────────────────────────────────────────────────────────────

/** `streaming` while deltas arrive; `partial` when the stream broke or was stopped. Calls run only from `complete`. */
export type MessageStatus = 'streaming' | 'complete' | 'partial';

/** A call as the model wrote it. `raw` holds the provider's unknown fields, echoed back unchanged. */
export type ToolCallRequest = {
  /** The provider's id, unique within its message only. */
  id: string;
  /** The offered name, e.g. `mcp__3__echo`. */
  name: string;
  /** The JSON text as it came; may be empty or malformed. */
  arguments: string;
  raw?: Record<string, unknown>;
};

export type Usage = { inputTokens: number; outputTokens: number; cachedTokens?: number };

type MessageBase = {
  id: string;
  conversationId: string;
  /** The user's or assistant's message before this one, null for the first; a tool result's is its assistant's. */
  parentId: string | null;
  /** Turn order inside the conversation; an assistant's tool results share its `seq` and follow by `sub`. */
  seq: number;
  /** 0, or 1 + the call's position for a tool result. */
  sub: number;
  /** ISO 8601. */
  timestamp: string;
  status: MessageStatus;
  content: string;
};

export type UserMessage = MessageBase & { role: 'user' };
export type AssistantMessage = MessageBase & {
  role: 'assistant';
  runId: string;
  reasoning?: string;
  tool_calls?: ToolCallRequest[];
  usage?: Usage;
  /** Why the answer is shorter than the model meant it; absent when it is not. */
  finish?: 'length' | 'filtered';
  /** Provider fields of the message to echo on the next request (reasoning_content and the like). */
  raw?: Record<string, unknown>;
};
export type ToolMessage = MessageBase & {
  role: 'tool';
  tool_call_id: string;
  /** The offered tool name. */
  name: string;
};
export type Message = UserMessage | AssistantMessage | ToolMessage;

// ── Tools ─────────────────────────────────────────────────────────────────────────────────────────────

/** A tool as the model sees it, and where its calls go. `serverId` null means one of Portside's own. */
export type OfferedTool = {
  /** `^[a-zA-Z0-9_-]{1,64}$`, e.g. `mcp__3__echo`. */
  name: string;
  /** The server's own name of the tool. */
  toolName: string;
  serverId: number | null;
  serverName: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: ToolAnnotations;
};

/** MCP ToolAnnotations (spec 2025-03-26 and later). Hints from the server: claims, not facts. */
export type ToolAnnotations = {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
};

/** One block of a tool result, as MCP content; unknown kinds are kept as they came. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'audio'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; title?: string; mimeType?: string }
  | { type: 'resource'; resource: { uri: string; mimeType?: string; text?: string; blob?: string } }
  | { type: 'unknown'; value: unknown };

/** What came of a call. `text` is what the model reads when it is not an error. */
export type ToolResult = {
  text: string;
  isError: boolean;
  blocks?: ContentBlock[];
  structured?: unknown;
  /** Characters that were left out of what a page gets; the database has the whole. */
  omitted?: number;
};

/** The ledger's states. `running` is written before the call is dispatched. */
export type CallStatus =
  'pending' | 'approved' | 'running' | 'success' | 'error' | 'timeout' | 'cancelled' | 'denied' | 'unknown';

/** How a finished call may end. */
export type EndStatus = Exclude<CallStatus, 'pending' | 'approved' | 'running'>;

/** A row of the ledger, which is also the tool log. The key is the message id and the call's position. */
export type ToolCall = {
  /** `{messageId}.{position}`; providers reuse call ids, so theirs is no key. */
  callId: string;
  conversationId: string;
  runId: string;
  messageId: string;
  position: number;
  /** The provider's id, for the tool message. */
  toolCallId: string;
  namespacedName: string;
  toolName: string;
  serverId: number | null;
  serverName: string;
  /** JSON text, as the model wrote it. */
  arguments: string;
  annotations: ToolAnnotations;
  status: CallStatus;
  /** Set while the call waits for the person. */
  wait?: WaitKind;
  result?: ToolResult;
  /** ISO 8601, of the dispatch. */
  startedAt?: string;
  durationMs?: number;
};

// ── Runs ──────────────────────────────────────────────────────────────────────────────────────────────

export type RunEndReason = 'done' | 'cancelled' | 'limit' | 'error' | 'interrupted';

/** `queued` waits for the conversation's live run; `waiting` for the person; both keep no worker alive. */
export type RunStatus = 'queued' | 'working' | 'waiting' | 'ended';

export type Run = {
  id: string;
  conversationId: string;
  status: RunStatus;
  /** The last user or assistant message that is durable and final; what comes next follows from it. */
  leafId: string | null;
  /** Iterations begun so far. */
  iteration: number;
  /** Times a starting worker picked this run up since the last progress. */
  resumes: number;
  /** ISO 8601, of the last finished step (a whole message or a result). */
  progressAt: string;
  startedAt: string;
  /** The text to send when a queued run begins. */
  queuedText?: string;
  queuedMessageId?: string;
  /** Names of enabled servers that were not connected when the run started: it goes on without them. */
  missing?: string[];
  reason?: RunEndReason;
  error?: WireError;
};

/** Why a call waits for the person: it needs permission, or nobody knows whether it was executed. */
export type WaitKind = 'permission' | 'unknown';

/** The events of one run, in order (architecture.md, "The run"). */
export type RunEvent =
  | { type: 'run_start'; runId: string }
  | { type: 'iteration_start'; iteration: number; maxIterations: number; messageId: string }
  | { type: 'text_delta'; messageId: string; text: string }
  | { type: 'reasoning_delta'; messageId: string; text: string }
  | { type: 'call_delta'; messageId: string; position: number; name: string; arguments: string }
  | { type: 'message_end'; message: AssistantMessage }
  | ({ type: 'approval_required'; wait: WaitKind } & CallIdentity)
  | { type: 'approval_resolved'; callId: string; decision: 'allow' | 'deny' }
  | ({ type: 'call_start' } & CallIdentity)
  | { type: 'call_progress'; callId: string; progress: number; total?: number; message?: string }
  | {
      type: 'call_end';
      callId: string;
      result: ToolResult;
      isError: boolean;
      status: EndStatus;
      durationMs: number;
    }
  | { type: 'iteration_end'; iteration: number }
  | { type: 'run_end'; runId: string; reason: RunEndReason; error?: WireError };

export type CallIdentity = {
  callId: string;
  toolName: string;
  namespacedName: string;
  serverId: number | null;
  /** JSON text. */
  arguments: string;
};

// ── The model seam ────────────────────────────────────────────────────────────────────────────────────

/** One request to a model: the whole history, oldest first, and the tools offered. */
export type ModelRequest = { system?: string; messages: Message[]; tools: OfferedTool[] };

/** What a model streams. Exactly one `end` or `error` comes last; a model's failure is data, never a throw. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** A fragment of the arguments of the call at `position` (0-based, gapless, in order of first sight). */
  | { type: 'call'; position: number; name: string; arguments: string }
  | { type: 'end'; turn: ModelTurn }
  | { type: 'error'; error: WireError };

/** A whole assistant turn as accumulated from the deltas. */
export type ModelTurn = {
  content: string;
  reasoning?: string;
  toolCalls: ToolCallRequest[];
  usage?: Usage;
  raw?: Record<string, unknown>;
  /** `length`: cut off at the output limit; the last call, which may be cut, is then not executed. */
  finish: 'stop' | 'length' | 'filtered';
};

/** A model bound to its provider. Aborting `signal` ends the stream with an `error` event of code `cancelled`. */
export type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

// ── The tool seam ─────────────────────────────────────────────────────────────────────────────────────

export type CallOptions = {
  signal: AbortSignal;
  /** Awaited right before the call is dispatched (after any queueing), so that it can be written down first. */
  started: () => Promise<void>;
  progress: (progress: { progress: number; total?: number; message?: string }) => void;
};

/** Makes one call. Never throws: a tool's failure is a result. */
export type CallTool = (
  call: Pick<ToolCall, 'serverId' | 'toolName'>,
  args: Record<string, unknown>,
  options: CallOptions,
) => Promise<{
  result: ToolResult;
  status: Extract<EndStatus, 'success' | 'error' | 'timeout' | 'cancelled'>;
}>;

// ── Set-up rows ───────────────────────────────────────────────────────────────────────────────────────

export type Conversation = {
  id: string;
  title: string;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  /** The last message on the current branch. */
  leafId: string | null;
  providerId: number | null;
};

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
  permission: Permission;
  /** False when the server no longer lists it; the person's choices wait for its return. */
  present: boolean;
};

export type Permission = 'ask' | 'allow' | 'block';

export type ServerState = 'disconnected' | 'connecting' | 'connected' | 'error';
export type ServerStatus = { state: ServerState; error?: WireError; toolCount: number };

export type Provider = {
  id: number;
  name: string;
  /** Up to and including the version, e.g. `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  model: string;
  hasKey: boolean;
};

export type Settings = { maxIterations: number; theme: 'system' | 'light' | 'dark' };
