import { visibleDefinition } from '../invisible.ts';
import type { Message } from '../types/message.ts';
import type { OfferedTool } from '../types/tool.ts';
import { namesFound, sentWithSearch } from '../types/tool-search.ts';
import type { Prepared } from './deps.ts';
import { remembered } from './context/remembered.ts';
import { tokensOfTools } from './context/tokens.ts';

/**
 * The tools that go with the next request: all of them, or, when they are too many, the search and what goes with it.
 * What their servers say of them is without what is invisible.
 */
export function offer(prepared: Prepared, history: Message[]): OfferedTool[] {
  const { tools, searchTool, callsTools, toolLimit } = prepared;
  if (!callsTools) return [];
  if (!areTooMany(prepared)) return tools.map(visibleTool);
  const seen = history.flatMap((message) => namesIn(message, searchTool.name));
  return [searchTool, ...sentWithSearch(tools, seen, toolLimit.count)].map(visibleTool);
}

/** The same object for the same tool, so that it is counted, and its schema rewritten, once. */
const visibleTool = remembered((tool: OfferedTool) => visibleDefinition(tool));

/** Everything that a call may go to, whether or not the model was shown it. */
export function callable({ tools, searchTool }: Prepared): OfferedTool[] {
  return [...tools, searchTool];
}

function areTooMany({ tools, toolLimit, contextWindow }: Prepared): boolean {
  return tools.length > toolLimit.count || tokensOfTools(tools) > toolLimit.share * contextWindow;
}

function namesIn(message: Message, search: string): string[] {
  if (message.role === 'assistant') return (message.tool_calls ?? []).map(({ name }) => name);
  return message.role === 'tool' && message.name === search ? namesFound(message.content) : [];
}
