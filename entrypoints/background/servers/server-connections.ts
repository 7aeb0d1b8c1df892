import { createSerial, wait } from '../../../lib/async.ts';
import { AppError, toWire } from '../../../lib/errors.ts';
import {
  createConnections,
  type ConnectionsDeps,
  type CloseReason,
  type RemoteTool,
} from '../../../lib/mcp/connections.ts';
import { offeredName, skillName } from '../../../lib/mcp/names.ts';
import { SERVER_ENDED } from '../../../lib/mcp/transport/native-transport.ts';
import type { Remembered } from '../../../lib/mcp/connection/remembered.ts';
import type { PanelEvent } from '../../../lib/protocol/panel.ts';
import type { Outcome } from '../../../lib/protocol/servers.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  addressOf,
  hiddenOf,
  isLaunchAllowed,
  launchOf,
  loadSession,
  requireSecrets,
  saveSession,
  serverWithSecrets,
  type ServerWithSecrets,
} from '../../../lib/storage/configuration/server-secrets.ts';
import { openSecrets } from '../../../lib/storage/secrets/secret-store.ts';
import { isServerForbidden, refused as notAllowed } from '../../../lib/fleet/rules.ts';
import { markTried, takeOwnName } from '../../../lib/storage/configuration/servers.ts';
import { syncTools } from '../../../lib/storage/configuration/tools.ts';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';
import { skillSchema } from '../../../lib/types/tools/skill.ts';
import type { WireEntry } from '../../../lib/types/wire-log.ts';
import { requireOrigin } from '../browser/permissions.ts';
import { createUnresponsiveServers, GLANCE_MS } from './unresponsive-servers.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Log lines within this time are coalesced: a page must not be busy with a chatty server alone. */
const TOGETHER_MS = 50;

export type ServerConnections = ReturnType<typeof createServerConnections>;

export type ServerConnectionsDeps = Pick<
  ConnectionsDeps,
  'authProvider' | 'version' | 'connectTimeout' | 'native'
> & {
  showsApps?: boolean;
  /** The configuration that pages show is stale. */
  changed: () => Promise<void>;
  statusChanged: (serverId: number, status: ServerStatus) => void;
  /** To the pages that watch this server's log. */
  sendLog: (serverId: number, event: PanelEvent) => void;
  connected: (serverId: number) => void;
  /** A server can't be reached any more, or could not be when it was first tried. */
  lost: () => void;
  resourceUpdated: (serverId: number, uri: string) => void;
};

/** The user's servers and their connections: their lists are stored, and their statuses are sent to every page. */
export function createServerConnections(db: Database, deps: ServerConnectionsDeps) {
  /** Servers that could not even be tried; the others' statuses are the connections' own. */
  const refused = new Map<number, ServerStatus>();
  /** Stores lists of tools. */
  const serial = createSerial();
  const { changed, statusChanged, sendLog, connected, lost, resourceUpdated, ...settings } = deps;
  /** Servers that are in error, and known to be. */
  const failing = new Set<number>();
  /** Lines of logs that no page was told yet. */
  const lines = new Map<number, WireEntry[]>();
  const unresponsive = createUnresponsiveServers(db);
  const connections = createConnections({
    ...settings,
    memory: {
      load: async (id) => (await loadSession(db, id)) as Remembered | undefined,
      save: (id, remembered) => saveSession(db, id, remembered),
    },
    onStatus(serverId, current) {
      statusChanged(serverId, current);
      unresponsive.onSettled(serverId, current.state);
      if (current.state !== 'error') failing.delete(serverId);
      else if (!failing.has(serverId)) {
        failing.add(serverId);
        if (current.error?.retryable) lost();
      }
    },
    onTimeout: unresponsive.onTimeout,
    onTools: (serverId, tools) =>
      void serial(() => sync(serverId, tools)).catch((error: unknown) =>
        console.warn('The tools of a server could not be stored.', error),
      ),
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
    await syncTools(db, serverId, withOfferedNames(serverId, tools));
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
    await connectReachable(id, isQuiet);
    connected(id);
    await synced();
  }

  async function connectReachable(id: number, isQuiet: boolean): Promise<void> {
    const found = await loadWithSecrets(id);
    const server = requireOn(found?.server); // it may have been switched off, removed or changed meanwhile
    if (!found) return;
    unresponsive.onConnecting(server);
    const { name, toolTimeout, oneAtATime, logLevel } = server;
    const secrets = () => hiddenOf(found.secrets);
    const showsApps = deps.showsApps === true && server.withoutApps !== true;
    const common = { id, name, toolTimeout, oneAtATime, logLevel, secrets, showsApps };
    if (server.transport === 'stdio') {
      if (!(await isLaunchAllowed(db, server, found.secrets)))
        throw refuse(server, launchNotAllowed(server), 'launch');
      const { transport, keepRunning = false } = server;
      const launch = launchOf(server, found.secrets);
      await connections.connect({ ...common, transport, launch, keepRunning }, isQuiet);
    } else {
      const { transport, url, isUntried = false } = server;
      const address = addressOf(server, found.secrets);
      const reached = { transport, url: address, headers: found.secrets.headers, wasConnected: !isUntried };
      await connections.connect({ ...common, ...reached }, isQuiet);
      if (isUntried) await markTried(db, id, url);
    }
    const info = server.isUnnamed && connections.offer(id)?.info;
    if (!info) return;
    await takeOwnName(db, id, info.title ?? info.name);
    await changed();
    // Its connection needs the new name, too.
    await connectReachable(id, isQuiet);
  }

  /** What keeps a server from being tried at all becomes its status. @throws AppError */
  async function requireReachable(server: Server): Promise<void> {
    if (isServerForbidden(server)) throw refuse(server, notAllowed('own'));
    if (server.transport === 'stdio') return;
    try {
      await requireOrigin(server.url);
    } catch (error) {
      throw refuse(server, error);
    }
  }

  /** The server with its secrets; that they can't be read becomes its status. @throws AppError */
  async function loadWithSecrets(id: number): Promise<ServerWithSecrets | undefined> {
    try {
      const found = await serverWithSecrets(db, id);
      if (found?.server.enabled) requireSecrets(found.server, found.secrets);
      return found;
    } catch (error) {
      throw refuse({ id }, error);
    }
  }

  /** `reason`: what the user has to do, if nothing is wrong. */
  function refuse({ id }: Pick<Server, 'id'>, error: unknown, reason?: 'launch'): unknown {
    const why = reason
      ? { state: 'disconnected' as const, reason }
      : { state: 'error' as const, error: toWire(error) };
    const current: ServerStatus = { ...why, toolCount: 0 };
    refused.set(id, current);
    statusChanged(id, current);
    return error;
  }

  /**
   * Connects every enabled server that is not connected, all at once; one bad server never holds up another.
   * @param by a run waits for none longer than it makes sense; a page starts no program again that ended again and again
   */
  async function revive(by?: 'run' | 'page'): Promise<Record<number, Outcome>> {
    const isForRun = by === 'run';
    const isWanted = ({ state, error }: ServerStatus): boolean =>
      state !== 'connected' && !(by === 'page' && error?.code === SERVER_ENDED);
    const fresh = connections.freshen();
    const [outcomes] = await Promise.all([
      connectEvery(isWanted, { isForRun }),
      isForRun ? Promise.race([fresh, wait(GLANCE_MS)]) : fresh,
    ]);
    return outcomes;
  }

  /** The same for those only that were lost and may be back; they stay in error meanwhile. */
  const retry = () =>
    connectEvery(({ state, error }) => state === 'error' && error?.retryable === true, {
      isQuiet: true,
    });

  async function connectEvery(
    isWanted: (status: ServerStatus) => boolean,
    { isQuiet = false, isForRun = false }: { isQuiet?: boolean; isForRun?: boolean },
  ): Promise<Record<number, Outcome>> {
    const list = async () =>
      (await db.getAll('servers')).filter(({ id, enabled }) => enabled && isWanted(status(id)));
    // Most runs find every server connected: nothing is read for them then.
    if ((await list()).length === 0) return {};
    await openSecrets(db);
    const wanted = await list();
    const outcomes = wanted.toSorted(byPromise).map((server) => {
      const outcome = outcomeOf(connect(server, isQuiet)).then((each) => [[server.id, each] as const]);
      return isForRun ? unresponsive.whileResponsive(server, outcome, []) : outcome;
    });
    return Object.fromEntries((await Promise.all(outcomes)).flat());
  }

  /** Connects a server that is on unless it is connected. @throws AppError why it can't be asked */
  async function reach(id: number): Promise<void> {
    requireOn(await db.get('servers', id));
    if (status(id).state !== 'connected') await connect({ id });
  }

  async function disconnect(id: number, why?: CloseReason): Promise<void> {
    refused.delete(id);
    await connections.disconnect(id, why);
  }

  /** Resolves when what servers listed so far is in the database. */
  const synced = (): Promise<void> => serial(async () => undefined);

  return { ...connections, status, connect, reach, disconnect, revive, retry, synced };
}

/** How it ended, in place of a rejection. */
export function outcomeOf(job: Promise<unknown>): Promise<Outcome> {
  return job.then(
    () => ({ ok: true }),
    (error: unknown) => ({ ok: false, error: toWire(error) }),
  );
}

/** Under the names by which models know them. A tool can be named as the name of another one comes out: it is for no model. */
function withOfferedNames(serverId: number, tools: RemoteTool[]) {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const named = withOfferedName(serverId, tool, tools);
    const { offeredName: shown } = named;
    const isTaken = taken.has(shown);
    taken.add(shown);
    if (!isTaken) return named;
    const problem = t(($) => $.errors.offer.toolTwice, { shown });
    return { ...named, offeredName: `${shown} ${tool.name}`, problem };
  });
}

/**
 * Under the name by which models know it. A skill's name is no identifier (SEP-2640): of several on a server that share one each
 * goes by its address.
 */
function withOfferedName(serverId: number, tool: RemoteTool, all: RemoteTool[]) {
  const { name, skill } = tool;
  if (!skill) return { ...tool, offeredName: offeredName(serverId, name) };
  const isAlone = all.filter((other) => other.skill && other.title === tool.title).length === 1;
  const title = isAlone ? (tool.title ?? '') : name.replace(/\/SKILL\.md$/, '');
  const ofSkill = skillName(serverId, title, name, isAlone);
  return { ...tool, title, offeredName: ofSkill, inputSchema: skillSchema(ofSkill, name) };
}

/** In which order an origin's handshakes begin: servers that worked, new ones, unresponsive ones by their last try. */
function byPromise(one: Server, other: Server): number {
  // 0 before 1 before any time.
  const doubts = (server: Server): number => server.silentAt ?? Number('isUntried' in server);
  return doubts(one) - doubts(other);
}

function requireOn(server: Server | undefined): Server {
  if (!server) throw noServer();
  if (server.enabled) return server;
  throw new AppError({ code: 'server_off', ...t(($) => $.errors.setup.serverOff, { name: server.name }) });
}

export function noServer(): AppError {
  return new AppError({ code: 'no_server', ...t(($) => $.errors.setup.noServer) });
}

/** The user has not allowed what it starts. */
export function launchNotAllowed({ name }: Pick<Server, 'name'>): AppError {
  return new AppError({ code: 'server_launch', ...t(($) => $.errors.setup.toBeSeen, { name }) });
}
