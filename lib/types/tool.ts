import { OWN_TOOLS, ownRules, ownToolsWhere, type ToolSource } from './own-tool-rules.ts';
import type { Picture } from './picture.ts';

/** Stands as the server's id of tools that pages offer (WebMCP). */
export const PAGE_TOOLS = -2;

/** Whether a tool is of what is open now, a page or a server's app: nothing of it is kept, and none is allowed for all chats. */
export const isLive = ({ serverId, ofApp }: { serverId: ToolSource; ofApp?: unknown }): boolean =>
  serverId === PAGE_TOOLS || ofApp !== undefined;

/** What a page or an app says of a tool: hostile data. */
export type SaidTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: unknown;
  /** It says that it destroys, or that the user should be asked. */
  isConsequential: boolean;
};

/** Whether a tool is one of Portside's own, whose schema is a rule and no server's to check. */
export const isOwnTool = (serverId: ToolSource): serverId is typeof OWN_TOOLS | null =>
  serverId === null || serverId === OWN_TOOLS;

/** Whether a tool does something in a page, one of Portside's own or the page's: what allows it holds for the site that its tab shows. */
export const actsOnPage = (serverId: ToolSource, toolName: string): boolean =>
  serverId === PAGE_TOOLS || ownRules({ serverId, toolName })?.acts === true;

/** Whether a tool acts by a script in the page, which runs only where the browser tells the tab's site. */
export function isByScript(serverId: ToolSource, toolName: string): boolean {
  const rules = ownRules({ serverId, toolName });
  return rules?.acts === true && rules.kind !== 'navigate' && toolName !== 'handle_dialog';
}

/** Whether a tool's call is made only after those before it in its message that act in order, and only if they succeeded. */
export const isInOrder = (serverId: ToolSource, toolName: string): boolean =>
  actsOnPage(serverId, toolName) || ownRules({ serverId, toolName })?.inOrder === true;

/** The tools that an Allow for longer than once holds for: those of the same kind, where a tool acts on pages; else itself. */
export function allowedTogether(serverId: ToolSource, toolName: string): string[] {
  const rules = ownRules({ serverId, toolName });
  return rules?.acts ? ownToolsWhere(({ acts, kind }) => acts && kind === rules.kind) : [toolName];
}

/** Goes along with all other tools and can't be switched off. */
export const READ_MORE = 'read_more';
/** Tokens of it. */
export const READ_MORE_TOKENS = 112;
/** Tokens of `search_tools`, which goes along where tools are found by search. */
export const SEARCH_TOOLS_TOKENS = 128;
/** Stands as their server's name. */
export const OWN_NAME = 'Portside';

/**
 * A tool as the model sees it, and where its calls go. `serverId` null means one of Portside's own that every run needs.
 */
export type OfferedTool = {
  /** `^[a-zA-Z0-9_-]{1,64}$`, e.g. `mcp__3__echo`. */
  name: string;
  /** The server's own name of the tool. */
  toolName: string;
  serverId: ToolSource;
  serverName: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: ToolAnnotations;
  /** The `ui://` resource that shows its calls (MCP Apps). */
  app?: string;
  /** Of a page's tool: the tab, and the origin of the document in it that offers the tool. */
  page?: { tab: number; site: string };
  /** Of a tool that an app of its server offers: the call that the app shows. */
  ofApp?: string;
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
  /** `onlyForUser`: it is shown to the user, not to the model; `moment`: of the page that the call acted on, before it or after. */
  | ({ type: 'image'; onlyForUser?: true; moment?: 'before' | 'after' } & Picture)
  | { type: 'audio'; data: string; mimeType: string }
  | {
      type: 'resource_link';
      uri: string;
      name: string;
      title?: string;
      description?: string;
      mimeType?: string;
      /** Bytes. */
      size?: number;
    }
  | { type: 'resource'; resource: { uri: string; mimeType?: string; text?: string; blob?: string } }
  | { type: 'unknown'; value: unknown };

/** Calls in one message; if it has more, none is made. */
export const MAX_CALLS = 128;

/** Characters of a call's arguments. What is longer is a model that got stuck; it is neither read nor repeated. */
export const MAX_ARGUMENTS = 1_000_000;

/** Why a call was not made, or not again. The model is told so in Portside's fixed words (lib/agent/refusals.ts). */
export const REFUSED = ['blocked', 'cancelled', 'declined', 'denied', 'skipped'] as const;
export type Refusal = (typeof REFUSED)[number];

/** What came of a call. `text` is what the model reads when it is neither an error nor a refusal. */
export type ToolResult = {
  text: string;
  isError: boolean;
  /** Never of a server's answer. */
  refusal?: Refusal;
  /** What the user said to the model when they refused, or went on with what it asked of them. */
  word?: string;
  blocks?: ContentBlock[];
  structured?: unknown;
  /** What the server added for the client that shows the result (`_meta`); no model is told. */
  meta?: Record<string, unknown>;
  /** The tool log keeps only so many: of this call the arguments, the blocks and the structured content are gone. */
  dropped?: true;
  /** Characters that were left out of what a page gets; the database has the whole. */
  omitted?: number;
  /** The address of the web page that it was read from. */
  url?: string;
  /** The address of the site that the user would have to let Portside reach; empty: the browser keeps it to itself. */
  access?: string;
};

/** The ledger's states. `running` is written before the call is dispatched. */
export const CALL_STATUSES = [
  'pending',
  'approved',
  'running',
  'success',
  'error',
  'timeout',
  'cancelled',
  'denied',
  'unknown',
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export type EndStatus = Exclude<CallStatus, 'pending' | 'approved' | 'running'>;

export const isEnded = (status: CallStatus): status is EndStatus =>
  status !== 'pending' && status !== 'approved' && status !== 'running';

/** Whether the call only lacked access to a site. That is asked for, and no failure of the tool. */
export const lacksAccess = ({ result }: { result?: ToolResult }): boolean => result?.access !== undefined;

/**
 * Why a call waits for the user: it needs permission, whether it was executed is unknown, or it asks them to do something
 * themselves.
 */
export type WaitKind = 'permission' | 'unknown' | 'hand_over';

/**
 * The user's answer to a waiting call. For an unknown outcome `allow` runs it again and `deny` skips it; for a hand-over
 * `allow` says that the user is done.
 */
export type Decision = {
  decision: 'allow' | 'deny';
  /** JSON text that runs instead of what the model wrote. */
  arguments?: string;
  /** What these name, where they are for a page. */
  bound?: Binding;
  /** On `deny`, and on `allow` of a hand-over: what the user has to say to the model. */
  word?: string;
  /** On `deny`: the tool is blocked, or what it would do on the site. */
  blocked?: true;
  /** On `allow`: how far it reaches, or by what it was allowed before. */
  scope?: Allowed;
  basis?: Basis;
};

/** By what a call was allowed to run: when the user was asked, or `before`, without asking. */
export type Allowed = 'once' | 'chat' | 'always' | 'before';

/** By what a call needs no question: its chat's grant, an Allow for all chats, or the default of its tier. */
export type Basis = 'chat' | 'always' | 'tier';

/** Foreign text that may be behind a call (lib/trust/taint.ts). */
export type Taint = {
  /** Whose it is but the tool's own server's, each once, the latest first. */
  from: string[];
  /** The hosts of web pages among these, and those of the quotes: all else may only be called like one. */
  hosts?: string[];
  /** The call was allowed before, and is asked about again because of it. */
  again?: true;
  /** More was read, or is in the arguments, than was compared for the quotes. */
  isPart?: true;
  quotes: Quote[];
};

/** A piece of the arguments, as they hold it, and whose words it is. */
export type Quote = { text: string; from: string };

/** A file of a chat. `id`: that of what is kept, or of the part of a result. `size` in bytes. */
export type NamedFile = { id: string; name: string; size: number };

/** A tab as a card shows it: its title in quotation marks, and what tells its document from those before and after it. */
export type ShownTab = { tab: number; title?: string; document?: number };

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
  serverId: ToolSource;
  serverName: string;
  /** JSON text, as the model wrote it. */
  arguments: string;
  /** JSON text that the user made of the arguments; this is what runs. */
  edited?: string;
  /** Characters of what runs that were left out of what a page gets. */
  omittedArguments?: number;
  annotations: ToolAnnotations;
  /** The `ui://` resource of its server that shows it (MCP Apps). */
  app?: string;
  /** It was made by the app of another call of its message, which has this position; no model knows of it. */
  byApp?: number;
  /** An app of its server offers its tool, the one that shows this call. */
  ofApp?: string;
  /**
   * Of the tool's definition when it was first asked whether the call may be made (lib/trust/fingerprint.ts): what a
   * grant is given for, and what runs.
   */
  fingerprint?: string;
  /** What that calls the arguments in words, by their names. */
  titles?: Record<string, string>;
  /** Origin of the page that it would read or act on, as it was then: it does so on no other. */
  reads?: string;
  /** Of a page's tool: the tab that offered it. */
  tab?: number;
  /** The tab that it would do something in, as it was then: it does so in no other, and acts on no other document. */
  at?: ShownTab;
  /** What the elements of a page were that it would act on, as `button "Save"` by their references: it acts on nothing else. */
  targets?: Record<string, string>;
  /** Origins of the frames of other sites in which some of these are: it touches no other. */
  targetSites?: string[];
  /** It sends a form: once its chat has read what others wrote, each one asks. */
  submits?: true;
  /** It downloads a file: each one asks. */
  downloads?: true;
  /** It presses a button to find where its files go: the permission to click must allow the call, too. */
  presses?: true;
  /** What the files are that it would give to a page, by the names that it calls them: it gives no others. */
  files?: Record<string, NamedFile>;
  /** What its model had read by then that others wrote, when the user was asked. */
  taint?: Taint;
  /** Absent for a call that did not run, for one of Portside's own tools and for those of an earlier Portside. */
  allowed?: Allowed;
  /** Of one that ran without asking; absent for those of an earlier Portside. */
  basis?: Basis;
  status: CallStatus;
  /** Set while the call waits for the user. */
  wait?: WaitKind;
  /** What the user said to the model as they went on; its result has it, too. */
  word?: string;
  /** It came with a chat's file: anyone may have written any of it. */
  imported?: true;
  /** Refused before it could run: no such tool, cut off, or arguments that do not fit. Running it again is no use. */
  refused?: true;
  result?: ToolResult;
  /** What it gave before it was run again, as far as that says whose words those were: answers to them are on the branch still. */
  earlier?: Pick<ToolResult, 'isError' | 'url'>[];
  /** ISO 8601, of the message that made it. */
  createdAt: string;
  /** ISO 8601, of the dispatch. */
  startedAt?: string;
  durationMs?: number;
  /** The server works on it as a task under this id, which may be all that it takes to get the result: no page is told it. */
  task?: string;
};

const BINDING = [
  'reads',
  'at',
  'targets',
  'targetSites',
  'submits',
  'downloads',
  'presses',
  'files',
] as const satisfies (keyof ToolCall)[];

/** What in a page a call is bound to: it touches nothing else. */
export type Binding = Pick<ToolCall, (typeof BINDING)[number]>;

/** What in a page this call is bound to, and nothing else of it. */
export const bindingOf = (call: Binding): Binding =>
  Object.fromEntries(BINDING.flatMap((key) => (call[key] === undefined ? [] : [[key, call[key]]])));

/** The row without what in a page it was bound to. */
export function unbound<T extends Binding>(call: T): Omit<T, keyof Binding> {
  const rest: Binding = { ...call };
  for (const key of BINDING) delete rest[key];
  return rest as Omit<T, keyof Binding>;
}

/** From this position on stand the calls that apps make: a message of a model's makes fewer. */
export const APP_CALLS = 1000;

/** The ledger's key of the call at `position` of a message. */
export const callIdOf = (messageId: string, position: number): string => `${messageId}.${position}`;

export const messageOf = (callId: string): string => callId.slice(0, callId.lastIndexOf('.'));

export const resultIdOf = (callId: string): string => `${callId}.result`;

/** The key of the call whose result the message with this id holds. */
export const callOfResult = (resultId: string): string => resultId.replace(/\.result$/, '');

/**
 * The row of a call that nothing is known of but what was asked for.
 * @param message the one that made it
 * @param tool absent while it is not known, or where there is none
 */
export function newCall(
  message: { id: string; conversationId: string; runId: string; timestamp: string },
  position: number,
  request: { id?: string; name: string; arguments: string },
  tool?: OfferedTool,
): ToolCall {
  return {
    callId: callIdOf(message.id, position),
    conversationId: message.conversationId,
    runId: message.runId,
    messageId: message.id,
    position,
    toolCallId: request.id ?? '',
    namespacedName: tool?.name ?? request.name,
    toolName: tool?.toolName ?? request.name,
    serverId: tool?.serverId ?? null,
    serverName: tool?.serverName ?? '',
    arguments: request.arguments,
    annotations: tool?.annotations ?? {},
    status: 'pending',
    createdAt: message.timestamp,
  };
}

const FAILED: ReadonlySet<CallStatus> = new Set(['error', 'timeout', 'cancelled', 'unknown']);

/** Whether an ended call came to nothing, though it could have run. */
export function hasFailed({ status, wait, refused }: ToolCall): boolean {
  return FAILED.has(status) && wait === undefined && refused === undefined;
}

/** Whether the user may have an ended call made once more. Of one that succeeded the log may have dropped what it was. */
export function mayRunAgain(call: ToolCall): boolean {
  if (call.byApp !== undefined) return false; // its app is not there to be told
  return hasFailed(call) || (call.status === 'success' && !call.result?.dropped);
}

/** Asks the user, runs at once, or refuses. */
export type Permission = 'ask' | 'allow' | 'block';

export type CallOptions = {
  signal: AbortSignal;
  /** Awaited right before the call is dispatched (after any queueing), so that it can be written down first. */
  started: () => Promise<void>;
  /**
   * Awaited once the server works on the call as a task (MCP Tasks), so that it can be written down before anything else
   * happens; and once by each later worker that goes on with it, when the server still knows it.
   */
  accepted: (taskId: string) => Promise<void>;
  progress: (progress: CallProgress) => void;
};

/** How far a call is; `message`: what its server says of it. */
export type CallProgress = { progress?: number; total?: number; message?: string };

/** How a call that was made can end. `unknown`: its server or the network died, and it may have been carried out. */
export type CalledStatus = Extract<EndStatus, 'success' | 'error' | 'timeout' | 'cancelled' | 'unknown'>;

/** Makes one call. Never throws: a tool's failure is a result. */
export type CallTool = (
  call: Pick<
    ToolCall,
    'callId' | 'serverId' | 'toolName' | 'conversationId' | 'reads' | 'tab' | 'ofApp' | 'task'
  >,
  args: Record<string, unknown>,
  options: CallOptions,
) => Promise<{
  result: ToolResult;
  status: CalledStatus;
}>;
