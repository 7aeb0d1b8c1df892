import type { Allowed, Basis, Taint, WaitKind } from './approval.ts';
import type { OfferedTool, ToolAnnotations } from './tool.ts';
import type { ToolResult } from './tool-result.ts';
import type { ToolSource } from './tool-source.ts';

/** Calls in one message; if it has more, none is made. */
export const MAX_CALLS = 128;

/** Characters of a call's arguments. What is longer is a model that got stuck; it is neither read nor repeated. */
export const MAX_ARGUMENTS = 1_000_000;

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
