import type { Picture } from './picture.ts';
import type { Attachment } from './attachment.ts';
import type { Refusal } from './tools/tool-result.ts';

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
  /** The server mixed its pieces up with another call's: it is never executed. */
  broken?: true;
  raw?: Record<string, unknown>;
};

/** The lines of a message of the user's that quote others. */
export const QUOTATIONS = /^>.*$/gm;

export type Usage = { inputTokens: number; outputTokens: number; cachedTokens?: number };

/** What a conversation has used so far. `cost` in US dollars, of those answers whose price was known. */
export type UsageTotal = Usage & { cost?: number };

/** The total with one more answer; what the provider did not count is not in it. */
export function withUsage(
  total: UsageTotal | undefined,
  { usage, cost }: { usage?: Usage; cost?: number },
): UsageTotal | undefined {
  if (!usage) return total;
  const cached = sum(total?.cachedTokens, usage.cachedTokens);
  const dollars = sum(total?.cost, cost);
  return {
    inputTokens: (total?.inputTokens ?? 0) + usage.inputTokens,
    outputTokens: (total?.outputTokens ?? 0) + usage.outputTokens,
    ...(cached !== undefined && { cachedTokens: cached }),
    ...(dollars !== undefined && { cost: dollars }),
  };
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}

/** Tokens of requests and answers together, and US dollars. */
export type UsageLimit = { tokens?: number; cost?: number };

type MessageBase = {
  id: string;
  conversationId: string;
  /** The message before this one on its branch, null for the first; a tool result's is its assistant's. */
  parentId: string | null;
  /** Turn order inside the branch; an assistant's tool results share its `seq` and follow by `sub`. */
  seq: number;
  /** 0, or 1 + the call's position for a tool result. */
  sub: number;
  /** ISO 8601. */
  timestamp: string;
  status: MessageStatus;
  content: string;
  /** ISO 8601: it was deleted, with all that follows it; for good once it can't be restored any more. */
  deletedAt?: string;
};

export type UserMessage = MessageBase & {
  role: 'user';
  /** It came with a chat's file: anyone may have written it. */
  imported?: true;
  attachments?: Attachment[];
  /** Ids of the files that these keep: what the index of files in use holds. */
  files?: string[];
  /** Only in a request to a model, never stored: those of the attachments, or what a server wants shown. */
  pictures?: Picture[];
};

export type AssistantMessage = MessageBase & {
  role: 'assistant';
  runId: string;
  /** The model that wrote it, by its provider's id. */
  model?: string;
  reasoning?: string;
  tool_calls?: ToolCallRequest[];
  usage?: Usage;
  /** US dollars; absent when the price is not known. */
  cost?: number;
  /** Milliseconds from the request to the first piece of the answer, and that it then reasoned for. */
  timing?: { firstTokenMs: number; reasoningMs?: number };
  /** Why the answer is shorter than the model meant it; absent when it is not. `limit`: it only warns of that. */
  finish?: 'length' | 'filtered' | 'limit';
  /** ISO 8601: its worker died in the middle of it, and another went on; the text is then that of the second try. */
  pickedUpAt?: string;
  /** Servers whose instructions, or whose apps' words of their tools, were in its request (lib/trust/taint.ts). */
  instructedBy?: { serverId: number; name: string }[];
  /** Whose text may be behind notes of the user's that were in its request, and the files of its chat's project. */
  notesFrom?: string[];
  /** Origins of the pages whose tools, in the pages' words, could be called. */
  offeredBy?: string[];
  /** Hosts of what its provider had searched for it. */
  cited?: string[];
  /** What was left out of the request because the server refused it, each a sentence for the user. */
  notes?: string[];
  /** Provider fields of the message to echo on the next request (reasoning_content and the like). */
  raw?: Record<string, unknown>;
};

/** Whose words, besides those of the chat, were in the request for an answer. */
export type Sources = Pick<AssistantMessage, 'instructedBy' | 'notesFrom' | 'offeredBy'>;

export type ToolMessage = MessageBase & {
  role: 'tool';
  tool_call_id: string;
  /** The offered tool name. */
  name: string;
  /** Of a skill: its name, and the server that it is of; none of the user's own. */
  skill?: { name: string; server?: string };
  /** Pictures of the result; models that can see get them as pictures, never as text. */
  pictures?: Picture[];
  /** JSON text that the user made of the call's arguments. */
  edited?: string;
  /** `content` is Portside's then. Any other is a server's or a page's, however it reads. */
  refusal?: Refusal;
  /** What the user said to the model when they refused. */
  word?: string;
};

/**
 * What the model wrote about the older part of a branch, to be sent in its place. The originals stay, and stay visible.
 * Every message of the branch before `keepsFrom` is told by it.
 */
export type SummaryMessage = MessageBase & {
  role: 'summary';
  runId: string;
  /** The first message that is still sent as it is; null when none before the summary is. */
  keepsFrom: string | null;
  usage?: Usage;
  cost?: number;
  /** Hosts of what its provider had searched for it. */
  cited?: string[];
};

/** Ids of the messages that could stand in one place of the branch, oldest first; the one that does is among them. */
export type Versions = string[];

export type Message = UserMessage | AssistantMessage | ToolMessage | SummaryMessage;

/**
 * Whether a stored draft went with a message: it is how its text began while that was typed, or the one that the page knew.
 * Any other stays, such as what another window left.
 * @param draft the draft that the page knew of
 */
export function isDraftOf(
  { text, draft }: { text: string; draft?: string | undefined },
  stored = '',
): boolean {
  return text.trim().startsWith(stored.trim()) || stored === draft;
}
