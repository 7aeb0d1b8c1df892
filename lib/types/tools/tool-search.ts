import { actsOnPage, ownRules } from './own-tool-rules.ts';
import type { ToolSource } from './tool-source.ts';

/** The tool that finds others. */
export const SEARCH_TOOL = 'search_tools';
/** Tokens of it; it goes along where tools are found by search. */
export const SEARCH_TOOLS_TOKENS = 128;

/** What goes with a request. `bySearch`: which tools the model has to search for; undefined: none, all go along. */
export type SentTools<Tool> = { sent: Tool[]; bySearch?: 'acting' | 'all' };

type Searched = { name: string; toolName: string; serverId: ToolSource };

/**
 * Which of `tools` go with a request, besides the search: all, where they fit; else all but those that act on pages, so
 * that these cost no server's tools their place; else what every chat needs. What the branch has found or called goes along, the last `most` of these, in the order of first
 * sight, so that the list grows at its end and prompt caches hit; with the first that acts on a page the one that hands over to the user.
 * @param seen names that the branch found or called, oldest first
 * @param fit whether a request can hold these
 */
export function toolsToSend<Tool extends Searched>(
  tools: Tool[],
  seen: string[],
  most: number,
  fit: (tools: Tool[]) => boolean,
): SentTools<Tool> {
  if (fit(tools)) return { sent: tools };
  const others = tools.filter((tool) => !isForActing(tool));
  const bySearch = others.length < tools.length && fit(others) ? 'acting' : 'all';
  const always = bySearch === 'acting' ? others : tools.filter(isAlwaysSent);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const found = seen.flatMap((name) => byName.get(name) ?? []);
  const handOver = tools.find((tool) => ownRules(tool)?.handsOver);
  const added = found.flatMap((tool) => (handOver && isActing(tool) ? [tool, handOver] : [tool]));
  const newest = new Set([...new Set(added.toReversed())].slice(0, most));
  return { sent: [...new Set([...always, ...added.filter((tool) => newest.has(tool))])], bySearch };
}

/** Those of pages are as a server's: they go along. */
function isForActing(tool: Searched): boolean {
  const rules = ownRules(tool);
  return rules?.acts === true || rules?.sent === 'acting';
}

const isActing = ({ serverId, toolName }: Searched): boolean => actsOnPage(serverId, toolName);

const isAlwaysSent = (tool: Searched): boolean => tool.serverId === null || ownRules(tool)?.sent === 'always';

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
