import { AppError } from '../errors.ts';
import type { Taint } from '../types/tools/approval.ts';
import type { CallTool } from '../types/tools/call-tool.ts';
import { actsOnPage } from '../types/tools/own-tool-rules.ts';
import { bindingOf, type ToolCall } from '../types/tools/tool-call.ts';
import { OWN_TOOLS } from '../types/tools/tool-source.ts';
import type { OfferedTool } from '../types/tools/tool.ts';
import { createReadMore, type ReadMoreDeps } from './read-more.ts';
import { createSearchTools } from './search-tools.ts';
import { trustedInputOf } from './own/action-tools.ts';
import { ownTools } from './own/own-tools.ts';
import type { OwnToolDeps } from './own/own-tool.ts';

/** Milliseconds that a call of one of them may take. */
const TIMEOUT = 30_000;

export type OwnToolCallsDeps = ReadMoreDeps & {
  /** Everything that the conversation's run may call. */
  toolsOf: (conversationId: string) => Promise<OfferedTool[]>;
  /** Of the pages that a chat had read before a call. */
  originsRead: (call: Pick<ToolCall, 'callId' | 'conversationId'>) => Promise<string[]>;
  tabs: OwnToolDeps;
};

/** Portside's own tools, which have no server (`serverId` null or `OWN_TOOLS`). */
export function createOwnToolCalls(deps: OwnToolCallsDeps) {
  const readMore = createReadMore(deps);
  const searchTools = createSearchTools(deps.toolsOf);
  const everyRuns = new Map([readMore, searchTools].map(({ definition, run }) => [definition.toolName, run]));
  const ofTabs = new Map(
    Object.entries(ownTools).map(([name, tool]): [string, typeof readMore.run] => [
      name,
      (call, args, { signal }) => tool.run(deps.tabs, { ...call, signal }, args),
    ]),
  );

  const call: CallTool = async ({ callId, serverId, toolName, conversationId }, args, options) => {
    const isActing = actsOnPage(OWN_TOOLS, toolName);
    const mayBeDone = isActing ? ' It may have been done: take a snapshot before you do it again.' : '';
    try {
      // Without a server it needs no permission: so only what every run needs is reached by that.
      const run = (serverId === null ? everyRuns : ofTabs).get(toolName);
      if (!run) throw new AppError({ code: 'no_tool', message: `Portside has no tool ${toolName}.` });
      await options.started();
      const row = await deps.readCall(callId);
      const calling = {
        callId,
        conversationId,
        originsRead: () => deps.originsRead({ callId, conversationId }),
        trustedInput: async () => trustedInputOf(await deps.toolsOf(conversationId)),
        ...(row && bindingOf(row)),
        ...(row?.taint && { from: sourcesOf(row.taint) }),
      };
      const over = AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT)]);
      const result = await unlessOver(run(calling, args, { signal: over }), over);
      if (options.signal.aborted) return failed('cancelled', `${toolName} was cancelled.${mayBeDone}`);
      if (!result)
        return failed(
          'timeout',
          `Tool execution timed out after ${TIMEOUT}ms${isActing ? '.' : ''}${mayBeDone}`,
        );
      return { result, status: result.isError ? 'error' : 'success' };
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

const sourcesOf = ({ from, quotes }: Taint): string[] => [
  ...new Set([...from, ...quotes.map((quote) => quote.from)]),
];

type Outcome = Awaited<ReturnType<CallTool>>;

/** Undefined when the time is up, or the call was cancelled. */
function unlessOver<T>(work: Promise<T>, over: AbortSignal): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => {
    if (over.aborted) resolve(undefined);
    over.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([late, work]);
}

function failed(status: 'error' | 'timeout' | 'cancelled', text: string): Outcome {
  return { result: { text, isError: true }, status };
}
