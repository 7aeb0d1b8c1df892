import type { IdentityProvider } from './credentials.ts';
import type { WireError } from './error.ts';
import type { Managed } from './fleet.ts';
import type { LogLevel } from './wire-log.ts';

export type Transport = 'streamable-http' | 'sse' | 'stdio';

/** Of a server's tools, unless the user sets another. */
export const TOOL_TIMEOUT_MS = 30_000;

/** Characters of a server's name, in which blanks stand alone. */
export const LONGEST_SERVER_NAME = 100;

/** A folder that a program may start in: from the top on, in any system's form, or from the user's home. */
export const WHOLE_PATH = /^(?:[/\\]|[a-z]:[/\\]|~(?:$|[/\\]))/i;

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
