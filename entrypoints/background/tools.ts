import { AppError } from '../../lib/errors.ts';
import { untilAborted } from '../../lib/mcp/clock.ts';
import { errorLine, failed } from '../../lib/mcp/outcome.ts';
import type { Database } from '../../lib/storage/database.ts';
import { grantFor, putGrant } from '../../lib/storage/grants.ts';
import { setTool } from '../../lib/storage/tools.ts';
import { createBuiltIn } from '../../lib/tools/built-in.ts';
import { fingerprint } from '../../lib/trust/fingerprint.ts';
import { permissionFor } from '../../lib/trust/permission.ts';
import type { Tool } from '../../lib/types/setup.ts';
import type { CallTool, OfferedTool, Permission, ToolCall } from '../../lib/types/tool.ts';
import type { Servers } from './servers.ts';

/** A run waits this long for its servers, then goes without those still missing. */
const PATIENCE_MS = 5_000;

type Schema = Record<string, unknown>;

/** The tools of the connected servers and Portside's own, as runs see them. */
export function createTools(
  db: Database,
  servers: Pick<Servers, 'status' | 'connect' | 'revive' | 'call'>,
  changed: () => Promise<void>,
) {
  /** What each conversation's latest run was offered: what it searches in. */
  const offered = new Map<string, OfferedTool[]>();
  const same = createSame();
  const builtIn = createBuiltIn({
    readCall: (callId) => db.get('toolCalls', callId),
    toolsOf: async (conversationId) => offered.get(conversationId) ?? (await connectedTools()).tools,
  });
  const { searchTool } = builtIn;

  /**
   * What a run may call, in a stable order: the servers' tools by server and name, then Portside's own. And the servers
   * that were not there in time.
   */
  async function offer(conversationId: string) {
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, PATIENCE_MS);
    await Promise.race([servers.revive(), patience.promise]);
    clearTimeout(timer);
    const { missing, ...connected } = await connectedTools();
    const tools = same(connected.tools);
    offered.set(conversationId, tools);
    return { tools: [...tools, ...builtIn.definitions], searchTool, missing };
  }

  async function connectedTools(): Promise<{ tools: OfferedTool[]; missing: string[] }> {
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
  const call: CallTool = async (wanted, args, options) => {
    if (wanted.serverId === null) return builtIn.call(wanted, args, options);
    const { serverId, toolName } = wanted;
    try {
      await untilAborted(reach(serverId, toolName), options.signal);
      return await servers.call(serverId, toolName, args, options);
    } catch (error) {
      if (options.signal.aborted) return failed('cancelled', `${toolName} was cancelled.`);
      const reason = error instanceof AppError ? errorLine(error) : String(error);
      return failed('error', `${toolName} was not run: ${reason}`);
    }
  };

  /** @throws AppError why the tool can't be called */
  async function reach(serverId: number, toolName: string): Promise<void> {
    const server = await db.get('servers', serverId);
    if (!server) throw new AppError({ code: 'no_server', message: 'Its server was removed.' });
    if (!server.enabled) {
      throw new AppError({ code: 'server_off', message: `The server ${server.name} was switched off.` });
    }
    const tool = await db.get('tools', [server.id, toolName]);
    if (tool?.enabled === false)
      throw new AppError({ code: 'tool_off', message: 'The tool was switched off.' });
    if (servers.status(server.id).state !== 'connected') await servers.connect(server);
  }

  /** Portside's own tools only read what is in the chat anyway: nobody is asked. */
  async function permission(toCall: ToolCall): Promise<Permission> {
    const { serverId, toolName, conversationId } = toCall;
    if (serverId === null) return 'allow';
    const [tool, server, given] = await Promise.all([
      db.get('tools', [serverId, toolName]),
      db.get('servers', serverId),
      grantFor(db, conversationId, serverId, toolName),
    ]);
    if (!tool || !server) return 'ask';
    return permissionFor(tool, server, given, await fingerprint(tool));
  }

  async function grant(toCall: ToolCall, scope: 'chat' | 'always'): Promise<void> {
    const { serverId, toolName, conversationId } = toCall;
    const tool = await rowOf(toCall);
    if (serverId === null || !tool) return;
    if (scope === 'always') {
      await setTool(db, serverId, toolName, { permission: 'allow' });
      return changed();
    }
    const givenAt = new Date().toISOString();
    await putGrant(db, { conversationId, serverId, toolName, fingerprint: await fingerprint(tool), givenAt });
  }

  async function schemaOf(toCall: ToolCall): Promise<Schema | undefined> {
    const own = [...builtIn.definitions, searchTool].find(({ toolName }) => toolName === toCall.toolName);
    return (toCall.serverId === null ? own : await rowOf(toCall))?.inputSchema;
  }

  async function rowOf({ serverId, toolName }: ToolCall): Promise<Tool | undefined> {
    return serverId === null ? undefined : db.get('tools', [serverId, toolName]);
  }

  return { offer, call, permission, grant, schemaOf };
}

/** Gives the list from before when nothing changed, so that it is held, and the index of its search built, only once. */
function createSame(): (tools: OfferedTool[]) => OfferedTool[] {
  let last: { tools: OfferedTool[]; text: string } | undefined;
  return (tools) => {
    const text = JSON.stringify(tools);
    if (last?.text !== text) last = { tools, text };
    return last.tools;
  };
}
