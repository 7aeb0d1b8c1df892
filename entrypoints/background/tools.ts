import { AppError } from '../../lib/errors.ts';
import { untilAborted } from '../../lib/mcp/clock.ts';
import { errorLine, failed } from '../../lib/mcp/outcome.ts';
import type { Database } from '../../lib/storage/database.ts';
import type { CallTool, OfferedTool, Permission, ToolCall } from '../../lib/types.ts';
import type { Servers } from './servers.ts';

/** A run waits this long for its servers, then goes without those still missing. */
const PATIENCE_MS = 5_000;

/** The tools of the connected servers, as runs see them. */
export function createTools(db: Database, servers: Pick<Servers, 'status' | 'connect' | 'revive' | 'call'>) {
  /** What a run may offer to its model, in a stable order, and the servers that were not there in time. */
  async function offer(): Promise<{ tools: OfferedTool[]; missing: string[] }> {
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, PATIENCE_MS);
    await Promise.race([servers.revive(), patience.promise]);
    clearTimeout(timer);

    const enabled = (await db.getAll('servers')).filter((server) => server.enabled);
    const connected = new Map(
      enabled
        .filter(({ id }) => servers.status(id).state === 'connected')
        .map((server) => [server.id, server.name]),
    );
    const tools = (await db.getAll('tools')).flatMap((tool): OfferedTool[] => {
      const serverName = connected.get(tool.serverId);
      if (serverName === undefined || !tool.enabled || !tool.present) return [];
      const { offeredName, name, serverId, description, inputSchema, annotations } = tool;
      return [
        { name: offeredName, toolName: name, serverId, serverName, description, inputSchema, annotations },
      ];
    });
    return { tools, missing: enabled.filter(({ id }) => !connected.has(id)).map(({ name }) => name) };
  }

  /** Makes a call, on a server that may have to be connected first: the worker may be a new one. */
  const call: CallTool = async ({ serverId, toolName }, args, options) => {
    try {
      const id = await untilAborted(reach(serverId, toolName), options.signal);
      return await servers.call(id, toolName, args, options);
    } catch (error) {
      if (options.signal.aborted) return failed('cancelled', `${toolName} was cancelled.`);
      const reason = error instanceof AppError ? errorLine(error) : String(error);
      return failed('error', `${toolName} was not run: ${reason}`);
    }
  };

  /** @throws AppError why the tool can't be called */
  async function reach(serverId: number | null, toolName: string): Promise<number> {
    const server = serverId === null ? undefined : await db.get('servers', serverId);
    if (!server) throw new AppError({ code: 'no_server', message: 'Its server was removed.' });
    if (!server.enabled) {
      throw new AppError({ code: 'server_off', message: `The server ${server.name} was switched off.` });
    }
    const tool = await db.get('tools', [server.id, toolName]);
    if (tool?.enabled === false)
      throw new AppError({ code: 'tool_off', message: 'The tool was switched off.' });
    if (servers.status(server.id).state !== 'connected') await servers.connect(server);
    return server.id;
  }

  async function permission({ serverId, toolName }: ToolCall): Promise<Permission> {
    return (serverId === null ? undefined : await db.get('tools', [serverId, toolName]))?.permission ?? 'ask';
  }

  return { offer, call, permission };
}
