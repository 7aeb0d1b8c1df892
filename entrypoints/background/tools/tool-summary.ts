import { tokensOfTool } from '../../../lib/agent/context/tokens.ts';
import { tokensOf } from '../../../lib/types/tokens.ts';
import { showsWritten } from '../apps/shown-call.ts';
import { isToolForbidden } from '../../../lib/fleet/rules.ts';
import type { ToolSummary } from '../../../lib/protocol/setup.ts';
import { skillLine } from '../../../lib/tools/use-skill.ts';
import { permissionFor } from '../../../lib/trust/tool-permission.ts';
import type { Server } from '../../../lib/types/server.ts';
import type { Tool } from '../../../lib/types/tools/server-tool.ts';
import type { TierPermissions } from '../../../lib/types/tools/tier.ts';

/** Characters. With them fifty servers of five hundred tools fit into one message to a page. */
const MOST = 300;

const cut = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);

/** A tool as every page gets it, with the permission in force. */
export function summaryOf(
  tool: Tool,
  server: Pick<Server, 'trusted' | 'managed' | 'withoutApps'>,
  tiers: TierPermissions,
): ToolSummary {
  const { serverId, name, offeredName, description, inputSchema, skill, problem, enabled, present, review } =
    tool;
  const { title: hinted, ...hints } = tool.annotations;
  const title = tool.title ?? hinted;
  return {
    serverId,
    name,
    offeredName,
    ...(title !== undefined && { title }),
    description: cut(description),
    annotations: hints,
    ...(skill && { isSkill: true as const }),
    ...(problem !== undefined && { problem: cut(problem) }),
    enabled,
    present,
    ...(isToolForbidden(tool, server)
      ? { permission: 'block' as const, isForbidden: true as const }
      : { permission: permissionFor(tool, server, tiers) }),
    ...(showsWritten(tool, server, tiers) && { showsWritten: true as const }),
    ...(review && { review: review.before ? ('changed' as const) : ('new' as const) }),
    tokens: skill
      ? tokensOf(skillLine({ name: offeredName, serverId, serverName: '', description }))
      : tokensOfTool({ name: offeredName, description, inputSchema }),
  };
}
