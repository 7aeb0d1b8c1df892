import { AppError } from '../errors.ts';
import type { CallTool, OfferedTool, ToolCall } from '../types/tool.ts';
import { createReadMore } from './read-more.ts';
import { createSearchTools } from './search-tools.ts';

export type BuiltInDeps = {
  /** A row of the ledger. */
  readCall: (callId: string) => Promise<ToolCall | undefined>;
  /** Everything that the conversation's run may call. */
  toolsOf: (conversationId: string) => Promise<OfferedTool[]>;
};

/** Portside's own tools, which have no server (`serverId` null). */
export function createBuiltIn(deps: BuiltInDeps) {
  const readMore = createReadMore(deps.readCall);
  const searchTools = createSearchTools(deps.toolsOf);
  const own = new Map([readMore, searchTools].map((tool) => [tool.definition.toolName, tool]));

  const call: CallTool = async ({ toolName, conversationId }, args, options) => {
    try {
      const tool = own.get(toolName);
      if (!tool) throw new AppError({ code: 'no_tool', message: `Portside has no tool ${toolName}.` });
      await options.started();
      const result = await tool.run({ conversationId }, args, options);
      return options.signal.aborted ? failed('cancelled', `${toolName} was cancelled.`) : done(result);
    } catch (error) {
      const reason = error instanceof AppError ? [error.message, error.fix].filter(Boolean).join(' ') : error;
      return failed('error', `${toolName} failed: ${String(reason)}`);
    }
  };

  return {
    /** Every one of them but the search, which is offered only when there are many tools. */
    definitions: [readMore.definition],
    searchTool: searchTools.definition,
    call,
  };
}

type Outcome = Awaited<ReturnType<CallTool>>;

const done = (result: Outcome['result']): Outcome => ({ result, status: 'success' });

function failed(status: 'error' | 'cancelled', text: string): Outcome {
  return { result: { text, isError: true }, status };
}
