import type { Server } from '../types/server.ts';
import type { Basis, Permission } from '../types/tools/approval.ts';
import type { Grant, Reach } from '../types/tools/grant.ts';
import type { Tool } from '../types/tools/server-tool.ts';
import { saysItReads, tierOf, type TierPermissions } from '../types/tools/tier.ts';
import { OWN_TOOLS } from '../types/tools/tool-source.ts';

/**
 * What holds where the user chose nothing for the tool itself: what they chose for its tier. The tier is what the
 * server claims, so an Allow is taken for servers that the user trusts, and of what changes something only for tools
 * that say that they destroy nothing: without a word a tool may be destructive (MCP, ToolAnnotations).
 */
export function defaultPermission(
  { annotations, skill, serverId }: Judged,
  { trusted }: Pick<Server, 'trusted'>,
  tiers: TierPermissions,
): Permission {
  const tier = tierOf(annotations);
  // What a server's skill has a model do is more than to read it.
  const isHarmless =
    (!skill || serverId === OWN_TOOLS) &&
    (annotations.readOnlyHint === true || annotations.destructiveHint === false);
  return tiers[tier] === 'allow' && !(trusted && isHarmless) ? 'ask' : tiers[tier];
}

/** What a tool says of itself, and whose it is where that says more. */
type Judged = Pick<Tool, 'annotations' | 'skill'> & { serverId?: number };

/** A call, as far as what was allowed before it goes: its chat's grant for the tool, and the tool's definition now. */
type MadeCall = {
  grant: Pick<Grant, 'fingerprint' | 'given' | 'despite'> | undefined;
  fingerprint: string;
  /** ISO 8601. */
  createdAt: string;
  /** Of the web addresses among its arguments. */
  origins: string[];
};

/**
 * The permission in force for a tool, or for one of its calls. The user's Block goes before everything, their Allow and a
 * chat's grant before the default. Both hold for calls that were made after them, since the user saw the arguments of only one
 * of those that waited then, and for the origins that they were given for alone: given for some, they allow no call without
 * any. A grant is void unless it was given for the definition with the call's `fingerprint`. A skill whose files are made anew
 * each time is allowed once only. A tool that came or changed since its server was trusted asks despite that trust.
 */
export function permissionFor(
  tool: Judged & Pick<Tool, 'permission' | 'given' | 'review'>,
  server: Pick<Server, 'trusted'>,
  tiers: TierPermissions,
  call?: MadeCall,
): Permission {
  if (tool.permission === 'block') return 'block';
  if (tool.skill?.resources === 'dynamic') return 'ask';
  if (call ? givenBy(tool, call) : tool.permission === 'allow') return 'allow';
  const chosen = tool.permission === 'allow' ? 'ask' : tool.permission;
  const otherwise = chosen ?? defaultPermission(tool, server, tiers);
  return tool.review && otherwise === 'allow' ? 'ask' : otherwise;
}

/**
 * Whether every call of a tool is allowed, whatever its arguments and its chat hold: it only reads, of a server that the user
 * trusts, and they chose nothing else for it.
 */
export const isEveryCallAllowed = (
  tool: Parameters<typeof permissionFor>[0],
  server: Pick<Server, 'trusted'>,
  tiers: TierPermissions,
): boolean =>
  tool.permission === undefined &&
  server.trusted &&
  tierOf(tool.annotations) === 'reads' &&
  permissionFor(tool, server, tiers) === 'allow';

/** By what a call runs that is allowed without a question. */
export const basisOf = (tool: Pick<Tool, 'permission' | 'given'>, call: MadeCall): Basis =>
  isExempt(call) ? 'chat' : (givenBy(tool, call) ?? 'tier');

function givenBy(tool: Pick<Tool, 'permission' | 'given'>, call: MadeCall): Basis | undefined {
  const { permission, given } = tool;
  if (permission === 'allow' && holdsFor(tool, call) && (!given?.origins || reaches(given, call)))
    return 'always';
  return isForChat(call) ? 'chat' : undefined;
}

/** Whether the user allowed it for this chat. */
export const isForChat = (call: MadeCall): boolean => call.grant !== undefined && isCovered(call, call.grant);

/** Whether the user allowed it for this chat, knowing what foreign text may be behind it. */
export const isExempt = (call: MadeCall): boolean =>
  call.grant?.despite !== undefined && isCovered(call, { ...call.grant, given: call.grant.despite });

const isCovered = (call: MadeCall, grant: Covering): boolean =>
  grant.fingerprint === call.fingerprint && holdsFor(grant, call) && reaches(grant.given, call);

type Covering = { fingerprint: string; given?: Reach };

/** A call without an origin may have an address that is not known as one: what was given for origins does not reach it. */
function reaches(given: Reach | undefined, call: MadeCall): boolean {
  const { origins, withoutOrigin = !origins } = given ?? {};
  return call.origins.length === 0 ? withoutOrigin : new Set(call.origins).isSubsetOf(new Set(origins));
}

/** What an earlier Portside allowed has no time. */
const holdsFor = ({ given }: Pick<Covering, 'given'>, call: MadeCall): boolean =>
  !given || given.at <= call.createdAt;

/** Whether a tool says that making its call a second time changes nothing (MCP, ToolAnnotations): its server's claim. */
export function isRepeatable({ annotations }: Pick<Tool, 'annotations'>): boolean {
  return saysItReads(annotations) || annotations.idempotentHint === true;
}
