import type { ToolAnnotations } from '../types/tool.ts';

/** What a call may do at worst, as far as its server tells. */
export type Tier = 'reads' | 'writes' | 'sends' | 'destructive';

/** From the server's hints (MCP ToolAnnotations): claims, not facts. Only what it says outright counts against it. */
export function tierOf({ readOnlyHint, destructiveHint, openWorldHint }: ToolAnnotations): Tier {
  if (readOnlyHint === true) return 'reads';
  if (destructiveHint === true) return 'destructive';
  return openWorldHint === true ? 'sends' : 'writes';
}
