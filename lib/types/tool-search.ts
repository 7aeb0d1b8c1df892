import { OWN_TOOLS } from './tool.ts';

/** The tool that finds others. */
export const SEARCH_TOOL = 'search_tools';

/** Of the tools that read pages those that are there without a search: the user asks about the page in front. */
const ALWAYS: ReadonlySet<string> = new Set(['read_page', 'read_selection', 'current_time']);

/**
 * Those of `tools` that go with a request where tools are found by search, besides the search itself: what every chat
 * needs, then what its branch has found or called, the last `most` of these. The latter stand in the order of first sight,
 * so that the list grows at its end and prompt caches hit.
 * @param seen names that the branch found or called, oldest first
 */
export function sentWithSearch<Tool extends { name: string; toolName: string; serverId: number | null }>(
  tools: Tool[],
  seen: string[],
  most: number,
): Tool[] {
  const own = tools.filter(
    ({ serverId, toolName }) => serverId === null || (serverId === OWN_TOOLS && ALWAYS.has(toolName)),
  );
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const added = seen.flatMap((name) => byName.get(name) ?? []);
  const newest = new Set([...new Set(added.toReversed())].slice(0, most));
  return [...new Set([...own, ...added.filter((tool) => newest.has(tool))])];
}

/** The names in a search's result, `{tools: [{name}]}`; none in that of a search that failed. */
export function namesFound(content: string): string[] {
  let result: unknown;
  try {
    result = JSON.parse(content);
  } catch {
    return []; // cut in the middle, or an error in words
  }
  if (typeof result !== 'object' || result === null || !('tools' in result)) return [];
  if (!Array.isArray(result.tools)) return [];
  return result.tools.flatMap((tool: unknown) => {
    if (typeof tool !== 'object' || tool === null || !('name' in tool)) return [];
    return typeof tool.name === 'string' ? [tool.name] : [];
  });
}
