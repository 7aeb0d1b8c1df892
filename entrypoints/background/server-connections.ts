import { AppError, toWire } from '../../lib/errors.ts';
import {
  createConnections,
  type ConnectionsDeps,
  type Farewell,
  type RemoteTool,
} from '../../lib/mcp/connections.ts';
import { offeredName } from '../../lib/mcp/names.ts';
import type { Remembered } from '../../lib/mcp/remembered.ts';
import type { Outcome, PanelEvent } from '../../lib/protocol.ts';
import type { Database } from '../../lib/storage/database.ts';
import { loadSession, markTried, saveSession, serverWithSecrets } from '../../lib/storage/servers.ts';
import { syncTools } from '../../lib/storage/tools.ts';
import type { Server, ServerStatus } from '../../lib/types/setup.ts';
import type { WireEntry } from '../../lib/types/wire-log.ts';
import * as setupErrors from '../../locales/errors/setup.ts';
import { requireOrigin } from './permissions.ts';

/** Lines of a log that come within this time are told together: a page must not be busy with a chatty server alone. */
const TOGETHER_MS = 50;

export type ServerConnections = ReturnType<typeof createServerConnections>;

export type ServerConnectionsDeps = Pick<ConnectionsDeps, 'authProvider' | 'version' | 'connectTimeout'> & {
  /** What pages know of the set-up is not so any more. */
  changed: () => Promise<void>;
  /** To every page. */
  send: (event: PanelEvent) => void;
  /** To the pages that watch this server's log. */
  sendLog: (serverId: number, event: PanelEvent) => void;
  connected: (serverId: number) => void;
  /** A server can't be reached any more, or not for the first time. */
  lost: () => void;
  resourceUpdated: (serverId: number, uri: string) => void;
};

/** The person's servers as they are connected: what they list is stored, and how they are is told to every page. */
export function createServerConnections(db: Database, deps: ServerConnectionsDeps) {
  /** Servers that could not even be tried; the others' statuses are the connections' own. */
  const refused = new Map<number, ServerStatus>();
  /** Lists of tools are stored one after another. */
  let writes = Promise.resolve();
  const { changed, send, sendLog, connected, lost, resourceUpdated, ...settings } = deps;
  /** Servers that are in error, and known to be. */
  const failing = new Set<number>();
  /** Lines of logs that no page was told yet. */
  const lines = new Map<number, WireEntry[]>();
  const connections = createConnections({
    ...settings,
    memory: {
      load: async (id) => (await loadSession(db, id)) as Remembered | undefined,
      save: (id, remembered) => saveSession(db, id, remembered),
    },
    onStatus(serverId, current) {
      send({ type: 'server_status', serverId, status: current });
      if (current.state !== 'error') failing.delete(serverId);
      else if (!failing.has(serverId)) {
        failing.add(serverId);
        if (current.error?.retryable) lost();
      }
    },
    onTools: (serverId, tools) => {
      writes = writes
        .then(() => sync(serverId, tools))
        .catch((error: unknown) => console.warn('The tools of a server could not be stored.', error));
    },
    onOffer: () =>
      void changed().catch((error: unknown) =>
        console.warn('The pages were not told what is offered.', error),
      ),
    onLog: tellLine,
    onResourceUpdated: resourceUpdated,
  });

  function tellLine(serverId: number, entry: WireEntry): void {
    const untold = lines.get(serverId);
    if (untold) return void untold.push(entry);
    const entries = [entry];
    lines.set(serverId, entries);
    setTimeout(() => {
      lines.delete(serverId);
      sendLog(serverId, { type: 'server_log', serverId, entries });
    }, TOGETHER_MS);
  }

  async function sync(serverId: number, tools: RemoteTool[]): Promise<void> {
    if (!(await db.get('servers', serverId))) return;
    const found = tools.map((tool) => ({ ...tool, offeredName: offeredName(serverId, tool.name) }));
    await syncTools(db, serverId, found);
    await changed();
  }

  function status(id: number): ServerStatus {
    return refused.get(id) ?? connections.status(id);
  }

  /**
   * Connects a server that is on; what it offers is in the database when this returns.
   * @param isQuiet one in error stays so until it is connected
   * @throws AppError why it is not connected; its status says the same
   */
  async function connect({ id }: Pick<Server, 'id'>, isQuiet = false): Promise<void> {
    refused.delete(id);
    await requireReachable(requireOn(await db.get('servers', id)));
    const found = await serverWithSecrets(db, id);
    const server = requireOn(found?.server); // it may have been switched off, removed or changed meanwhile
    if (!found || server.transport === 'stdio') return;
    const { name, transport, url, toolTimeout, oneAtATime } = server;
    const { headers } = found.secrets;
    await connections.connect({ id, name, transport, url, toolTimeout, oneAtATime, headers }, isQuiet);
    if (server.isUntried) await markTried(db, id, url);
    connected(id);
    await writes;
  }

  /** What keeps a server from being tried at all becomes its status. @throws AppError */
  async function requireReachable(server: Server): Promise<void> {
    try {
      if (server.transport === 'stdio') throw nativeHostMissing(server.name);
      await requireOrigin(server.url);
    } catch (error) {
      const current: ServerStatus = { state: 'error', error: toWire(error), toolCount: 0 };
      refused.set(server.id, current);
      send({ type: 'server_status', serverId: server.id, status: current });
      throw error;
    }
  }

  /** Connects every enabled server that is not connected, all at once; one bad server never holds up another. */
  async function revive(): Promise<Record<number, Outcome>> {
    const fresh = connections.freshen();
    const outcomes = await connectEvery(({ state }) => state !== 'connected');
    await fresh;
    return outcomes;
  }

  /** The same for those only that were lost and may be back; they stay in error meanwhile. */
  const retry = () =>
    connectEvery(({ state, error }) => state === 'error' && error?.retryable === true, true);

  async function connectEvery(
    isWanted: (status: ServerStatus) => boolean,
    isQuiet = false,
  ): Promise<Record<number, Outcome>> {
    const servers = await db.getAll('servers');
    const wanted = servers.filter(({ id, enabled }) => enabled && isWanted(status(id)));
    const outcomes = await Promise.all(
      wanted.map(async (server) => [server.id, await outcomeOf(connect(server, isQuiet))] as const),
    );
    return Object.fromEntries(outcomes);
  }

  /** Connects a server that is on unless it is connected. @throws AppError why it can't be asked */
  async function reach(id: number): Promise<void> {
    requireOn(await db.get('servers', id));
    if (status(id).state !== 'connected') await connect({ id });
  }

  async function disconnect(id: number, why?: Farewell): Promise<void> {
    refused.delete(id);
    await connections.disconnect(id, why);
  }

  /** Resolves when what servers listed so far is in the database. */
  const synced = (): Promise<void> => writes;

  return { ...connections, status, connect, reach, disconnect, revive, retry, synced };
}

/** How it ended, in place of a rejection. */
export function outcomeOf(job: Promise<unknown>): Promise<Outcome> {
  return job.then(
    () => ({ ok: true }),
    (error: unknown) => ({ ok: false, error: toWire(error) }),
  );
}

function requireOn(server: Server | undefined): Server {
  if (!server) throw noServer();
  if (server.enabled) return server;
  throw new AppError({ code: 'server_off', ...setupErrors.serverOff(server.name) });
}

export function noServer(): AppError {
  return new AppError({ code: 'no_server', ...setupErrors.noServer });
}

function nativeHostMissing(name: string): AppError {
  return new AppError({ code: 'native_host_missing', ...setupErrors.nativeHostMissing(name) });
}
