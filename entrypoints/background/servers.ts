import { AppError, toWire } from '../../lib/errors.ts';
import { createConnections, type RemoteTool } from '../../lib/mcp/connections.ts';
import { offeredName } from '../../lib/mcp/names.ts';
import type { Commands, PanelEvent, ServerInput } from '../../lib/protocol.ts';
import type { Database } from '../../lib/storage/database.ts';
import { deleteServer, putServer, serverHeaders } from '../../lib/storage/servers.ts';
import { setTool, syncTools } from '../../lib/storage/tools.ts';
import type { CallTool, OfferedTool, Permission, Server, ServerStatus, ToolCall } from '../../lib/types.ts';
import { requireHttpUrl, requireText } from './input.ts';
import { requireOrigin } from './permissions.ts';

/** A run waits this long for its servers, then goes without those still missing. */
const PATIENCE_MS = 5_000;

/** The person's servers: saving, connecting, and the tools they offer to a run. */
export function createServers(
  db: Database,
  notify: { changed: () => Promise<void>; send: (event: PanelEvent) => void },
) {
  /** Servers that could not even be tried; the others' statuses are the connections' own. */
  const refused = new Map<number, ServerStatus>();
  const connections = createConnections({
    onStatus: (serverId, current) => notify.send({ type: 'server_status', serverId, status: current }),
    onTools: (serverId, tools) => {
      writes = writes
        .then(() => sync(serverId, tools))
        .catch((error: unknown) => {
          console.warn('The tools of a server could not be stored.', error);
        });
    },
  });
  /** Lists of tools are stored one after another. */
  let writes = Promise.resolve();

  /** Tools that run only as tasks (2025-11-25) are left out: Portside can't call them. */
  async function sync(serverId: number, tools: RemoteTool[]): Promise<void> {
    await syncTools(
      db,
      serverId,
      tools.filter(({ taskOnly }) => !taskOnly),
    );
    await notify.changed();
  }

  function status(id: number): ServerStatus {
    return refused.get(id) ?? connections.status(id);
  }

  async function connect(server: Server): Promise<void> {
    refused.delete(server.id);
    try {
      await requireOrigin(server.url);
    } catch (error) {
      const failed: ServerStatus = { state: 'error', error: toWire(error), toolCount: 0 };
      refused.set(server.id, failed);
      notify.send({ type: 'server_status', serverId: server.id, status: failed });
      throw error;
    }
    const { id, name, transport, url, toolTimeout } = server;
    const headers = await serverHeaders(db, id);
    await connections.connect({ id, name, transport, url, toolTimeout, headers });
    await writes; // what it offers is in the database when this returns
  }

  /** Connects every enabled server that is not connected, all at once; one bad server never holds up another. */
  async function revive(): Promise<void> {
    const servers = (await db.getAll('servers')).filter(({ id, enabled }) => {
      return enabled && status(id).state !== 'connected';
    });
    await Promise.allSettled(servers.map(connect));
  }

  async function save(input: ServerInput): Promise<{ id: number }> {
    const name = requireText(input.name, 'Name');
    const url = requireHttpUrl(input.url, 'URL');
    if (!Number.isInteger(input.toolTimeout) || input.toolTimeout < 1) {
      throw new AppError({
        code: 'invalid_input',
        message: 'Tool timeout must be a whole number of milliseconds.',
      });
    }
    const id = await putServer(db, { ...input, name, url });
    await connections.disconnect(id);
    await notify.changed();
    if (input.enabled) void reconnect({ id }).catch(() => undefined); // its status says how it went
    return { id };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await connections.disconnect(id);
    refused.delete(id);
    await deleteServer(db, id);
    await notify.changed();
  }

  async function setEnabled({ id, enabled }: { id: number; enabled: boolean }): Promise<void> {
    const server = await db.get('servers', id);
    if (!server) return;
    await db.put('servers', { ...server, enabled });
    if (!enabled) {
      await connections.disconnect(id);
      refused.delete(id);
    }
    await notify.changed();
    if (enabled) void connect({ ...server, enabled }).catch(() => undefined); // its status says how it went
  }

  async function reconnect({ id }: { id: number }): Promise<void> {
    const server = await db.get('servers', id);
    if (!server) throw new AppError({ code: 'no_server', message: 'This server is not there any more.' });
    await connections.disconnect(id);
    await connect(server);
  }

  /** What a run may offer to its model, in a stable order, and the servers that were not there in time. */
  async function offer(): Promise<{ tools: OfferedTool[]; missing: string[] }> {
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, PATIENCE_MS);
    await Promise.race([revive(), patience.promise]);
    clearTimeout(timer);

    const enabled = (await db.getAll('servers')).filter((server) => server.enabled);
    const connected = new Map(
      enabled.filter(({ id }) => status(id).state === 'connected').map((server) => [server.id, server.name]),
    );
    const rows = await db.getAll('tools');
    const tools = rows.flatMap((tool): OfferedTool[] => {
      const serverName = connected.get(tool.serverId);
      if (serverName === undefined || !tool.enabled || !tool.present) return [];
      const { serverId, description, inputSchema, annotations } = tool;
      const name = offeredName(serverId, tool.name);
      return [{ name, toolName: tool.name, serverId, serverName, description, inputSchema, annotations }];
    });
    return { tools, missing: enabled.filter(({ id }) => !connected.has(id)).map(({ name }) => name) };
  }

  const call: CallTool = async ({ serverId, toolName }, args, options) => {
    const server = serverId === null ? undefined : await db.get('servers', serverId);
    if (!server) {
      return { status: 'error', result: { text: 'The server of this tool was removed.', isError: true } };
    }
    if (connections.status(server.id).state !== 'connected') await connect(server).catch(() => undefined);
    return connections.call(server.id, toolName, args, options);
  };

  async function permission({ serverId, toolName }: ToolCall): Promise<Permission> {
    return (serverId === null ? undefined : await db.get('tools', [serverId, toolName]))?.permission ?? 'ask';
  }

  async function choose({ serverId, name, ...choices }: Parameters<Commands['setTool']>[0]): Promise<void> {
    await setTool(db, serverId, name, choices);
    await notify.changed();
  }

  return { status, revive, save, remove, setEnabled, reconnect, offer, call, permission, choose };
}
