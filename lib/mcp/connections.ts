import './jitless.ts';
import type { AuthProvider } from '@modelcontextprotocol/client';
import { createQueue, type Queue } from '../async.ts';
import { AppError } from '../errors.ts';
import type { Offer } from '../types/offer.ts';
import type { ServerStatus } from '../types/server.ts';
import type { CallTool } from '../types/tools/call-tool.ts';
import type { LogLevel, WireEntry } from '../types/wire-log.ts';
import { makeCall, type McpCallOptions, notConnected } from './calls/call.ts';
import {
  type CloseReason,
  type ConnectionDeps,
  createServerConnection,
  DISCONNECTED,
  type ServerConnection,
} from './connection/server-connection.ts';
import { secretsOf } from './failures/failures.ts';
import { createCompleter } from './calls/completion.ts';
import { cancelled } from './calls/outcome.ts';
import { getPrompt, readRawResource, readResource } from './calls/prompts-and-resources.ts';
import { addSkill, readSkill } from './calls/skills.ts';
import { shownOffer } from './offer/listing.ts';
import { createNativeLink, type NativeLink } from './transport/native-link.ts';
import type { Remembered } from './connection/remembered.ts';
import type { RemoteTool } from './offer/read-tools.ts';
import { createOriginLimits } from './transport/origin-limits.ts';
import { type ConnectionConfig, endpointOf, type RemoteConfig } from './settings.ts';
import { createWireLog, type WireLog } from './log/wire-log.ts';
import { t } from '../../locales/texts/errors.ts';

export type { ConnectionConfig, CloseReason, RemoteConfig, RemoteTool };

export type ConnectionsDeps = {
  fetch?: typeof fetch;
  /** What starts programs. */
  native?: NativeLink;
  /** Milliseconds for the handshake and the lists together; 15000 unless told, of a program 60000. */
  connectTimeout?: number;
  /** Portside's version, which servers are told. */
  version?: string;
  /** What a server turned out to speak, and its session, so that a new worker need not ask again. */
  memory?: {
    load(serverId: number): Promise<Remembered | undefined>;
    save(serverId: number, remembered: Remembered | undefined): Promise<void>;
  };
  /** How to sign in at a server (oauth/), and what is secret of that; undefined for one that needs none. */
  authProvider?: (config: RemoteConfig) => (AuthProvider & { secrets?: () => string[] }) | undefined;
  onStatus: (serverId: number, status: ServerStatus) => void;
  /** Its handshake has not ended in time (RESPONSE_DEADLINE) and goes on. */
  onTimeout?: (serverId: number) => void;
  /** The tools of a connected server, at first and whenever it says that they changed. */
  onTools: (serverId: number, tools: RemoteTool[]) => void;
  /** What it offers besides changed, or is there for the first time. */
  onOffer?: (serverId: number) => void;
  onLog?: (serverId: number, entry: WireEntry) => void;
  /** A subscribed resource changed on the server. */
  onResourceUpdated?: (serverId: number, uri: string) => void;
};

export type Connections = ReturnType<typeof createConnections>;

/** One server as long as the worker lives; its connection comes and goes. */
type Peer = {
  connection: ServerConnection | undefined;
  /** As it was connected last: its secrets must stand in no line of the log. */
  config: ConnectionConfig | undefined;
  log: WireLog;
  uris: string[];
};

/** The connections to MCP servers. Nothing connects by itself: `connect`, or a call to a server once connected. */
export function createConnections(deps: ConnectionsDeps) {
  const peers = new Map<number, Peer>();
  const limits = createOriginLimits();
  const queue = limits.calls;
  /** Of servers whose calls are made one after another. A call that waits here holds no place of its origin's. */
  const turns = createQueue(() => 1);

  const peerOf = (serverId: number): Peer => {
    const peer = peers.get(serverId) ?? createPeer(serverId);
    peers.set(serverId, peer);
    return peer;
  };
  const createPeer = (serverId: number): Peer => {
    const log = createWireLog({
      now: Date.now,
      onEntry: (entry) => deps.onLog?.(serverId, entry),
      secrets: () => (peer.config ? secretsOf(peer.config) : []),
    });
    const peer: Peer = { connection: undefined, config: undefined, log, uris: [] };
    return peer;
  };
  const connected = (serverId: number): ServerConnection => {
    const connection = peers.get(serverId)?.connection;
    if (!connection)
      throw new AppError({ code: 'server_disconnected', ...t(($) => $.errors.mcp.notConnected) });
    return connection;
  };
  const disconnect = async (serverId: number, why?: CloseReason): Promise<void> => {
    const peer = peers.get(serverId);
    if (!peer?.connection) return deps.memory?.save(serverId, undefined);
    const { connection } = peer;
    peer.connection = undefined;
    await connection.close(why);
  };

  /** Makes a request of a connected server. @throws AppError server_disconnected, and what that throws */
  const requesting =
    <Args extends unknown[], T>(
      request: (connection: ServerConnection, queue: Queue, ...args: Args) => Promise<T>,
    ) =>
    async (serverId: number, ...args: Args): Promise<T> =>
      request(connected(serverId), queue, ...args);

  return {
    /**
     * Connects and lists what the server offers. Calls at the same time share one attempt; a connected server answers from
     * what it listed last (to start afresh, `disconnect` first); a changed address, transport or header reconnects.
     * @param isQuiet one in error stays so until it is connected
     * @throws AppError server_unreachable, server_timeout, server_unauthorized, server_sign_in, server_not_found,
     * server_failed, server_not_mcp, server_redirect, server_bad_settings, server_disconnected, server_crowded
     */
    async connect(settings: ConnectionConfig, isQuiet?: boolean): Promise<RemoteTool[]> {
      const provider = settings.transport === 'stdio' ? undefined : deps.authProvider?.(settings);
      const config = {
        ...settings,
        secrets: () => [settings, provider].flatMap((each) => each?.secrets?.() ?? []),
      };
      const peer = peerOf(config.id);
      const old = peer.connection;
      // Not awaited: a server that is slow to say goodbye must not hold up the new connection.
      if (old && endpointOf(old.config) !== endpointOf(config)) void disconnect(config.id, 'reconnected');
      const connection = (peer.connection ??= createServerConnection(config, {
        ...connectionDeps(deps, config.id, peer),
        limits,
      }));
      connection.config = config;
      peer.config = config;
      await connection.ready({ isQuiet });
      return connection.tools();
    },
    /** Forgets the server: what is in flight is cancelled, and later calls fail until it is connected again. */
    disconnect,
    /** Lists again what may have changed unnoticed: at servers whose own stream has no room. */
    async freshen(): Promise<void> {
      await Promise.all([...peers.values()].map(({ connection }) => connection?.current()?.freshen()));
    },
    status: (serverId: number): ServerStatus => peers.get(serverId)?.connection?.status() ?? DISCONNECTED,
    /** What it offers besides tools; undefined while it is not connected. */
    offer: (serverId: number): Offer | undefined => peers.get(serverId)?.connection?.offer(),
    /** The same without secrets in what it says of itself. */
    shownOffer(serverId: number): Offer | undefined {
      const connection = peers.get(serverId)?.connection;
      const offer = connection?.offer();
      return connection && offer && shownOffer(offer, connection.config);
    },
    /** Makes one call, by the server's own name of the tool. Never throws. */
    async call(
      serverId: number,
      toolName: string,
      args: Record<string, unknown>,
      options: McpCallOptions,
    ): ReturnType<CallTool> {
      const connection = peers.get(serverId)?.connection;
      if (!connection) return options.signal.aborted ? cancelled(toolName) : notConnected(toolName);
      const make = () => makeCall(connection, queue, { toolName, args, options });
      if (!connection.config.oneAtATime) return make();
      // Only a Stop while it waits throws.
      return turns.run(String(serverId), options.signal, make).catch(() => cancelled(toolName));
    },
    getPrompt: requesting(getPrompt),
    readResource: requesting(readResource),
    readSkill: requesting(readSkill),
    /** `onTools` tells of it. */
    addSkill: requesting(addSkill),
    readRawResource: requesting(readRawResource),
    complete: requesting(createCompleter()),
    /** Which resources' updates are wanted of a server; replaces what was wanted before. Holds over reconnects. */
    subscribeResources(serverId: number, uris: string[]): void {
      const peer = peerOf(serverId);
      peer.uris = uris;
      peer.connection?.current()?.subscribe(uris);
    },
    /** The last lines of its log, oldest first; they outlive a disconnect, but not the worker. */
    log: (serverId: number): WireEntry[] => peers.get(serverId)?.log.entries() ?? [],
    /** Changes from which severity on a connected server logs things, undefined: as it likes. */
    setLogLevel(serverId: number, level: LogLevel | undefined): void {
      const connection = peers.get(serverId)?.connection;
      if (!connection) return;
      connection.config = { ...connection.config, logLevel: level };
      connection.current()?.setLogLevel(level);
    },
  };
}

const noBrowser = (): never => {
  throw new Error('Only a browser can start it.');
};

function connectionDeps(deps: ConnectionsDeps, serverId: number, peer: Peer): Omit<ConnectionDeps, 'limits'> {
  // A server that is not remembered is asked again: no harm that a connection should fail for.
  const forgotten = (error: unknown): undefined => {
    peer.log.problem(t(($) => $.errors.mcp.log.notKept, { why: String(error) }));
  };
  return {
    fetch: (url, init) => (deps.fetch ?? fetch)(url, init),
    timeout: deps.connectTimeout,
    version: deps.version ?? '0',
    log: peer.log,
    native: deps.native ?? createNativeLink(noBrowser),
    authProvider: (config) => (config.transport === 'stdio' ? undefined : deps.authProvider?.(config)),
    wanted: () => ({ uris: peer.uris }),
    load: async () => deps.memory?.load(serverId).catch(forgotten),
    save: (remembered) => void deps.memory?.save(serverId, remembered).catch(forgotten),
    onStatus: (status) => deps.onStatus(serverId, status),
    onTimeout: () => deps.onTimeout?.(serverId),
    onTools: (tools) => deps.onTools(serverId, tools),
    onOffer: () => deps.onOffer?.(serverId),
    onResourceUpdated(uri) {
      // Servers may notify of a part of a subscribed resource (spec 2025-11-25, server/resources, "Subscriptions").
      for (const each of peer.uris) {
        const isPart = uri.startsWith(each.replace(/\/?$/, '/'));
        if (uri === each || isPart) deps.onResourceUpdated?.(serverId, each);
      }
    },
  };
}
