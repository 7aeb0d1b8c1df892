import type { Answers } from './types/answers.ts';
import type { AttachmentSummary } from './types/attachment.ts';
import type { SignInStart, WindowOutcome } from './types/credentials.ts';
import type { WireError } from './types/error.ts';
import type { Message, Picture, Versions } from './types/message.ts';
import type { FoundModel, LocalServer, ModelRow, ModelTest, PresetId, Traits } from './types/model.ts';
import type { CheckStep, DoctorStep, FoundConfig, NativeHostAbout } from './types/native-host.ts';
import type { PagePart, PageTab } from './types/page.ts';
import type { CompletionRef, Icon, Offer, Prompt, Resource, ResourceTemplate } from './types/offer.ts';
import type { RequestAnswer, ServerRequest } from './types/request.ts';
import type { Run, RunEvent } from './types/run.ts';
import type {
  Assistant,
  ChatChange,
  ChatChoice,
  Conversation,
  ConversationState,
  Given,
  Provider,
  SavedPrompt,
  Server,
  ServerStatus,
  Settings,
  SettingsChange,
  StdioServer,
  Tool,
} from './types/setup.ts';
import type { LogLevel, WireEntry } from './types/wire-log.ts';
import type { CallStatus, ContentBlock, Decision, Permission, ToolCall, ToolResult } from './types/tool.ts';

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
    message?: NewMessage;
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
    versions: Record<string, Versions>;
  };

  /**
   * Writes an answer anew, beside the one that stands there: the branch goes back to the person's message before
   * `messageId`, an assistant's. `choice`: this one by another model; the chat stays with its own.
   * @throws AppError `run_live` while the conversation's run goes on
   */
  regenerate(request: {
    messageId: string;
    runId: string;
    choice?: Pick<ChatChoice, 'providerId' | 'model'>;
  }): void;
  /**
   * Has the model summarise all that stands before the last question; what was said stays.
   * @throws AppError `run_live`; `nothing_to_compact`
   */
  compact(request: { conversationId: string; runId: string }): void;
  /** Shows another version of a message, with what followed it last. @throws AppError `run_live` */
  switchVersion(request: { messageId: string }): void;
  /** Begins a chat that holds a copy of this one's branch up to a message and its answer's end; that one stays as it is. */
  forkConversation(request: { messageId: string; conversationId: string }): Conversation;
  /** Takes a message and all that follows it out of its chat. @throws AppError `run_live` */
  deleteMessage(request: { messageId: string }): void;
  /** Undoes that, as long as it can be undone. */
  restoreMessage(request: { messageId: string }): void;

  /** Pinned ones first (all of them, with the first page), then newest first, 50 at a time. `before`: the last one's `updatedAt`. */
  listConversations(request: { archived?: boolean; before?: string }): ConversationPage;
  /** `title`: the person's from now on. */
  setConversation(request: { id: string; title?: string; pinned?: boolean; archived?: boolean }): void;
  /** They can be had back for a while; what goes on in them is stopped. */
  deleteConversations(request: { ids: string[] }): void;
  restoreConversations(request: { ids: string[] }): void;
  /**
   * Titles, messages and tool results that hold all these words, or words that begin so; newest first, 20 at a time.
   * `before`: the `at` and the `id` of the last hit of the page before.
   */
  search(request: { text: string; before?: Pick<SearchHit, 'at' | 'id'> }): {
    hits: SearchHit[];
    hasMore: boolean;
  };
  /**
   * Chats as text, as many at a time as a message can carry; joined, the texts are the file. `lines`: what is shown of
   * them, each line a `ChatLine` as JSON; a page of them ends with a line. `ids`: these alone; `after`: what the page
   * before gave as `next`.
   */
  exportChats(request: { format: 'lines' | 'json'; ids?: string[]; after?: string }): {
    text: string;
    next?: string;
  };
  /**
   * Adds a chat of a Portside export. One that is here already gets the messages that it lacks (`updated`), if it lacks
   * any; nothing else of it changes. @throws AppError `bad_import`
   */
  importChat(request: { chat: unknown }): {
    conversationId: string;
    outcome: 'new' | 'updated' | 'known';
  };
  exportSettings(): { text: string };
  /**
   * Adds what an export of the settings holds; nothing is overwritten, servers land switched off.
   * `key`: what the file calls the server. @throws AppError `bad_import`
   */
  importSettings(request: { text: string; servers: { key: string; input: ServerInput }[] }): {
    servers: number;
    providers: number;
    prompts: number;
  };
  storageUsed(): StorageUsed;
  /** `results`: of calls older than 30 days; chats keep what their model read. @returns how many chats or results are gone */
  erase(request: { what: 'results' | 'chats' | 'everything' }): { count: number };
  /** What a context menu or another entry point left to be asked in this window; the same one until it is ended. */
  nextIntent(request: { windowId: number }): Intent | null;
  endIntent(request: { id: string }): void;
  saveDraft(request: { conversationId: string; text: string }): void;

  listServers(): ServerListing[];
  /**
   * Adds a server, or changes the one with this id, and connects it if it is on; resolves when that is over. Without
   * an `id` in the answer nothing was saved.
   */
  addServer(request: ServerInput): Outcome & { id?: number };
  removeServer(request: { id: number }): void;
  /** Asks the native host how it is, which starts it for that. */
  nativeHost(): NativeHostStatus;
  /** What the native host finds when it looks at its own installation. @throws AppError `native_host_missing`, `native_host_outdated` */
  checkNativeHost(): DoctorStep[];
  /**
   * Starts a program as it stands in a form, before it is saved, and ends it. Without `env`, with what is stored for the
   * server with this id if it is the same program. @throws AppError like `addServer`; `server_launch` when it is the same and
   * nobody has allowed that; `native_host_missing`, `native_host_outdated`
   */
  checkProgram(request: { id?: number } & ProgramInput): CheckStep[];
  /**
   * The person saw what this server starts and allows it; connects it if it is on. All of what the page showed goes along.
   * @throws AppError `launch_changed` when it is not that any more
   */
  allowLaunch(request: { id: number } & ShownLaunch): Outcome;
  /** Configuration files of other applications on this computer. Only when the person asks for it. */
  findConfigs(): FoundConfig[];
  /** Switches the server on and connects it. */
  connect(request: { id: number }): Outcome;
  /** Switches the server off. */
  disconnect(request: { id: number }): void;
  reconnectServer(request: { id: number }): Outcome;
  /** Connects every enabled server that is not connected; by server id. */
  connectAll(): Record<number, Outcome>;
  /**
   * Prepares a sign-in with the server's authorization server. The page goes on with it (lib/sign-in-window.ts) and hands what
   * comes of that to `finishSignIn`; or it has origins granted and asks again.
   * @throws AppError `sign_in_failed`, ...
   */
  startSignIn(request: { id: number }): SignInStart;
  /** Checks and redeems the window's answer, once, and connects. @throws AppError `sign_in_cancelled`, ... */
  finishSignIn(request: { id: number; outcome: WindowOutcome }): void;
  /** Has the tokens revoked where that is possible, and forgets them. */
  signOut(request: { id: number }): void;
  /** Every tool, or those of one server, with its schema. */
  listTools(request: { serverId?: number }): ListedTool[];
  /** Makes one call outside any chat; it is in the tool log as a call of the person's own. Never rejects. */
  callTool(request: CallToolRequest): { result: ToolResult } | { error: WireError };
  /** Stops a call of `callTool`. */
  cancelTool(request: { callId: string }): void;
  setTool(request: { serverId: number; name: string; enabled?: boolean; permission?: Permission }): void;
  /** Switches all of a server's tools on or off. */
  setTools(request: { serverId: number; enabled: boolean }): void;

  /** What tools were allowed beforehand, last given first. */
  listGrants(): ListedGrant[];
  /** Takes them back; without `grants` all there are. What holds for such a tool then is what holds for its tier. */
  revokeGrants(request: { grants?: GrantKey[] }): void;
  /** The hosts that the browser lets Portside reach. */
  listSites(): GrantedSite[];
  /** Gives the access to them back to the browser. @throws AppError `not_revoked` */
  revokeSite(request: { origin: string }): void;

  /** What a connected server offers besides tools; null while it is not connected. */
  serverOffer(request: { serverId: number }): Offer | null;
  /** The last 200 lines, oldest first. New ones come as `server_log` to a page that watches that log. */
  serverLog(request: { serverId: number }): WireEntry[];
  /** From which severity on the server is to have things logged; null: as it likes. */
  setLogLevel(request: { id: number; level: LogLevel | null }): void;
  /** Prompts of all connected servers, by server and name. */
  listPrompts(): ServerPrompt[];
  /**
   * Has a server fill a prompt in. `text` is for the composer; what is no text has become attachments of the draft.
   * @throws AppError in words for a person
   */
  getPrompt(request: {
    serverId: number;
    name: string;
    arguments: Record<string, string>;
    conversationId: string;
    /** The page's, so that it can give it up. */
    fetchId?: string;
  }): { text: string; attachments: AttachmentSummary[] };
  /** Resources and templates of all connected servers. */
  listResources(): { resources: ServerResource[]; templates: ServerTemplate[] };
  /** What could stand for an argument; empty when the server does not know or does not complete. */
  complete(request: {
    serverId: number;
    ref: CompletionRef;
    argument: { name: string; value: string };
    /** The other arguments as they are filled in so far. */
    others: Record<string, string>;
  }): { values: string[]; hasMore: boolean };
  /** Reads a resource; nothing is kept. */
  readResource(request: { serverId: number; uri: string }): ContentBlock[];
  /** Reads a resource into the draft of a conversation. While it is there it follows the server's updates. */
  attachResource(request: {
    conversationId: string;
    serverId: number;
    uri: string;
    fetchId?: string;
  }): AttachmentSummary;
  /** What `attachResource` would put into the draft. */
  previewResource(request: { conversationId: string; serverId: number; uri: string }): {
    text: string;
    pictures: Picture[];
    tokens: number;
  };
  /** Gives up what `getPrompt` or `attachResource` is fetching: nothing of it gets into the draft. */
  cancelFetch(request: { fetchId: string }): void;
  /** Puts a file that a page has read into the draft of a conversation. @throws AppError `too_large` */
  attachFile(request: {
    conversationId: string;
    id: string;
    name: string;
    mimeType: string;
    /** Bytes, of the file as it was. */
    size: number;
    text: string;
    pictures?: Picture[];
  }): AttachmentSummary;
  /** The keys that the browser has for Portside on any page, by the manifest's name; empty where it has none. */
  listShortcuts(): BrowserShortcut[];
  /** Open tabs; of those that Portside has no access to without title and address. */
  listTabs(): PageTab[];
  /**
   * Reads a part of a page into the draft of a conversation: of a tab, or of the one in front in a window. It is read
   * anew when somebody looks at it and when it is sent, if its tab shows the same page then.
   * @throws AppError `no_page_access`, `page_closed`, `page_busy`, `page_gone`, `nothing_read`
   */
  attachPage(request: { conversationId: string; fetchId?: string } & PageWish): AttachmentSummary;
  /**
   * Puts a text into the form field that an attachment was read from; null: what stood there before.
   * In the place of what of it was read, if that was a part.
   * @throws AppError `field_gone`, `field_moved` when that part is not there, `field_changed` when somebody wrote into it
   * since, `field_locked`, `field_refused` when it takes no such text and stays as it was, `no_page_access`
   */
  fillField(request: { tabId: number; fieldId: string; text: string | null }): void;
  /** Takes an attachment out of the draft. */
  detach(request: { id: string }): void;
  /** Exactly what is sent, of a draft's attachment or a sent one's; null when it is gone. */
  previewAttachment(request: { id: string }): { text: string; pictures: Picture[] } | null;

  /** The person's answer to a server's request. An answer that comes too late changes nothing. */
  answerRequest(request: { requestId: string } & RequestAnswer): void;

  /** The tool log, newest first, 50 at a time. `before`: the last call of the page before. */
  toolLog(request: ToolLogQuery): { calls: LoggedCall[]; hasMore: boolean };
  /** One call of the log, whole as far as a page can show it. */
  loggedCall(request: { callId: string }): ToolCall | null;

  /** Adds the servers, all switched off. @returns their ids, in order */
  importServers(request: { servers: ServerInput[] }): { ids: number[] };
  /** All servers as `mcp.json`; header values, environment and keys only if asked for. */
  exportServers(request: { withSecrets: boolean }): { text: string };

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
  setChat(request: { conversationId: string } & ChatChange): void;
  saveAssistant(request: Omit<Assistant, 'id'> & { id?: number }): { id: number };
  removeAssistant(request: { id: number }): void;
  savePrompt(request: Omit<SavedPrompt, 'id'> & { id?: number }): { id: number };
  removePrompt(request: { id: number }): void;
  saveSettings(request: SettingsChange): void;
};

/** What a page sends. `attachments`: ids of the draft's attachments that go with it. */
export type NewMessage = {
  id: string;
  text: string;
  attachments?: string[];
  /** The message of the person's that this one is another version of. It takes over that one's attachments `kept`. */
  replaces?: { messageId: string; kept: string[] };
};

/** `count`: of all chats, archived ones or the others, whatever this page holds. */
export type ConversationPage = { conversations: ListedConversation[]; hasMore: boolean; count: number };

/** Where words were found. `messageId` is absent for a title. */
export type SearchHit = {
  id: string;
  conversationId: string;
  title: string;
  messageId?: string;
  role?: Message['role'];
  /** ISO 8601. */
  at: string;
  /** The text around what was found, `hit` where it is the words themselves. */
  excerpt: { text: string; hit: boolean }[];
};

/** Bytes, about. `quota`: what the browser allows. */
export type StorageUsed = {
  chats: number;
  results: number;
  attachments: number;
  total: number;
  quota: number;
  conversations: number;
  /** What `erase` of old results would free. */
  oldResults: number;
};

/** How something ended, in place of a rejection. */
export type Outcome = { ok: boolean; error?: WireError };

type ServerInputBase = {
  id?: number;
  /** Made by the form that adds a server: saved again without an `id`, it changes what it added before. */
  key?: string;
  name: string;
  enabled: boolean;
  toolTimeout: number;
  trusted: boolean;
  oneAtATime: boolean;
  withoutInstructions?: boolean;
  /** What its address or its arguments refer to. */
  answers?: Answers;
};

/** What is absent of `headers`, `env`, `answers` and `oauthClient.secret` stays as stored; those values are write-only. */
export type ServerInput = ServerInputBase &
  (
    | {
        transport: 'streamable-http' | 'sse';
        url: string;
        headers?: Record<string, string>;
        /** null: none, or no longer one. */
        oauthClient?: { id: string; secret?: string } | null;
      }
    | ({
        transport: 'stdio';
        /** It isn't ended when nothing was asked of it for a while. */
        keepRunning?: boolean;
        /** The page showed the person all that is started, and they saved it: it needs no `allowLaunch`. */
        launchAllowed?: boolean;
      } & ProgramInput)
  );

export type ProgramInput = { command: string; args: string[]; cwd?: string; env?: Record<string, string> };

/** What a page shows of a program that is to be started; of the environment the names. */
export type ShownLaunch = Pick<StdioServer, 'command' | 'args' | 'cwd' | 'envNames'>;

/**
 * `not_allowed`: the browser does not let Portside start it; `waiting`: it does from the next start of the worker on.
 * `outdated`: it (`isOld`), or Portside, has to be updated before they understand each other.
 */
export type NativeHostStatus =
  | ({ state: 'ready' } & NativeHostAbout)
  | { state: 'missing' | 'not_allowed' | 'waiting'; error: WireError }
  | { state: 'outdated'; version: string; isOld: boolean; error: WireError };

export type ServerListing = { server: Server; status: ServerStatus; toolCount: number };

export type ListedTool = {
  /** The offered name, e.g. `mcp__3__echo`. */
  fullName: string;
  toolName: string;
  description: string;
  inputSchema: Record<string, unknown>;
  icons?: Icon[];
  serverId: number;
  serverName: string;
  /** Why no model is offered it. */
  problem?: string;
};

/** `callId` is the page's, so that it can cancel. */
export type CallToolRequest = { callId: string; fullName: string; arguments: Record<string, unknown> };

type OfServer = { serverId: number; serverName: string };
export type ServerPrompt = OfServer & Prompt;
export type ServerResource = OfServer & Resource;
export type ServerTemplate = OfServer & ResourceTemplate;

/** What allows one tool beforehand: in one chat, or without `conversationId` always. */
export type GrantKey = { serverId: number; toolName: string; conversationId?: string };

export type ListedGrant = GrantKey & {
  serverName: string;
  /** Of the chat that it is for. */
  chatTitle?: string;
  /** Absent for one of an earlier Portside. */
  given?: Given;
  /** Its tool is another one by now: it allows nothing. */
  isVoid: boolean;
};

/** `origin`: a match pattern, e.g. `https://example.com/*`, or another permission, such as `tabs`. */
export type GrantedSite = {
  origin: string;
  /** Names of what is reached there, by what it is. */
  servers: string[];
  providers: string[];
  /** The build itself brings it along: it can't be given back. */
  isFixed: boolean;
};

export type ToolLogQuery = {
  /** Words that tool, server, arguments or result must hold. */
  text?: string;
  serverId?: number;
  status?: CallStatus;
  before?: string;
  /** This call alone, whatever else is asked for. */
  callId?: string;
};

/** A line of the tool log: a call without its result's blocks, and the title of its chat, if that is there. */
export type LoggedCall = Pick<
  ToolCall,
  | 'callId'
  | 'conversationId'
  | 'toolName'
  | 'serverId'
  | 'serverName'
  | 'status'
  | 'createdAt'
  | 'startedAt'
  | 'durationMs'
> & { chatTitle?: string };

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

/**
 * What is to be asked in the panel of a window. `id` becomes that of the chat, the run and the message, so that it is
 * asked once however often it is begun.
 */
export type Intent = {
  id: string;
  windowId: number;
  /** It is sent; else it waits in the composer. */
  asks: boolean;
  /** The entry of the context menu that was chosen, or the command of its name: `selection-explain`, `prompt-12`. */
  entry?: string;
  /** That of a saved prompt, or what was typed; absent where `entry` says it. */
  text?: string;
  /** What goes along. */
  page?: PageWish & { tabId: number };
  /** ISO 8601. */
  createdAt: string;
};

/** As the browser writes it: `Alt+Shift+O`, on a Mac `⌥⇧O`. */
export type BrowserShortcut = { name: string; keys: string };

/** A part of a page that is to be read. */
export type PageWish = {
  part: PagePart;
  /** Or the tab in front of that window. */
  tabId?: number;
  windowId?: number;
  /** What the browser told of what was clicked: the address of a link or a picture, or a selection, should it not be readable. */
  given?: { text: string; title: string; url: string };
};

/** A conversation, and what goes on in it, if anything. */
export type ListedConversation = Conversation & { state?: ConversationState };

/** The id under which a chat that has no message yet is watched and its draft kept. */
export const NEW_CHAT = 'new';

/** The conversation of calls that the person makes outside any chat, and of what servers ask in those. */
export const OWN_CALLS = '';

/** What a page says on the event port. */
export type PanelRequest =
  /**
   * Watch a conversation. Answered by one snapshot, then events in order. null: the one that waits for the person, else
   * what was last shown at this place, else the newest. `isChoice`: the person chose it, here. `isNew`: it is about to
   * begin, so that there is nothing to tell but its events; the snapshot is asked for later.
   */
  | {
      type: 'watch';
      conversationId: string | null;
      place?: Place;
      isChoice?: boolean;
      isHidden?: boolean;
      isNew?: boolean;
    }
  /** Whether the panel is before somebody's eyes has changed. */
  | { type: 'visibility'; isHidden: boolean }
  /** Options pages: set-up only, and the log of one server. */
  | { type: 'watch_setup'; logOf?: number };

/** Where a panel stands: its browser window, and the tab in front of it. */
export type Place = { windowId?: number; tabId?: number };

/** What the worker says on the event port. */
export type PanelEvent =
  | { type: 'snapshot'; snapshot: Snapshot }
  /** All panels show the same chat, and this is it now. */
  | { type: 'follow'; conversationId: string }
  | { type: 'setup'; setup: Setup }
  | { type: 'server_status'; serverId: number; status: ServerStatus }
  | { type: 'run'; conversationId: string; runId: string; event: RunEvent }
  /** A user message was written down, or a run changed outside its events (queued, waiting, removed). */
  | { type: 'message'; message: Message }
  | { type: 'run_changed'; run: Run }
  /** What was queued and is not sent any more: back into the composer. */
  | { type: 'unsent'; conversationId: string; texts: string[] }
  /** To every page: a conversation began or is another. */
  | { type: 'conversation'; conversation: Conversation }
  /** To every page: these are deleted. */
  | { type: 'conversations_gone'; ids: string[] }
  /** To every page: something began, waits or ended in a conversation; null: nothing goes on in it any more. */
  | { type: 'conversation_state'; conversationId: string; state: ConversationState | null }
  /** A server asks the person something, or does not wait for it any more. */
  | { type: 'server_request'; request: ServerRequest }
  | { type: 'server_request_end'; conversationId: string; requestId: string }
  /** The draft's attachments, all of them, after one was added, removed or read again. */
  | { type: 'attachments'; conversationId: string; attachments: AttachmentSummary[] }
  /** Only to pages that watch this server's log: its new lines, oldest first. */
  | { type: 'server_log'; serverId: number; entries: WireEntry[] }
  | { type: 'refused'; error: WireError };

/** Everything a panel needs to draw one conversation: the last 50 messages, the live one among them. */
export type Snapshot = {
  conversation: Conversation | null;
  messages: Message[];
  hasOlder: boolean;
  /** By message id; only of messages that have more than one. */
  versions: Record<string, Versions>;
  toolCalls: ToolCall[];
  /** The live, waiting, queued and last ended runs, oldest first. */
  runs: Run[];
  draft: string;
  /** The draft's. */
  attachments: AttachmentSummary[];
  /** What servers wait for the person to answer, oldest first. */
  requests: ServerRequest[];
};

/**
 * A tool as every page gets it: without its schema and icons, and only with the beginning of its description, because a
 * port carries no more than 64 MiB at once; `listTools` tells the rest. `permission` is the one in force.
 */
export type ToolSummary = Omit<Tool, 'inputSchema' | 'icons' | 'permission'> & {
  permission: Permission;
  /** About what its definition costs in every request. */
  tokens: number;
};

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
  prompts: SavedPrompt[];
  /** How the next new chat is asked; its provider and model are those chosen last. */
  newChat: ChatChoice;
  settings: Settings;
};
