import { visibleDefinition } from '../invisible.ts';
import type { Message } from '../types/message.ts';
import { namesFound, toolsToSend } from '../types/tools/tool-search.ts';
import type { OfferedTool } from '../types/tools/tool.ts';
import type { Prepared } from './deps.ts';
import { memoize } from './context/memoize.ts';
import { tokensOfTools } from './context/tokens.ts';

/**
 * The tools that go with the next request: all of them, or, when they are too many, the search and what goes with it
 * (lib/types/tools/tool-search.ts).
 * What their servers say of them is without what is invisible.
 */
export function offer(prepared: Prepared, history: Message[]): OfferedTool[] {
  const { tools, searchTool, callsTools, toolLimit, contextWindow } = prepared;
  if (!callsTools) return [];
  const seen = history.flatMap((message) => namesIn(message, searchTool.name));
  const { sent, bySearch } = toolsToSend(
    tools,
    seen,
    toolLimit.count,
    (some) => some.length <= toolLimit.count && tokensOfTools(some) <= toolLimit.share * contextWindow,
  );
  return (bySearch ? [searchTool, ...sent] : sent).map(visibleTool);
}

/** The same object for the same tool, so that it is counted, and its schema rewritten, once. */
const visibleTool = memoize((tool: OfferedTool) => visibleDefinition(tool));

/** Everything that a call may go to, whether or not the model was shown it. */
export function callable({ tools, searchTool }: Prepared): OfferedTool[] {
  return [...tools, searchTool];
}

function namesIn(message: Message, search: string): string[] {
  if (message.role === 'assistant') return (message.tool_calls ?? []).map(({ name }) => name);
  return message.role === 'tool' && message.name === search ? namesFound(message.content) : [];
}
