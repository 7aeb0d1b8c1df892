import { en } from '../../locales/en.ts';
import type { Setup } from '../protocol.ts';
import type { ToolCall } from '../types.ts';

/** Events name a server by its id, and a call still streaming only by its offered name: the set-up knows the rest. */
export function withNames(call: ToolCall, setup: Setup | null): ToolCall {
  const tool =
    call.toolName === call.namespacedName
      ? setup?.tools.find((other) => other.offeredName === call.namespacedName)
      : undefined;
  const serverId = tool?.serverId ?? call.serverId;
  const server = setup?.servers.find((other) => other.id === serverId);
  const fallbackName = serverId === null && call.toolName !== '' ? en.tool.builtIn : '';
  return {
    ...call,
    serverId,
    toolName: tool?.name ?? (call.toolName || en.tool.unnamed),
    serverName: call.serverName || (server?.name ?? fallbackName),
  };
}
