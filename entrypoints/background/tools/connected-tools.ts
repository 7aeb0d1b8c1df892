import { isToolForbidden } from '../../../lib/fleet/rules.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { ToolOverrides } from '../../../lib/types/conversation.ts';
import { isOn } from '../../../lib/types/tools/server-tool.ts';
import { OWN_NAME, OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import type { OfferedTool } from '../../../lib/types/tools/tool.ts';
import type { ServerConnections } from '../servers/server-connections.ts';
import { FORBIDDEN_TOOL } from './permission/call-refusals.ts';

/** Why a tool is not offered, for the model and the card. */
const NOT_CONNECTED = 'Its server is not connected.';
const SWITCHED_OFF = 'The user has switched this tool off.';

/**
 * The tools and skills of the connected servers, and Portside's own. `withheld`: why tools that exist are none of them.
 * @param overrides what a chat has on or off
 */
export async function connectedTools(
  db: Database,
  servers: Pick<ServerConnections, 'status'>,
  overrides: ToolOverrides | undefined,
  showsApps = false,
) {
  const [rows, all] = await Promise.all([db.getAll('servers'), db.getAll('tools')]);
  const enabled = rows.filter((server) => server.enabled);
  const connected = new Map(
    enabled
      .filter(({ id }) => servers.status(id).state === 'connected')
      .map((server): [number, string] => [server.id, server.name]),
  ).set(OWN_TOOLS, OWN_NAME);
  const byId = new Map(rows.map((server) => [server.id, server]));
  const withheld = new Map<string, string>();
  const skills: OfferedTool[] = [];
  const tools = all.flatMap((tool): OfferedTool[] => {
    if (!tool.present || tool.app?.only === 'app') return [];
    const { offeredName, name, serverId, description, inputSchema, annotations } = tool;
    const [server, serverName] = [byId.get(serverId), connected.get(serverId)];
    const isOff = serverName !== undefined && !isOn(tool, overrides);
    const problem = isToolForbidden(tool, server)
      ? FORBIDDEN_TOOL
      : (tool.problem ?? (isOff ? SWITCHED_OFF : undefined));
    if (serverName === undefined || problem !== undefined) {
      withheld.set(offeredName, problem ?? NOT_CONNECTED);
      return [];
    }
    const app = showsApps && !server?.withoutApps ? tool.app?.uri : undefined;
    const known = { name: offeredName, toolName: name, serverId, serverName, description, inputSchema };
    const found = { ...known, annotations, ...(app !== undefined && { app }) };
    if (!tool.skill) return [found];
    if (tool.permission !== 'block') skills.push(found);
    return [];
  });
  const missing = enabled.filter(({ id }) => !connected.has(id)).map((server) => server.name);
  const reachable = [...connected].flatMap(([id, name]) => (id === OWN_TOOLS ? [] : { id, name }));
  return { tools, skills, reachable, withheld, missing };
}
