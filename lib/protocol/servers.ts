import type { Answers } from '../types/answers.ts';
import type { OwnClient, SignInStart, WindowOutcome } from '../types/credentials.ts';
import type { WireError } from '../types/error.ts';
import type { CheckStep, DoctorStep, FoundConfig, NativeHostAbout } from '../types/native-host.ts';
import type { Offer } from '../types/offer.ts';
import type { RegistryPage } from '../types/registry.ts';
import type { Server, ServerStatus, StdioServer } from '../types/server.ts';
import type { Managed } from '../types/fleet.ts';
import type { LogLevel, WireEntry } from '../types/wire-log.ts';

/** The user’s MCP servers, and the native host that starts some of them. */
export type ServerCommands = {
  /**
   * Adds a server, or changes the one with this id, and connects it if it is on; resolves when that is over. Without
   * an `id` in the answer nothing was saved.
   * @param request `find`: of a new remote server, to look for it at the likely addresses below its host too, and to save it
   * only if one answers, be it with the wish to be signed in or asked elsewhere
   */
  addServer(request: ServerInput & { find?: boolean }): Added;
  removeServer(request: { id: number }): void;
  /** Asks the native host how it is, which starts it for that. */
  nativeHost(): NativeHostStatus;
  /** What the native host finds when it looks at its own installation. @throws AppError `native_host_missing`, `native_host_outdated` */
  checkNativeHost(): DoctorStep[];
  /**
   * The user sees a program in a form and has it checked as it stands there: what `checkProgram` may start, until another
   * one is allowed. @throws AppError like `addServer`; `server_launch` when it is the program of the server with this id and
   * the user has not allowed that to be started
   */
  allowCheck(request: { id?: number } & ProgramInput): void;
  /**
   * Starts a program, as it stands in a form or is saved, and ends it. Without `env`, with what is stored for the server with
   * this id if it is the same program. @throws AppError like `addServer`; `server_launch` when the user has allowed just this
   * neither to be started nor to be checked; `native_host_missing`, `native_host_outdated`
   * @param request `fetchId`: for `cancelFetch`, which ends the program, and the answer comes
   */
  checkProgram(request: { id?: number; fetchId?: string } & ProgramInput): CheckStep[];
  /**
   * The user saw what this server starts and allows it; connects it if it is on. All of what the page showed goes along.
   * @throws AppError `launch_changed` when it is not that any more
   */
  allowLaunch(request: { id: number } & ShownLaunch): Outcome;
  /** Configuration files of other applications on this computer. Only when the user asks for it. */
  findConfigs(): FoundConfig[];
  /** Switches it on, too. */
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
  /** What a connected server offers besides tools; null while it is not connected. */
  serverOffer(request: { serverId: number }): Offer | null;
  /** The last 200 lines, oldest first. New ones come as `server_log` to a page that subscribes to that log. */
  serverLog(request: { serverId: number }): WireEntry[];
  /** From which severity on the server is to have things logged; null: as it likes. */
  setLogLevel(request: { id: number; level: LogLevel | null }): void;
  /** Adds the servers, all switched off. @returns their ids, in order */
  importServers(request: { servers: ServerInput[] }): { ids: number[] };
  /** All servers as `mcp.json`; header values, environment and keys only if asked for. */
  exportServers(request: { withSecrets: boolean }): { text: string };
  listServers(): ServerListing[];
  /**
   * Servers whose name has this in it, as the registry of the settings answers: the page reads them. Only when the user
   * asks for it.
   * @param request `cursor`: for the page after one that was there
   * @throws AppError `origin_not_granted`, `registry_unreachable`, `registry_bad_answer`
   */
  searchRegistry(request: { query: string; cursor?: string }): RegistryPage;
};

/** How something ended, in place of a rejection. */
export type Outcome = { ok: boolean; error?: WireError };

/** `tried`: where nothing was found that speaks MCP. */
export type Added = Outcome & { id?: number; tried?: TriedAddress[] };

/** An address as it may be shown, and how it answered. */
export type TriedAddress = { address: string; error: WireError };

type ServerInputBase = Pick<Server, 'name' | 'enabled' | 'toolTimeout' | 'trusted' | 'oneAtATime'> & {
  id?: number;
  /** Of the organisation's; no page says it. */
  managed?: Managed;
  /** Made by the form that adds a server: saved again without an `id`, it changes what it added before. */
  key?: string;
  /** Until it says at its first connection how it is called. */
  isUnnamed?: boolean;
  withoutInstructions?: boolean;
  withoutApps?: boolean;
  /** What its address, its client's id or its arguments refer to. */
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
        oauthClient?: OwnClient | null;
      }
    | ({
        transport: 'stdio';
        /** It isn't ended when nothing was asked of it for a while. */
        keepRunning?: boolean;
        /** The page showed the user all that is started, and they saved it: it needs no `allowLaunch`. */
        launchAllowed?: boolean;
      } & ProgramInput)
  );

export type ProgramInput = { command: string; args: string[]; cwd?: string; env?: Record<string, string> };

/** What a page shows of a program that is to be started; of the environment the names, and values that are no secret. */
export type ShownLaunch = Pick<StdioServer, 'command' | 'args' | 'cwd' | 'envNames' | 'openEnv'>;

/**
 * `not_allowed`: the browser does not let Portside start it; `waiting`: it does from the next start of the worker on.
 * `outdated`: it (`isOld`), or Portside, has to be updated before they understand each other.
 */
export type NativeHostStatus =
  | ({ state: 'ready' } & NativeHostAbout)
  | { state: 'missing' | 'not_allowed' | 'waiting'; error: WireError }
  | { state: 'outdated'; version: string; isOld: boolean; error: WireError };

export type ServerListing = { server: Server; status: ServerStatus; toolCount: number };
