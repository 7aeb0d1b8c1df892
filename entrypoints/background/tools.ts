import { isRepeatable } from '../../lib/agent/ledger.ts';
import { AppError } from '../../lib/errors.ts';
import { untilAborted } from '../../lib/mcp/clock.ts';
import { errorLine, failed } from '../../lib/mcp/outcome.ts';
import type { ListedTool } from '../../lib/protocol.ts';
import type { Database } from '../../lib/storage/database.ts';
import { grantFor, putGrant } from '../../lib/storage/grants.ts';
import { setTool, toolsOf } from '../../lib/storage/tools.ts';
import { createBuiltIn } from '../../lib/tools/built-in.ts';
import { checkArguments } from '../../lib/tools/check-arguments.ts';
import { fingerprint } from '../../lib/trust/fingerprint.ts';
import { permissionFor } from '../../lib/trust/permission.ts';
import type { Ask } from '../../lib/types/request.ts';
import { isOn, type Tool, type ToolOverrides } from '../../lib/types/setup.ts';
import type { CallTool, OfferedTool, Permission, ToolCall } from '../../lib/types/tool.ts';
import type { ServerConnections } from './server-connections.ts';

/** The conversation of calls that the person makes outside any chat: nobody needs to be asked, and no chat has them off. */
export const OWN = '';

/** A run waits this long for its servers, then goes without those still missing. */
const PATIENCE_MS = 5_000;

type Schema = Record<string, unknown>;
/** A call, as far as it says what is to be called. */
type Wanted = Parameters<CallTool>[0];

export type ToolsDeps = {
  servers: Pick<ServerConnections, 'status' | 'connect' | 'revive' | 'synced' | 'call'>;
  /** What pages know of the set-up is not so any more. */
  changed: () => Promise<void>;
  /** What a server asks of the person in the middle of this call. */
  askFor: (call: { serverId: number; callId: string; conversationId: string }) => Ask;
};

/** The tools of the connected servers and Portside's own, as runs see them. */
export function createTools(db: Database, { servers, changed, askFor }: ToolsDeps) {
  /** What each conversation's latest run was offered: what it searches in. */
  const offered = new Map<string, OfferedTool[]>();
  const same = createSame();
  const builtIn = createBuiltIn({
    readCall: (callId) => db.get('toolCalls', callId),
    toolsOf: async (conversationId) =>
      offered.get(conversationId) ?? (await connectedTools(await overridesOf(conversationId))).tools,
  });
  const { searchTool } = builtIn;

  /**
   * What a run may call, in a stable order: the servers' tools by server and name, then Portside's own. And the servers
   * that were not there in time.
   * @param overrides what its chat has on or off
   */
  async function offer(conversationId: string, overrides: ToolOverrides | undefined) {
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, PATIENCE_MS);
    await Promise.race([servers.revive(), patience.promise]);
    clearTimeout(timer);
    const { missing, ...connected } = await connectedTools(overrides);
    const tools = same(connected.tools);
    offered.set(conversationId, tools);
    return { tools: [...tools, ...builtIn.definitions], searchTool, missing };
  }

  async function overridesOf(conversationId: string): Promise<ToolOverrides | undefined> {
    return (await db.get('conversations', conversationId))?.tools;
  }

  async function connectedTools(overrides: ToolOverrides | undefined) {
    const enabled = (await db.getAll('servers')).filter((server) => server.enabled);
    const connected = new Map(
      enabled
        .filter(({ id }) => servers.status(id).state === 'connected')
        .map((server) => [server.id, server.name]),
    );
    const tools = (await db.getAll('tools')).flatMap((tool): OfferedTool[] => {
      const serverName = connected.get(tool.serverId);
      if (serverName === undefined || !tool.present) return [];
      if (tool.problem !== undefined || !isOn(tool, overrides)) return [];
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
      const mayRun = () => requireRunnable(wanted, args);
      await untilAborted(reach(serverId).then(mayRun), options.signal); // first, so that no other call waits for it
      const tool = await rowOf(wanted);
      const repeatable = tool !== undefined && isRepeatable(tool);
      const ask = askFor({ ...wanted, serverId });
      return await servers.call(serverId, toolName, args, { ...options, mayRun, ask, repeatable });
    } catch (error) {
      if (options.signal.aborted) return failed('cancelled', `${toolName} was cancelled.`);
      const reason = error instanceof AppError ? errorLine(error) : String(error);
      return failed('error', `${toolName} was not run: ${reason}`);
    }
  };

  /** @throws AppError why the server can't be asked */
  async function reach(serverId: number): Promise<void> {
    const server = await db.get('servers', serverId);
    if (!server) throw new AppError({ code: 'no_server', message: 'Its server was removed.' });
    if (!server.enabled) {
      throw new AppError({ code: 'server_off', message: `The server ${server.name} was switched off.` });
    }
    if (servers.status(server.id).state !== 'connected') await servers.connect(server);
  }

  /**
   * Looks at the tool as its server lists it now: since the call was allowed, approved or checked it may have become
   * another one.
   * @throws AppError why the call must not be made
   */
  async function requireRunnable(wanted: Wanted, args: Record<string, unknown>): Promise<void> {
    await servers.synced();
    const tool = await rowOf(wanted);
    requireCallable(tool);
    // The person tries it: with whatever they want to see what the server makes of it.
    if (wanted.conversationId === OWN) return;
    if (!isOn(tool, await overridesOf(wanted.conversationId)))
      throw refusal('tool_off', 'The tool was switched off.');
    if (!(await isReleased(wanted, tool))) {
      const why = `The definition of ${tool.name} changed since it was allowed, or the permission was withdrawn.`;
      throw refusal('definition_changed', `${why} Call it again to have the person asked.`);
    }
    const violation = checkArguments(tool.inputSchema, args);
    if (violation !== undefined) {
      throw refusal('bad_arguments', `The arguments do not fit the tool’s schema: ${violation}`);
    }
  }

  /** By a permission that is in force for what the tool is now, or by the person, who was asked about just that. */
  async function isReleased(wanted: Wanted, tool: Tool): Promise<boolean> {
    if ((await permission(wanted)) === 'allow') return true;
    const row = await db.get('toolCalls', wanted.callId);
    return row?.fingerprint === (await fingerprint(tool));
  }

  /** Portside's own tools only read what is in the chat anyway: nobody is asked. */
  async function permission(toCall: Wanted): Promise<Permission> {
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

  /** What the person is asked about: the tool as it is now. Undefined when it is not known. */
  async function definitionOf(toCall: ToolCall) {
    const tool = await rowOf(toCall);
    return tool && { fingerprint: await fingerprint(tool), annotations: tool.annotations };
  }

  /** @throws AppError `definition_changed` when the tool is not any more what the person was asked about */
  async function grant(toCall: ToolCall, scope: 'chat' | 'always'): Promise<void> {
    const { serverId, toolName, conversationId } = toCall;
    const tool = await rowOf(toCall);
    if (serverId === null || !tool) return;
    const seen = await fingerprint(tool);
    if (toCall.fingerprint !== seen) throw definitionChanged(toolName);
    if (scope === 'chat') return putGrant(db, { conversationId, serverId, toolName, fingerprint: seen });
    const isSet = await setTool(db, serverId, toolName, { permission: 'allow' }, tool);
    if (!isSet) throw definitionChanged(toolName);
    return changed();
  }

  async function schemaOf(toCall: ToolCall): Promise<Schema | undefined> {
    const own = [...builtIn.definitions, searchTool].find(({ toolName }) => toolName === toCall.toolName);
    return (toCall.serverId === null ? own : await rowOf(toCall))?.inputSchema;
  }

  async function rowOf({ serverId, toolName }: Wanted): Promise<Tool | undefined> {
    return serverId === null ? undefined : db.get('tools', [serverId, toolName]);
  }

  /** Every tool that is there, or those of one server, in the order of their servers and names. */
  async function list({ serverId }: { serverId?: number }): Promise<ListedTool[]> {
    const names = new Map((await db.getAll('servers')).map(({ id, name }) => [id, name]));
    const tools = await db.getAll('tools', serverId === undefined ? undefined : toolsOf(serverId));
    return tools
      .filter(({ present }) => present)
      .map((tool) => ({
        fullName: tool.offeredName,
        toolName: tool.name,
        description: tool.description,
        inputSchema: tool.inputSchema,
        serverId: tool.serverId,
        serverName: names.get(tool.serverId) ?? '',
        ...(tool.problem !== undefined && { problem: tool.problem }),
      }));
  }

  return { list, offer, call, permission, definitionOf, grant, schemaOf };
}

/** Also a call that was approved before, or is run again without anybody being asked. */
function requireCallable(tool: Tool | undefined): asserts tool is Tool {
  if (!tool?.present) throw refusal('tool_gone', 'The server no longer offers this tool.');
  if (tool.problem !== undefined) throw refusal('tool_unusable', tool.problem);
  if (tool.permission === 'block') throw refusal('tool_blocked', 'The person has blocked this tool.');
}

function refusal(code: string, message: string): AppError {
  return new AppError({ code, message });
}

function definitionChanged(toolName: string): AppError {
  return new AppError({
    code: 'definition_changed',
    message: `${toolName} was not allowed: its server has changed what the tool is since you were asked.`,
    fix: 'Look at the tool again the next time it asks, and decide then.',
  });
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
