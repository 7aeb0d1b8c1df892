import { parseArguments } from '../../../../lib/agent/arguments.ts';
import { webOriginsIn } from '../../../../lib/origins.ts';
import type { CallTool } from '../../../../lib/types/tools/call-tool.ts';
import { actsOnPage, ownRules } from '../../../../lib/types/tools/own-tool-rules.ts';
import type { Binding, ToolCall } from '../../../../lib/types/tools/tool-call.ts';
import { SANDBOXED } from '../../../../lib/types/page.ts';

/** What is to be called. */
export type CallTarget = Parameters<CallTool>[0];

/** A call with what its permission depends on. */
export type JudgedCall = CallTarget &
  Pick<ToolCall, 'createdAt' | 'arguments' | 'edited' | 'at' | 'byApp'> & {
    [K in Exclude<keyof Binding, 'at'>]?: Binding[K] | undefined;
  };

export function argumentsOf({ arguments: text, edited }: Pick<ToolCall, 'arguments' | 'edited'>) {
  const parsed = parseArguments(edited ?? text);
  return parsed.ok ? parsed.value : {};
}

export const originsIn = (call: Pick<ToolCall, 'arguments' | 'edited'>): string[] =>
  webOriginsIn(argumentsOf(call));

/** Among origins: the site of a tab whose address the browser hides. */
export const UNTOLD = '';

export const isSandboxed = ({ targetSites = [] }: Pick<JudgedCall, 'targetSites'>): boolean =>
  targetSites.includes(SANDBOXED);

/**
 * The sites that a call needs to be allowed for. One that acts on a page: those of its tab and frames, since an address
 * that is typed there is not opened. Any other: those of its addresses, and that of the tab that it leads away.
 */
export function reachedBy(
  call: Pick<ToolCall, 'serverId' | 'toolName' | 'arguments' | 'edited'> & {
    [K in 'reads' | 'targetSites']?: JudgedCall[K] | undefined;
  },
): string[] {
  const { serverId, toolName, reads, targetSites = [] } = call;
  const ofTab = reads === undefined ? [] : [reads, ...targetSites];
  if (actsOnPage(serverId, toolName)) return ofTab;
  return ownRules(call)?.leadsTab ? [...new Set([...originsIn(call), ...ofTab])] : originsIn(call);
}
