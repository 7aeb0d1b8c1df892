import { AppError, toWire } from '../../lib/errors.ts';
import { createConnections, type RemoteTool } from '../../lib/mcp/connections.ts';
import { offeredName } from '../../lib/mcp/names.ts';
import type { Commands, PanelEvent, ServerInput } from '../../lib/protocol.ts';
import type { Database } from '../../lib/storage/database.ts';
import { deleteServer, putServer, serverHeaders, setServerEnabled } from '../../lib/storage/servers.ts';
import { setTool, syncTools } from '../../lib/storage/tools.ts';
import type { Server, ServerStatus } from '../../lib/types/setup.ts';
import {
  requireHeaders,
  requireHttpUrl,
  requireOwnSecret,
  requireText,
  requireTimeout,
  requireTransport,
} from './input.ts';
import { requireOrigin } from './permissions.ts';

export type Servers = ReturnType<typeof createServers>;

/** The person's servers: saving them, and keeping them connected. */
export function createServers(
  db: Database,
  notify: { changed: () => Promise<void>; send: (event: PanelEvent) => void },
) {
  /** Servers that could not even be tried; the others' statuses are the connections' own. */
  const refused = new Map<number, ServerStatus>();
  /** Lists of tools are stored one after another. */
  let writes = Promise.resolve();
  const connections = createConnections({
    onStatus: (serverId, current) => notify.send({ type: 'server_status', serverId, status: current }),
    onTools: (serverId, tools) => {
      writes = writes
        .then(() => sync(serverId, tools))
        .catch((error: unknown) => console.warn('The tools of a server could not be stored.', error));
    },
  });

  /** Tools that run only as tasks (2025-11-25) are left out: Portside can't call them. */
  async function sync(serverId: number, tools: RemoteTool[]): Promise<void> {
    if (!(await db.get('servers', serverId))) return;
    const callable = tools.filter(({ taskOnly }) => !taskOnly);
    const found = callable.map((tool) => ({ ...tool, offeredName: offeredName(serverId, tool.name) }));
    await syncTools(db, serverId, found);
    await notify.changed();
  }

  function status(id: number): ServerStatus {
    return refused.get(id) ?? connections.status(id);
  }

  /**
   * Connects a server that is on; what it offers is in the database when this returns.
   * @throws AppError why it is not connected; its status says the same
   */
  async function connect({ id, url }: Server): Promise<void> {
    refused.delete(id);
    try {
      await requireOrigin(url);
    } catch (error) {
      const failed: ServerStatus = { state: 'error', error: toWire(error), toolCount: 0 };
      refused.set(id, failed);
      notify.send({ type: 'server_status', serverId: id, status: failed });
      throw error;
    }
    const headers = await serverHeaders(db, id);
    const server = await db.get('servers', id); // it may have been switched off or removed meanwhile
    if (!server?.enabled) throw new AppError({ code: 'server_off', message: 'This server is switched off.' });
    const { name, transport, toolTimeout, oneAtATime } = server;
    await connections.connect({ id, name, transport, url: server.url, toolTimeout, oneAtATime, headers });
    await writes;
  }

  /** For where nobody waits: the status, which every page sees, says how it went. */
  function connectInBackground(server: Server): void {
    connect(server).catch(() => undefined);
  }

  /** Connects every enabled server that is not connected, all at once; one bad server never holds up another. */
  async function revive(): Promise<void> {
    const servers = await db.getAll('servers');
    const lost = servers.filter(({ id, enabled }) => enabled && status(id).state !== 'connected');
    await Promise.allSettled(lost.map(connect));
    await writes;
  }

  async function save(input: ServerInput): Promise<{ id: number }> {
    const name = requireText(input.name, 'Name');
    const url = requireHttpUrl(input.url, 'URL');
    requireTimeout(input.toolTimeout);
    const headers = requireHeaders(input.headers);
    const before = input.id === undefined ? undefined : await db.get('servers', input.id);
    if (before && before.headerNames.length > 0 && !headers) requireOwnSecret(before.url, url, 'headers');
    const id = await putServer(db, {
      name,
      transport: requireTransport(input.transport),
      url,
      enabled: input.enabled === true,
      toolTimeout: input.toolTimeout,
      trusted: input.trusted === true,
      oneAtATime: input.oneAtATime === true,
      ...(input.id !== undefined && { id: input.id }),
      ...(headers && { headers }),
    });
    refused.delete(id);
    await connections.disconnect(id);
    await notify.changed();
    const server = await db.get('servers', id);
    if (server?.enabled) connectInBackground(server);
    return { id };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await deleteServer(db, id);
    refused.delete(id);
    await connections.disconnect(id);
    await notify.changed();
  }

  async function setEnabled({ id, enabled }: { id: number; enabled: boolean }): Promise<void> {
    const server = await setServerEnabled(db, id, enabled === true);
    if (!server) return;
    if (!server.enabled) {
      refused.delete(id);
      await connections.disconnect(id);
    }
    await notify.changed();
    if (server.enabled) connectInBackground(server);
  }

  async function reconnect({ id }: { id: number }): Promise<void> {
    const server = await db.get('servers', id);
    if (!server) throw new AppError({ code: 'no_server', message: 'This server is not there any more.' });
    await connections.disconnect(id);
    await connect(server);
  }

  async function choose({ serverId, name, ...choices }: Parameters<Commands['setTool']>[0]): Promise<void> {
    await setTool(db, serverId, name, choices);
    await notify.changed();
  }

  return {
    status,
    connect,
    call: connections.call,
    /** Resolves when what servers listed so far is in the database. */
    synced: () => writes,
    revive,
    save,
    remove,
    setEnabled,
    reconnect,
    choose,
  };
}
