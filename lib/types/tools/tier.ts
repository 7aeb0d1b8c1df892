import type { Permission } from './approval.ts';
import type { Tool } from './server-tool.ts';
import type { ToolAnnotations } from './tool.ts';

/** By how far they go. */
export const TIERS = ['reads', 'writes', 'sends', 'destructive'] as const;
export type Tier = (typeof TIERS)[number];

/** What holds for the tools of a tier that the user set nothing for. Nothing destructive is ever allowed in advance. */
export type TierPermissions = Record<Exclude<Tier, 'destructive'>, Permission> & {
  destructive: Exclude<Permission, 'allow'>;
};

/**
 * What a tool may do, by its server's hints, which are claims. One that says nothing counts as writing. What is asked of an
 * open world leaves the computer, and the world is open unless the tool says otherwise (MCP, ToolAnnotations): only a
 * closed one is just read.
 */
export function tierOf(hints: ToolAnnotations): Tier {
  if (hints.destructiveHint === true) return 'destructive';
  if (hints.readOnlyHint === true) return hints.openWorldHint === false ? 'reads' : 'sends';
  return hints.openWorldHint === true ? 'sends' : 'writes';
}

/** Whether a tool says that it only reads: that it destroys goes before that. */
export const saysItReads = (hints: ToolAnnotations): boolean =>
  hints.readOnlyHint === true && hints.destructiveHint !== true;

/** Whether what a tool gives, as it says, it reads of an open world: strangers may have written it. */
export const readsOpenWorld = (hints: ToolAnnotations): boolean =>
  hints.readOnlyHint === true && hints.openWorldHint !== false;

/** Whether a tool is one of those of its server that may be allowed together: it only reads, as the user saw it, and is not blocked. */
export const isReadTool = (
  tool: Pick<Tool, 'annotations' | 'present' | 'problem' | 'permission'> & { review?: unknown },
): boolean =>
  tool.present &&
  tool.problem === undefined &&
  tool.review === undefined &&
  tool.permission !== 'block' &&
  tierOf(tool.annotations) === 'reads';
