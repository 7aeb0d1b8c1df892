import type { ToolAnnotations } from '../types/tool.ts';

export type Tier = 'reads' | 'writes' | 'sends' | 'destructive';

/** What a tool may do, by its server's hints, which are claims. One that says nothing counts as writing. */
export function tierOf(hints: ToolAnnotations): Tier {
  if (hints.readOnlyHint === true) return 'reads';
  if (hints.destructiveHint === true) return 'destructive';
  return hints.openWorldHint === true ? 'sends' : 'writes';
}
