import type { Setup } from '../../protocol/setup.ts';
import type { ToolCall } from '../../types/tools/tool-call.ts';
import { isOwnTool, OWN_NAME, OWN_TOOLS } from '../../types/tools/tool-source.ts';
import { ownTitle } from '../settings/own-server.ts';
import { visible } from '../shown-text.ts';
import { t } from '../../../locales/texts/panel.ts';

/** Events name a server by its id, and a call still streaming only by its offered name: the configuration has the rest. */
export function withNames(call: ToolCall, setup: Setup | null): ToolCall {
  const tool =
    call.toolName === call.namespacedName
      ? setup?.tools.find((other) => other.offeredName === call.namespacedName)
      : undefined;
  const serverId = tool?.serverId ?? call.serverId;
  const server = setup?.servers.find((other) => other.id === serverId);
  return {
    ...call,
    serverId,
    toolName: visible(tool?.name ?? (call.toolName || t(($) => $.tool.unnamed))),
    serverName: visible(call.serverName || (server?.name ?? (serverId === OWN_TOOLS ? OWN_NAME : ''))),
  };
}

/** What the server calls the tool for people; empty where that is no more than its name. */
export function titleOf(call: ToolCall, setup: Setup | null): string {
  const tool = setup?.tools.find((other) => other.offeredName === call.namespacedName);
  const serverId = tool?.serverId ?? call.serverId;
  const title =
    (isOwnTool(serverId) ? ownTitle(call.namespacedName) : (tool?.title ?? call.annotations.title)) ?? '';
  return title === call.toolName ? '' : visible(title);
}

/** Where a call goes: to an MCP server, to one of Portside's own tools, or nowhere, when there is no such tool. */
export function kindOf(call: ToolCall): 'mcp' | 'built-in' | 'none' {
  if (!isOwnTool(call.serverId)) return 'mcp';
  return call.serverName === '' ? 'none' : 'built-in';
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Characters that the reason of a failed call may take in the line of its name. */
const LONGEST_REASON = 160;

/** The first sentences of what a failed call answered, as many as fit; the rest is in its card. */
export function reasonOf(text: string): string {
  const [line = ''] = text
    .trimStart()
    .slice(0, 2 * LONGEST_REASON)
    .split('\n');
  if (line.length <= LONGEST_REASON) return line;
  let end = 0;
  for (const { index, segment } of segmenter.segment(line))
    if (index + segment.trimEnd().length <= LONGEST_REASON) end = index + segment.length;
  // oxlint-disable-next-line portside/linear-regex -- LONGEST_REASON characters
  return end > 0 ? line.slice(0, end).trimEnd() : `${line.slice(0, LONGEST_REASON).replace(/\s+\S*$/, '')}…`;
}
