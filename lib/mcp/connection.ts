import { AppError, toWire } from '../errors.ts';
import type { ServerStatus } from '../types/setup.ts';
import { connectFailure, unreachable } from './failures.ts';
import { openSession } from './session.ts';
import type { RemoteTool, Session, SessionDeps } from './session.ts';
import { checkSettings } from './settings.ts';
import type { ConnectionConfig } from './settings.ts';

/** One server that somebody connected. It survives lost sessions and lives until it is closed. */
export type Connection = {
  /** What is no part of the endpoint, such as the timeout, may change while it lives. */
  config: ConnectionConfig;
  status: () => ServerStatus;
  tools: () => RemoteTool[];
  /** The session, made if there is none; everyone who asks meanwhile shares the attempt. @throws AppError */
  ready(): Promise<Session>;
  /** A session in place of `stale`, which the server forgot. @throws AppError */
  renew(stale: Session): Promise<Session>;
  /** Says that `session` broke. The next `ready` makes a new one. */
  lose(session: Session, error: unknown): void;
  close(): Promise<void>;
};

export type ConnectionDeps = Pick<SessionDeps, 'fetch' | 'timeout' | 'version'> & {
  onStatus: (status: ServerStatus) => void;
  onTools: (tools: RemoteTool[]) => void;
};

export const DISCONNECTED: ServerStatus = { state: 'disconnected', toolCount: 0 };

export function createConnection(config: ConnectionConfig, deps: ConnectionDeps): Connection {
  const gone = new AbortController();
  let status = DISCONNECTED;
  let tools: RemoteTool[] = [];
  let session: Session | undefined;
  let opening: Promise<Session> | undefined;

  const setStatus = (next: ServerStatus): void => {
    if (gone.signal.aborted) return;
    status = next;
    deps.onStatus(next);
  };
  const setTools = (next: RemoteTool[]): void => {
    tools = next;
    deps.onTools(next);
    setStatus({ state: 'connected', toolCount: next.length });
  };
  const fail = (error: AppError): void => {
    session = undefined;
    setStatus({ state: 'error', error: toWire(error), toolCount: 0 });
  };
  /** What a session reports counts only while it is the current one. */
  const lose = (lost: Session | undefined, error: unknown): void => {
    if (!lost || lost !== session) return;
    fail(unreachable(connection.config, error));
    void lost.close();
  };

  const open = async (): Promise<Session> => {
    setStatus({ state: 'connecting', toolCount: 0 });
    try {
      checkSettings(connection.config);
      const opened = await openSession(connection.config, { ...deps, ...events() }, gone.signal);
      session = opened;
      setTools(opened.tools);
      return opened;
    } catch (error) {
      const failure = connectFailure(connection.config, error, undefined);
      fail(failure);
      throw failure;
    }
  };
  const events = (): Pick<SessionDeps, 'onTools' | 'onLost'> => ({
    onTools: (next, from) => from === session && setTools(next),
    onLost: (error, from) => lose(from, error),
  });

  const connection: Connection = {
    config,
    status: () => status,
    tools: () => tools,
    ready() {
      if (session) return Promise.resolve(session);
      opening ??= open().finally(() => {
        opening = undefined;
      });
      return opening;
    },
    renew(stale) {
      if (session === stale) {
        session = undefined;
        void stale.close();
      }
      return connection.ready();
    },
    lose,
    async close() {
      setStatus(DISCONNECTED);
      gone.abort(disconnected(connection.config));
      const last = session;
      session = undefined;
      await last?.close();
    },
  };
  return connection;
}

function disconnected(config: ConnectionConfig): AppError {
  return new AppError({
    code: 'server_disconnected',
    message: `${config.name} was disconnected.`,
    fix: 'Switch the server on again to use it.',
  });
}
