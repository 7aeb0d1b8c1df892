import type { Message } from '../types/message.ts';
import { OWN_TOOLS, type OfferedTool } from '../types/tool.ts';
import type { Prepared } from './deps.ts';
import { tokensOfTools } from './tokens.ts';

/** Of the tools that read pages those that are there without a search: the user asks about the page in front. */
const ALWAYS: ReadonlySet<string> = new Set(['read_page', 'read_selection', 'current_time']);

/**
 * The tools that go with the next request: all of them, or, when they are too many, those that every chat needs, the
 * search, and what this branch has found or called, so many of these as the limit allows: those that came up last. They stand in
 * the order of first sight, so that the list grows at its end and prompt caches hit.
 */
export function offer(prepared: Prepared, history: Message[]): OfferedTool[] {
  const { tools, searchTool, callsTools, toolLimit } = prepared;
  if (!callsTools) return [];
  if (!areTooMany(prepared)) return tools;
  const own = [
    searchTool,
    ...tools.filter(
      ({ serverId, toolName }) => serverId === null || (serverId === OWN_TOOLS && ALWAYS.has(toolName)),
    ),
  ];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const known = history.flatMap((message) => namesIn(message, searchTool.name));
  const added = known.flatMap((name) => byName.get(name) ?? []);
  const newest = new Set([...new Set(added.toReversed())].slice(0, toolLimit.count));
  return [...new Set([...own, ...added.filter((tool) => newest.has(tool))])];
}

/** Everything that a call may go to, whether or not the model was shown it. */
export function callable({ tools, searchTool }: Prepared): OfferedTool[] {
  return [...tools, searchTool];
}

function areTooMany({ tools, toolLimit, contextWindow }: Prepared): boolean {
  return tools.length > toolLimit.count || tokensOfTools(tools) > toolLimit.share * contextWindow;
}

function namesIn(message: Message, search: string): string[] {
  if (message.role === 'assistant') return (message.tool_calls ?? []).map(({ name }) => name);
  return message.role === 'tool' && message.name === search ? found(message.content) : [];
}

/** The names in a search's result, `{tools: [{name}]}`; none in that of a search that failed. */
function found(content: string): string[] {
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
