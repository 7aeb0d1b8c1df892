import { AppError } from '../errors.ts';
import { actsOnPage, OWN_TOOLS, type CallTool, type OfferedTool, type ToolCall } from '../types/tool.ts';
import { refsIn } from './page/actions/act-args.ts';
import { createReadMore, type ReadMoreDeps } from './read-more.ts';
import { createSearchTools } from './search-tools.ts';
import { tabTools } from './tabs/registry.ts';
import type { TabsDeps } from './tabs/tab-tool.ts';

/** Milliseconds that a call of one of them may take. */
const TIMEOUT = 30_000;

export type BuiltInDeps = ReadMoreDeps & {
  /** Everything that the conversation's run may call. */
  toolsOf: (conversationId: string) => Promise<OfferedTool[]>;
  /** Of the pages that a chat had read before a call. */
  originsRead: (call: Pick<ToolCall, 'callId' | 'conversationId'>) => Promise<string[]>;
  tabs: TabsDeps;
};

/** Portside's own tools, which have no server (`serverId` null or `OWN_TOOLS`). */
export function createBuiltIn(deps: BuiltInDeps) {
  const readMore = createReadMore(deps);
  const searchTools = createSearchTools(deps.toolsOf);
  const own = new Map([readMore, searchTools].map(({ definition, run }) => [definition.toolName, run]));
  for (const [name, tool] of Object.entries(tabTools))
    own.set(name, (call, args, { signal }) => tool.run(deps.tabs, { ...call, signal }, args));

  const call: CallTool = async ({ callId, toolName, conversationId }, args, options) => {
    const isActing = actsOnPage(OWN_TOOLS, toolName);
    const mayBeDone = isActing ? ' It may have been done: take a snapshot before you do it again.' : '';
    try {
      const run = own.get(toolName);
      if (!run) throw new AppError({ code: 'no_tool', message: `Portside has no tool ${toolName}.` });
      await options.started();
      const { reads, targets, targetSites, presses, files, edited } = (await deps.readCall(callId)) ?? {};
      const originsRead = () => deps.originsRead({ callId, conversationId });
      const calling = {
        callId,
        conversationId,
        originsRead,
        ...(reads !== undefined && { reads }),
        ...targetsFor(args, targets, edited !== undefined),
        // What the user made of the arguments names files that they know.
        ...(files && edited === undefined && { files }),
        ...(targetSites && { targetSites }),
        ...(presses && { presses }),
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

/**
 * What the elements were that are acted on. Those that the user named in place of others are not known: they know them. A
 * value that they changed, or a field that they left out, leaves the others bound to what the card showed.
 */
function targetsFor(
  args: Record<string, unknown>,
  targets: Record<string, string> | undefined,
  isEdited: boolean,
): { targets?: Record<string, string> } {
  const named = refsIn(args);
  // What has the focus the user does not name.
  if (!targets || !isEdited || named.length === 0) return targets ? { targets } : {};
  const known = named.flatMap((ref): [string, string][] => {
    const target = Object.hasOwn(targets, ref) ? targets[ref] : undefined;
    return target === undefined ? [] : [[ref, target]];
  });
  return known.length === named.length ? { targets: Object.fromEntries(known) } : {};
}

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
