import './jitless.ts';
import type { ServerStatus } from '../types/setup.ts';
import type { CallTool } from '../types/tool.ts';
import { cancelled, makeCall } from './call.ts';
import type { McpCallOptions } from './call.ts';
import { createConnection, DISCONNECTED } from './connection.ts';
import type { Connection } from './connection.ts';
import { failed } from './outcome.ts';
import { createCallQueue } from './queue.ts';
import type { RemoteTool } from './session.ts';
import { sameEndpoint } from './settings.ts';
import type { ConnectionConfig } from './settings.ts';

export type { ConnectionConfig, RemoteTool };

export type Connections = {
  /**
   * Connects and lists the tools. Calls at the same time share one attempt; a connected server answers from
   * what it listed last (to start afresh, `disconnect` first); a changed address, transport or header reconnects.
   * @throws AppError server_unreachable, server_timeout, server_unauthorized, server_not_found, server_failed,
   * server_not_mcp, server_redirect, server_bad_settings, server_disconnected
   */
  connect(config: ConnectionConfig): Promise<RemoteTool[]>;
  /** Forgets the server: what is in flight ends, and later calls fail until it is connected again. */
  disconnect(serverId: number): Promise<void>;
  status(serverId: number): ServerStatus;
  /** Makes one call, by the server's own name of the tool. Never throws. */
  call(
    serverId: number,
    toolName: string,
    args: Record<string, unknown>,
    options: McpCallOptions,
  ): ReturnType<CallTool>;
};

export type ConnectionsDeps = {
  fetch?: typeof fetch;
  /** Milliseconds for the handshake and the list of tools together; 15000 unless told. */
  connectTimeout?: number;
  /** Portside's version, which servers are told. */
  version?: string;
  onStatus: (serverId: number, status: ServerStatus) => void;
  /** The tools of a connected server, at first and whenever it says that they changed. */
  onTools: (serverId: number, tools: RemoteTool[]) => void;
};

/** The connections to MCP servers. Nothing connects by itself: `connect`, or a call to a server once connected. */
export function createConnections(deps: ConnectionsDeps): Connections {
  const connections = new Map<number, Connection>();
  const queue = createCallQueue();
  /** Of servers whose calls are made one after another. A call that waits here holds no place of its origin's. */
  const turns = createCallQueue(() => 1);

  const create = (config: ConnectionConfig): Connection => {
    const connection = createConnection(config, {
      fetch: (url, init) => (deps.fetch ?? fetch)(url, init),
      timeout: deps.connectTimeout ?? 15_000,
      version: deps.version ?? '0',
      onStatus: (status) => deps.onStatus(config.id, status),
      onTools: (tools) => deps.onTools(config.id, tools),
    });
    connections.set(config.id, connection);
    return connection;
  };

  const disconnect = async (serverId: number): Promise<void> => {
    const connection = connections.get(serverId);
    connections.delete(serverId);
    await connection?.close();
  };

  return {
    async connect(config) {
      const old = connections.get(config.id);
      // Not awaited: a server that is slow to say goodbye must not hold up the new connection.
      if (old && !sameEndpoint(old.config, config)) void disconnect(config.id);
      const connection = connections.get(config.id) ?? create(config);
      connection.config = config;
      await connection.ready();
      return connection.tools();
    },
    disconnect,
    status: (serverId) => connections.get(serverId)?.status() ?? DISCONNECTED,
    async call(serverId, toolName, args, options) {
      const connection = connections.get(serverId);
      if (!connection) return failed('error', `${toolName} was not run: its server is not connected.`);
      const make = () => makeCall(connection, queue, { toolName, args, options });
      if (!connection.config.oneAtATime) return make();
      // Only a Stop while it waits throws.
      return turns.run(String(serverId), options.signal, make).catch(() => cancelled(toolName));
    },
  };
}
