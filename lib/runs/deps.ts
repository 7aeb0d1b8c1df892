import type { AgentDeps, Prepared } from '../agent/deps.ts';
import type { ChatListEvent } from '../protocol/panel.ts';
import type { RunStore } from '../storage/chats/run-store.ts';
import type { AskedBy, RequestAnswer, RequestBody, ServerRequest } from '../types/request.ts';
import type { PageTab } from '../types/page.ts';
import type { Run, RunEvent } from '../types/run.ts';
import type { Conversation } from '../types/conversation.ts';
import type { SiteKind } from '../types/site-rule.ts';
import type { Basis, Permission, Taint } from '../types/tools/approval.ts';
import type { CallOptions, CallTool } from '../types/tools/call-tool.ts';
import type { Binding, ToolCall } from '../types/tools/tool-call.ts';
import type { Update } from './feed.ts';

/** What happens in a conversation, for those who tell the user of it elsewhere than in a panel. */
export type Happening =
  | RunEvent
  | { type: 'server_request'; request: ServerRequest }
  | { type: 'server_request_end' };

/** How a server's requests in the middle of a call reach the user, and what they use is counted. */
export type RequestChannel = {
  /** Puts a request before the user (commands/requests.ts). */
  ask: (by: AskedBy, body: RequestBody, signal: AbortSignal) => Promise<RequestAnswer>;
  /** Changes a conversation's row, if it is there (commands/change-conversation.ts). */
  change: (conversationId: string, change: (before: Conversation) => Conversation) => Promise<unknown>;
};

export type CallToolInRun = (
  call: Parameters<CallTool>[0],
  args: Record<string, unknown>,
  options: CallOptions & { channel: RequestChannel },
) => ReturnType<CallTool>;

export type RunDeps = Pick<
  AgentDeps,
  'checkArguments' | 'nearNames' | 'wait' | 'random' | 'now' | 'newId'
> & {
  store: RunStore;
  /** The model and the tools of a new run, and what had to be left out: servers that were late, tools that no model takes. */
  prepare: (
    run: Run,
    conversation: Conversation,
  ) => Promise<Prepared & Required<Pick<Run, 'missing' | 'unfit'>>>;
  callTool: CallToolInRun;
  /** The permission in force for the call, with the grants of its chat, and by what it is allowed. */
  judge: (call: ToolCall) => Promise<{ permission: Permission; basis?: Basis }>;
  /** Whether a call whose outcome is unknown may be made again without asking. */
  repetition: (call: ToolCall) => Promise<Exclude<Permission, 'block'>>;
  /** What the user is asked about: the tool as it is now (lib/trust/fingerprint.ts); undefined when it is not known. */
  definitionOf: (
    call: ToolCall,
  ) => Promise<(Pick<ToolCall, 'fingerprint' | 'annotations' | 'titles'> & Binding) | undefined>;
  /** What its model had read when it made the call that others wrote; undefined: nothing. */
  taintOf: (call: ToolCall) => Promise<Taint | undefined>;
  /**
   * Writes down that calls like this one are allowed, in its chat or always.
   * @param readTools other tools of its server, allowed in its chat as far as they only read
   * @throws AppError `definition_changed` when the tool is not any more what the user was asked about
   */
  grant: (call: ToolCall, scope: 'chat' | 'always', readTools?: string[]) => Promise<void>;
  /** Writes down that such calls are never made on the site of this one. */
  forbid: (call: ToolCall, kind: SiteKind) => Promise<void>;
  /** The JSON schema of the call's tool; undefined when the tool is not known any more. */
  schemaOf: (call: ToolCall) => Promise<Record<string, unknown> | undefined>;
  /** The tabs that a conversation opened and that are still open. */
  openedTabs: (conversationId: string) => Promise<PageTab[]>;
  /** Opens a page in a tab that neither Portside nor a model looks into. */
  openPrivately: (url: string) => Promise<void>;
  maxIterations: () => Promise<number>;
  /** To all that have subscribed to the conversation. @returns whether anything has */
  publish: (conversationId: string, update: Update) => boolean;
  /** Each of a run's events but its deltas, once it is written down. */
  event: (conversationId: string, event: Happening) => void;
  /** To every page, whatever it shows. */
  sendToAll: (event: ChatListEvent) => void;
  /**
   * Told whenever a run begins to work, waits or ends, and whenever a server's request begins or ends to wait: a working
   * one keeps the worker alive.
   */
  working: (id: string, working: boolean) => void;
  /** Told how many calls and servers' requests of all conversations wait for the user, whenever that changes. */
  waiting: (count: number) => void;
  /** A new chat took over how it is asked, so the next one starts afresh. */
  chatBegan: () => void;
  /** A run has come to its proper end: the conversation's last message is the whole answer. */
  answered: (conversation: Conversation) => void;
};
