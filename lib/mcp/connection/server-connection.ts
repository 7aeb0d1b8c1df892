import { AppError, toWire } from '../../errors.ts';
import type { ServerStatus } from '../../types/server.ts';
import { connectFailure, isSignIn, isSignInUnreachable, signInNeeded } from '../failures/failures.ts';
import { isConnectionLost, isSessionLost } from '../failures/sdk-errors.ts';
import type { Lists } from './lists.ts';
import { type OpenDeps, openSession } from './open-session.ts';
import { MOST_RESTARTS, withBackoff } from './reconnect-backoff.ts';
import type { Remembered } from './remembered.ts';
import type { RemoteTool } from '../offer/read-tools.ts';
import type { Session } from './session.ts';
import { checkSettings, type ConnectionConfig } from '../settings.ts';
import { t } from '../../../locales/texts/errors.ts';

/** The connection to one server. It survives lost sessions and lives until it is closed. */
export type ServerConnection = {
  /** What is no part of the endpoint, such as the timeout, may change meanwhile. */
  config: ConnectionConfig;
  status: () => ServerStatus;
  /** Its skills follow its tools. */
  tools: () => RemoteTool[];
  /** What it offers besides, while it is connected. */
  offer: () => Lists['offer'] | undefined;
  /** The live session, else a new one; concurrent callers share the attempt. @throws AppError */
  ready(how?: Readiness): Promise<Session>;
  /** The session as it is now, if any. */
  current: () => Session | undefined;
  /** Takes the error of a request on `session`: one that says that the session is lost has it replaced at once. */
  found(session: Session, error: unknown): void;
  /** Aborts, with an AppError that says why, when it is closed. */
  gone: AbortSignal;
  /** Ends it for good, on the server too; what is in flight is cancelled first. */
  close(why?: CloseReason): Promise<void>;
};

/** What the user did that ended a connection. */
export type CloseReason = 'switched_off' | 'removed' | 'reconnected';

type Readiness = {
  /** A retry in the background: an error stays the status until the server is connected, and `Retry-After` is respected. */
  isQuiet?: boolean | undefined;
  /** For a non-idempotent request: the server must have answered on this session a moment ago. */
  needsProof?: boolean;
};

export type ConnectionDeps = Pick<
  OpenDeps,
  'fetch' | 'version' | 'log' | 'limits' | 'native' | 'onTimeout'
> & {
  timeout: number | undefined;
  authProvider: (config: ConnectionConfig) => OpenDeps['authProvider'];
  /** What is subscribed to in every session. */
  wanted: () => Pick<OpenDeps, 'uris'>;
  load: () => Promise<Remembered | undefined>;
  save: (remembered: Remembered | undefined) => void;
  onStatus: (status: ServerStatus) => void;
  onTools: (tools: RemoteTool[]) => void;
  onOffer: () => void;
  onResourceUpdated: (uri: string) => void;
};

export const DISCONNECTED: ServerStatus = { state: 'disconnected', toolCount: 0 };

/** A session that lived shorter than this, in milliseconds, is replaced no sooner than after the same time. */
const SHORT_LIFE = 5000;

/** A program that ran for less than this, in milliseconds, has crashed. */
const STEADY = 60_000;

export function createServerConnection(config: ConnectionConfig, deps: ConnectionDeps): ServerConnection {
  const gone = new AbortController();
  let status = DISCONNECTED;
  let lists: Lists | undefined;
  let session: Session | undefined;
  let opening: Promise<Session> | undefined;
  let openedAt = 0;
  let isReplacement = false;
  /** Of a program, one after another. */
  let crashes = 0;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  /** The server's `Retry-After`, as it failed last. */
  let refusal: { error: AppError; until: number } | undefined;

  const setStatus = (next: ServerStatus): void => {
    if (gone.signal.aborted || same(next, status)) return;
    status = next;
    deps.onStatus(next);
  };
  /** Only changes are reported. */
  const setLists = (from: Session, next: Lists): void => {
    const before = lists;
    lists = next;
    if (!same(before && toolsAndSkills(before), toolsAndSkills(next))) deps.onTools(toolsAndSkills(next));
    setStatus(connectedStatus(from, next));
    if (!same(before?.offer, next.offer)) deps.onOffer();
  };
  const fail = (error: AppError): void => {
    session = undefined;
    lists = undefined;
    refusal =
      error.retryAfterMs === undefined ? undefined : { error, until: Date.now() + error.retryAfterMs };
    setStatus(failedStatus(error));
  };

  /** Replaces the session: the status changes only if no other can be opened. */
  const replace = (lost: Session): void => {
    if (lost !== session) return;
    session = undefined;
    lost.retire();
    const fault = lost.fault();
    crashes = fault && Date.now() - openedAt < STEADY ? crashes + 1 : 0;
    if (fault && crashes > MOST_RESTARTS) {
      crashes = 0;
      return fail(fault);
    }
    const wait = Date.now() - openedAt < SHORT_LIFE && isReplacement ? SHORT_LIFE : 0;
    isReplacement = true;
    // Whether it worked shows in the status.
    renewal = setTimeout(() => void connection.ready().catch(() => undefined), wait);
  };

  const open = async (isQuiet: boolean): Promise<Session> => {
    clearTimeout(renewal);
    const isLost = status.state === 'connected';
    const isSilent = isLost || (isQuiet && status.state === 'error');
    if (!isSilent) setStatus({ state: 'connecting', toolCount: 0 });
    // One that was lost counts as connected while it is tried again.
    const onTimeout = (): void => void (isLost || deps.onTimeout());
    const attempt = () => openOnce(onTimeout);
    try {
      return await (isLost ? withBackoff(attempt, connection.config, gone.signal) : attempt());
    } catch (error) {
      const failure = connectFailure(connection.config, error);
      fail(failure);
      throw failure;
    }
  };
  const openOnce = async (onTimeout: () => void): Promise<Session> => {
    gone.signal.throwIfAborted();
    checkSettings(connection.config);
    const { fetch, timeout = connectTimeout(connection.config), version, log, limits, native } = deps;
    const authProvider = deps.authProvider(connection.config);
    const remembered = await deps.load();
    const opened = await openSession(
      connection.config,
      {
        fetch,
        timeout,
        version,
        log,
        limits,
        native,
        authProvider,
        remembered,
        logLevel: connection.config.logLevel,
        onTimeout,
        ...deps.wanted(),
        ...events,
      },
      gone.signal,
    );
    session = opened;
    openedAt = Date.now();
    connection.config = { ...connection.config, wasConnected: true };
    deps.save(opened.remembered);
    setLists(opened, opened.lists);
    return opened;
  };
  const events: Pick<OpenDeps, 'onLists' | 'onResourceUpdated' | 'onLost' | 'onIdle'> = {
    onLists: (next, from) => from === session && setLists(from, next),
    onResourceUpdated: (uri, from) => from === session && deps.onResourceUpdated(uri),
    onLost(from) {
      replace(from);
      void from.drop();
    },
    // The next use starts it. Until then nothing about it has changed.
    onIdle(from) {
      if (from === session) session = undefined;
      from.retire();
    },
  };

  const connection: ServerConnection = {
    config,
    status: () => status,
    tools: () => (lists ? toolsAndSkills(lists) : []),
    offer: () => (status.state === 'connected' ? lists?.offer : undefined),
    current: () => session,
    async ready({ isQuiet = false, needsProof = false } = {}) {
      const current = session;
      if (current) {
        try {
          await current.check(needsProof);
          if (current === session) return current;
        } catch (error) {
          connection.found(current, error);
          replace(current);
        }
      }
      if (isQuiet && refusal && Date.now() < refusal.until) throw refusal.error;
      opening ??= open(isQuiet).finally(() => {
        opening = undefined;
      });
      return opening;
    },
    found(on, error) {
      const signIn = deps.authProvider(connection.config) && signInNeeded(connection.config, error);
      if (signIn && on === session) {
        fail(signIn);
        void on.drop();
      } else if (isSignInUnreachable(error) && on === session) {
        fail(error);
        on.retire();
      } else if (isSessionLost(error) || isConnectionLost(error)) replace(on);
    },
    gone: gone.signal,
    async close(why) {
      setStatus(DISCONNECTED);
      clearTimeout(renewal);
      gone.abort(disconnected(connection.config, why));
      deps.save(undefined);
      const last = session;
      session = undefined;
      await last?.end();
    },
  };
  return connection;
}

/** A command such as `npx` may have to download its program first. */
const connectTimeout = ({ transport }: ConnectionConfig): number => (transport === 'stdio' ? 60_000 : 15_000);

function connectedStatus({ protocolVersion, answeredInMs }: Session, { tools }: Lists): ServerStatus {
  return {
    state: 'connected',
    toolCount: tools.length,
    protocolVersion,
    ...(answeredInMs !== undefined && { answeredInMs }),
  };
}

function failedStatus(error: AppError): ServerStatus {
  // Nothing failed: the permission is there, and takes effect by itself.
  if (error.code === 'native_host_waiting') return { ...DISCONNECTED, error: toWire(error) };
  if (!isSignIn(error)) return { state: 'error', error: toWire(error), toolCount: 0 };
  const scope = 'scope' in error && typeof error.scope === 'string' ? error.scope : undefined;
  return { ...DISCONNECTED, reason: 'sign_in', ...(scope !== undefined && { scope }) };
}

/** Without skills that have the name of a tool: rows are kept by name. */
function toolsAndSkills({ tools, skills }: Lists): RemoteTool[] {
  const names = new Set(tools.map(({ name }) => name));
  return [...tools, ...skills.filter(({ name }) => !names.has(name))];
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function disconnected({ name }: ConnectionConfig, why: CloseReason | undefined): AppError {
  return new AppError({
    code: 'server_disconnected',
    ...t(($) => $.errors.mcp.disconnected[why ?? 'disconnected'], { name }),
  });
}
