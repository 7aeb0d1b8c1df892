import type { OfferedTool } from './tools/tool.ts';
import type { Picture } from './picture.ts';

/** What a server asks of the user in the middle of a call (MCP elicitation and sampling). It is hostile data. */
export type RequestBody =
  /** `schema`: a flat JSON schema of primitive properties (spec 2025-11-25, client/elicitation). */
  | { kind: 'form'; message: string; schema: Record<string, unknown> }
  /**
   * The user is to visit a page; nothing of it comes through Portside. `isOpened`: they were there before in the same
   * request, and say when they are done.
   */
  | { kind: 'url'; message: string; url: string; elicitationId?: string; isOpened?: true }
  | { kind: 'sampling'; sampling: SamplingRequest };

/** What a server wants the conversation's model to be asked (spec 2025-11-25, client/sampling). */
export type SamplingRequest = {
  system?: string;
  messages: SamplingMessage[];
  /** Tools of the server's own, whose calls go back to it; they are never made here. */
  tools: Pick<OfferedTool, 'name' | 'description' | 'inputSchema'>[];
  toolChoice?: 'auto' | 'required' | 'none';
  maxTokens: number;
  temperature?: number;
  stopSequences?: string[];
};

export type SamplingMessage = { role: 'user' | 'assistant'; content: SamplingContent[] };

export type SamplingContent =
  | { type: 'text'; text: string }
  | ({ type: 'image' | 'audio' } & Picture)
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_result'; toolUseId: string; text: string; isError: boolean };

/** What the model answered to a sampling request. */
export type Sampled = {
  model: string;
  content: Extract<SamplingContent, { type: 'text' | 'tool_use' }>[];
  stopReason: 'endTurn' | 'maxTokens' | 'toolUse';
};

/** A request that waits for the user in a conversation. It lives as long as the call that it came in. */
export type ServerRequest = RequestBody & {
  id: string;
  conversationId: string;
  serverId: number;
  serverName: string;
  /** Where answers go, e.g. `api.example.com`. */
  serverHost: string;
  /** The call that it came in; null when it came while a prompt or a resource was fetched. */
  callId: string | null;
  /** ISO 8601. */
  askedAt: string;
};

export type FormContent = Record<string, string | number | boolean | string[]>;

/**
 * The user's answer. `content` for a form only: without it the form is accepted unseen, with its defaults. `isDone`: they
 * are done in a page that was opened before; without it an accepted page is opened.
 */
export type RequestAnswer =
  | { action: 'accept'; content?: FormContent; isDone?: true }
  | { action: 'decline' | 'cancel' };

/** The answer as the server gets it: of an accepted sampling request, what the model said. */
export type Fulfilled = RequestAnswer | { action: 'accept'; sampled: Sampled };

/**
 * Puts a server's request before the user. Aborting withdraws it.
 * @throws AppError when it can't be fulfilled; `too_many_requests` while too many others wait
 */
export type Elicit = (request: RequestBody, signal: AbortSignal) => Promise<Fulfilled>;

/** In which conversation and call a server asks, and who it is. */
export type AskedBy = Pick<
  ServerRequest,
  'conversationId' | 'callId' | 'serverId' | 'serverName' | 'serverHost'
>;
