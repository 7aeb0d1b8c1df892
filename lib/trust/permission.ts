import type { Grant, Server, Tool } from '../types/setup.ts';
import { tierOf, type TierPermissions } from '../types/tier.ts';
import type { Permission } from '../types/tool.ts';

/**
 * What holds where the user chose nothing for the tool itself: what they chose for its tier. The tier is what the
 * server claims, so an Allow is taken for servers that the user trusts, and of what changes something only for tools
 * that say that they destroy nothing: without a word a tool may be destructive (MCP, ToolAnnotations).
 */
export function defaultPermission(
  { annotations }: Pick<Tool, 'annotations'>,
  { trusted }: Pick<Server, 'trusted'>,
  tiers: TierPermissions,
): Permission {
  const tier = tierOf(annotations);
  const isHarmless = annotations.readOnlyHint === true || annotations.destructiveHint === false;
  return tiers[tier] === 'allow' && !(trusted && isHarmless) ? 'ask' : tiers[tier];
}

/**
 * The permission in force for a tool's calls. The user's Block goes before everything, their Allow and a chat's
 * grant before the default.
 * @param grant of the call's conversation; void unless it was given for the definition with this `fingerprint`
 */
export function permissionFor(
  tool: Pick<Tool, 'annotations' | 'permission'>,
  server: Pick<Server, 'trusted'>,
  tiers: TierPermissions,
  grant?: { given: Pick<Grant, 'fingerprint'> | undefined; fingerprint: string },
): Permission {
  if (tool.permission === 'block' || tool.permission === 'allow') return tool.permission;
  if (grant?.given && grant.given.fingerprint === grant.fingerprint) return 'allow';
  return tool.permission ?? defaultPermission(tool, server, tiers);
}

/** Whether a tool says that making its call a second time changes nothing (MCP, ToolAnnotations): its server's claim. */
export function isRepeatable({ annotations }: Pick<Tool, 'annotations'>): boolean {
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}
