import type { Permission, ToolAnnotations } from './tool.ts';

export type Tier = 'reads' | 'writes' | 'sends' | 'destructive';

/** What holds for the tools of a tier that the user set nothing for. Nothing destructive is ever allowed in advance. */
export type TierPermissions = Record<Exclude<Tier, 'destructive'>, Permission> & {
  destructive: Exclude<Permission, 'allow'>;
};

/** What a tool may do, by its server's hints, which are claims. One that says nothing counts as writing. */
export function tierOf(hints: ToolAnnotations): Tier {
  if (hints.readOnlyHint === true) return 'reads';
  if (hints.destructiveHint === true) return 'destructive';
  return hints.openWorldHint === true ? 'sends' : 'writes';
}
