import type { IdentityProvider } from './credentials.ts';
import type { WireError } from './error.ts';
import type { UsageTotal } from './message.ts';
import type { ChatSettings, ModelApi, PresetId } from './model.ts';
import type { Icon } from './picture.ts';
import type { SiteUse } from './site-rule.ts';
import type { SkillEntry } from './skill.ts';
import type { Permission, ToolAnnotations } from './tool.ts';
import type { LogLevel } from './wire-log.ts';

/** Which model a chat asks, and how. */
export type ChatChoice = {
  providerId: number | null;
  /** The provider's name of the model; null: the provider's own first choice. */
  model: string | null;
  settings: ChatSettings;
  /** Absent: every tool as it is set for all chats. */
  tools?: ToolOverrides;
  /** The key of its project (lib/types/project.ts), which may be gone. */
  project?: string | null;
};

/**
 * What a chat has on or off, whatever holds for all chats: by a tool's offered name, or by `mcp__{serverId}` for all of
 * a server's. What is absent is inherited; a tool's own entry goes before its server's.
 */
export type ToolOverrides = Record<string, boolean>;

/** What changes in a chat's overrides; null: inherited from now on. */
export type ToolChanges = Record<string, boolean | null>;

export function withChanges(overrides: ToolOverrides | undefined, changes: ToolChanges): ToolOverrides {
  const all = Object.entries({ ...overrides, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, boolean] => entry[1] !== null));
}

/** Says nothing of any of them any more. */
export const inheritAll = (overrides: ToolOverrides = {}): ToolChanges =>
  Object.fromEntries(Object.keys(overrides).map((key) => [key, null]));

/** A change of what a chat is asked: its choice of tools in part, whatever else is given as a whole. */
export type ChatChange = Partial<Omit<ChatChoice, 'tools'>> & { tools?: ToolChanges };

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
  /** Whose title it is; absent: the beginning of the first message, until there is a better one. */
  titledBy?: 'model' | 'person';
  /** ISO 8601, of when that was done. One that is deleted is kept until it can't be restored any more. */
  pinnedAt?: string;
  archivedAt?: string;
  deletedAt?: string;
  /** It came from a file: anyone may have written any of it. */
  imported?: true;
  /** Its system prompt stood in that file, and the user has not changed it since. */
  systemFromFile?: true;
  /** The schedule that began it. */
  schedule?: ScheduledBy;
  /** The chat that it was branched off from, and after which message. */
  forkedFrom?: { conversationId: string; messageId: string };
};

/** Of a chat that a schedule began: its id, its name then, and whether everything else than reading asks in it. */
export type ScheduledBy = { id: number; name: string; readsOnly?: true };

/** `waiting`: something in it waits for the user. `failed`: its last run ended with an error, or was given up. */
export type ConversationState = 'running' | 'waiting' | 'failed';

/** A saved way to ask: a chat that takes it copies its choice. */
export type Assistant = { id: number; name: string } & ChatChoice;

/** A text of the user's own for the `/` menu. `{{name}}` stands for what is asked when it is used. */
export type SavedPrompt = {
  id: number;
  name: string;
  text: string;
  managed?: Managed;
  /** It is a skill: `text` is its SKILL.md, which says its name. */
  skill?: OwnSkill;
};

/** What a skill of the user's own has besides its SKILL.md; a page gets the files' paths alone. */
export type OwnSkill = { description: string; files: { path: string; text: string }[] };

export type Transport = 'streamable-http' | 'sse' | 'stdio';

/** Characters of a server's name, in which blanks stand alone. */
export const LONGEST_SERVER_NAME = 100;

/** A folder that a program may start in: from the top on, in any system's form, or from the user's home. */
export const WHOLE_PATH = /^(?:[/\\]|[a-z]:[/\\]|~(?:$|[/\\]))/i;

/** Of what an organisation set up (docs/fleet.md): how its policy calls it, and what it says of it, as text. */
export type Managed = { name: string; as: string };

type ServerBase = {
  id: number;
  name: string;
  managed?: Managed;
  /** The user did not name it: it takes the name that it gives itself when it is first connected. */
  isUnnamed?: true;
  enabled: boolean;
  /** Milliseconds; each call races it. */
  toolTimeout: number;
  /** Tools that call themselves read-only run without asking. */
  trusted: boolean;
  /** Its calls are made one after another. */
  oneAtATime: boolean;
  /** Models are not told what it says of itself. */
  withoutInstructions?: true;
  /** Its tools are not shown by apps of its own. */
  withoutApps?: true;
  /** From which severity on it is to log things; absent: as it likes. */
  logLevel?: LogLevel;
  /** When its handshake last timed out, in milliseconds since 1970; absent once it was connected. */
  silentAt?: number;
  /** Of the form that added it. */
  key?: string;
  /** Ids of the answers (lib/types/answers.ts) that its address, its client's id or its arguments refer to. */
  answerNames?: string[];
};

/** `streamable-http` finds out by itself whether the server speaks only SSE; `sse` tries nothing else. */
export type RemoteServer = ServerBase & {
  transport: 'streamable-http' | 'sse';
  url: string;
  /** Names of the headers that are kept in `secrets`; their values never leave the worker. */
  headerNames: string[];
  /** A client that was registered by hand with the server's authorization server; its secret is in `secrets`. */
  oauthClient?: { id: string; hasSecret: boolean; identityProvider?: IdentityProvider };
  /** Set while tokens for it are in `secrets`. `issuer`: who gave them; `scope`: what for. */
  signedIn?: { issuer: string; scope?: string };
  /** Who gave the latest tokens, also after the user signed out. */
  lastIssuer?: string;
  /** Portside was never connected at this address: where that redirects to may be followed, once. */
  isUntried?: true;
};

/** A program on this computer, started by the native host. */
export type StdioServer = ServerBase & {
  transport: 'stdio';
  command: string;
  args: string[];
  cwd?: string;
  /** Names of the environment variables that are kept in `secrets`. */
  envNames: string[];
  /** Those of them whose name does not sound like a secret's, with their values, in which secrets are `•••`. */
  openEnv?: Record<string, string>;
  /** It isn't ended when nothing was asked of it for a while. */
  keepRunning?: true;
};

export type Server = RemoteServer | StdioServer;

/** What a tool says of MCP Apps (SEP-1865): which resource shows its calls, and that only a model or only an app may call it. */
export type ToolApp = { uri?: string; only?: 'model' | 'app' };

/** A tool found on a server. `enabled` and `permission` are the user's and survive a reconnect. */
export type Tool = {
  serverId: number;
  name: string;
  /** The name under which models know it, e.g. `mcp__3__echo`. */
  offeredName: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: ToolAnnotations;
  icons?: Icon[];
  /** A skill (SEP-2640), whose `name` is its address: a model gets it through one tool for all of them (lib/types/skill.ts). */
  skill?: SkillEntry;
  app?: ToolApp;
  /** Why no model is offered it, whatever the user chose: a broken schema, or it only runs as a task. A sentence. */
  problem?: string;
  enabled: boolean;
  /** The user's choice; absent: the default of lib/trust/permission.ts. An `allow` is void once the definition changes. */
  permission?: Permission;
  /** Of that permission. */
  given?: Given;
  /** False when the server no longer lists it: it is kept for the user's choices, which wait for its return. */
  present: boolean;
  /**
   * It became another one, or came, since the user allowed it or trusted its server, and they have not accepted that: it asks.
   * `before`: the definition that they saw; absent for a new tool. Without a review the row itself is what they saw.
   */
  review?: { before?: Definition };
};

/** The parts of a tool that a user's permission is given for. */
export type Definition = Pick<
  Tool,
  'name' | 'title' | 'description' | 'inputSchema' | 'annotations' | 'skill'
>;

export function definitionOf(of: Definition): Definition {
  const { name, title, description, inputSchema, annotations, skill } = of;
  return {
    name,
    description,
    inputSchema,
    annotations,
    ...(title !== undefined && { title }),
    ...(skill && { skill }),
  };
}

/** Whether a chat has the tool on: its own entry goes before its server's, that before what holds for all chats. */
export function isOn(
  { serverId, offeredName, enabled }: Pick<Tool, 'serverId' | 'offeredName' | 'enabled'>,
  overrides: ToolOverrides = {},
): boolean {
  return overrides[offeredName] ?? overrides[`mcp__${serverId}`] ?? enabled;
}

/** When something was allowed for longer than once, and how far it reaches. */
export type Reach = {
  /** ISO 8601. */
  at: string;
  /**
   * Of the web addresses in the calls that it was given for: it reaches no others. Where there were none, a chat's grant reaches
   * none, and an Allow for all chats is for any, as one that was chosen in the settings.
   */
  origins?: string[];
  /** Beside `origins`: it was given for a call without any, too. */
  withoutOrigin?: boolean;
};

/** With how many calls it has released since. */
export type Given = Reach & {
  used: number;
  /** ISO 8601, of the last of them. */
  usedAt?: string;
  /** ISO 8601, when a chat's grant was given once more: calls are covered from `at` on all the same. */
  again?: string;
  /** For each of `origins`: when it was last given, and how often; of an earlier Portside it is not known. */
  bySite?: Record<string, SiteUse>;
};

/** "Allow for this chat": releases a tool's calls in one conversation, as long as its definition stays the same. */
export type Grant = {
  conversationId: string;
  serverId: number;
  toolName: string;
  /** Of the definition it was given for (lib/trust/fingerprint.ts). */
  fingerprint: string;
  /** Absent for one of an earlier Portside. */
  given?: Given;
  /** It was given for the server's tools that only read, together. */
  byServer?: true;
  /**
   * The part of it that was given by cards that said what foreign text may be behind the call (`Taint`): that holds in spite of
   * such text. A `despiteTaint` of an earlier Portside counts for nothing: it does not tell for which origins.
   */
  despite?: Reach;
  /** An app offers the tool: what it is by now is not known until it is called. */
  ofApp?: true;
};

/** Of secrets that a passphrase protects. */
export type SecretLock = 'locked' | 'open';
/** Characters. */
export const SHORTEST_PASSPHRASE = 8;

export type ServerState = 'disconnected' | 'connecting' | 'connected' | 'error';

export type ServerStatus = {
  state: ServerState;
  /** Why, when the state is `error`; when it is `disconnected`, what passes by itself. */
  error?: WireError;
  /**
   * Nothing is wrong, but the user has to sign in first (`scope`: what for, when it is more than was granted before), or
   * to see and allow what it starts.
   */
  reason?: 'sign_in' | 'launch';
  scope?: string;
  toolCount: number;
  /** Of a connected server: the revision in use, and how long it took to answer the first request, in milliseconds. */
  protocolVersion?: string;
  answeredInMs?: number;
};

export type Provider = {
  id: number;
  name: string;
  managed?: Managed;
  preset: PresetId;
  /** Up to and including the version, e.g. `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  /** Absent: that of its preset (`apiOf`). */
  api?: ModelApi;
  /** The model of chats that name none. */
  model: string;
  hasKey: boolean;
  /** Names of the headers that are kept in `secrets`. */
  headerNames: string[];
};
