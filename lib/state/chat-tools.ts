import type { Setup, ToolSummary } from '../protocol/setup.ts';
import type { Traits } from '../types/model.ts';
import {
  isOn,
  type Server,
  type ServerStatus,
  type Settings,
  type ToolChanges,
  type ToolOverrides,
  withChanges,
} from '../types/setup.ts';
import { tierOf, type Tier } from '../types/tier.ts';
import { OWN_TOOLS, READ_MORE_TOKENS } from '../types/tool.ts';
import { ownServer, ownStatus } from './own-server.ts';

/** What a chat says of a tool or a server: `inherit` leaves it as it is set for all chats. */
export type ToolChoice = 'inherit' | 'on' | 'off';

export type ChatTool = {
  key: string;
  name: string;
  title?: string;
  tier: Tier;
  on: boolean;
  choice: ToolChoice;
  /** Why no model is offered it, whatever is chosen. */
  problem?: string;
  /** What its definition costs in every request. */
  tokens: number;
};

export type ChatServer = {
  server: Server;
  status: ServerStatus;
  choice: ToolChoice;
  tools: ChatTool[];
  /** How many of them are offered. */
  on: number;
  /** What those cost. */
  tokens: number;
};

export const serverKey = (serverId: number): string => `mcp__${serverId}`;

const IDLE: ServerStatus = { state: 'disconnected', toolCount: 0 };

const choiceOf = (overrides: ToolOverrides, key: string): ToolChoice =>
  overrides[key] === undefined ? 'inherit' : overrides[key] ? 'on' : 'off';

/** Every server with its tools as this chat has them, and Portside with its own where it has listed them. */
export function serversOfChat(setup: Setup, overrides: ToolOverrides): ChatServer[] {
  const hasOwn = setup.tools.some(({ serverId, present }) => serverId === OWN_TOOLS && present);
  const all = hasOwn ? [...setup.servers, ownServer] : setup.servers;
  const byServer = new Map<number, ToolSummary[]>(all.map(({ id }) => [id, []]));
  for (const tool of setup.tools) if (tool.present) byServer.get(tool.serverId)?.push(tool);
  return all.map((server) => {
    const tools = (byServer.get(server.id) ?? []).map((tool) => chatTool(tool, overrides));
    const offered = server.enabled ? tools.filter(({ on }) => on) : [];
    return {
      server,
      status: server.id === OWN_TOOLS ? ownStatus : (setup.statuses[server.id] ?? IDLE),
      choice: choiceOf(overrides, serverKey(server.id)),
      tools,
      on: offered.length,
      tokens: offered.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  });
}

/** How many tools are offered by the servers that are connected, and what those cost in every request. */
export function offeredBy(servers: ChatServer[]): { on: number; tokens: number } {
  const ready = servers.filter(({ status }) => status.state === 'connected');
  return {
    on: ready.reduce((sum, server) => sum + server.on, 0),
    tokens: ready.reduce((sum, server) => sum + server.tokens, READ_MORE_TOKENS),
  };
}

/**
 * How the tools of a chat go to its model: all of them with every request, found by search because they are too many
 * for it (lib/agent/offer.ts), or not at all.
 */
export function toolsSent(
  servers: ChatServer[],
  { tools, contextWindow }: Traits,
  { maxTools, maxToolShare }: Settings,
): 'all' | 'search' | 'none' {
  if (tools === false) return 'none';
  const { on, tokens } = offeredBy(servers);
  const isTooLong = contextWindow !== undefined && tokens > (maxToolShare / 100) * contextWindow;
  return on > maxTools || isTooLong ? 'search' : 'all';
}

function chatTool(tool: ToolSummary, overrides: ToolOverrides): ChatTool {
  const { offeredName, name, title, problem, annotations, tokens } = tool;
  return {
    key: offeredName,
    name,
    ...(title !== undefined && title !== name && { title }),
    tier: tierOf(annotations),
    on: isOn(tool, overrides) && problem === undefined,
    choice: choiceOf(overrides, offeredName),
    ...(problem !== undefined && { problem }),
    tokens,
  };
}

/** What another choice for one tool or server changes. */
export const choose = (key: string, choice: ToolChoice): ToolChanges => ({
  [key]: choice === 'inherit' ? null : choice === 'on',
});

/** The same for a whole server: what was said of its tools one by one is over. */
export function chooseServer({ server, tools }: ChatServer, choice: ToolChoice): ToolChanges {
  const single = Object.fromEntries(tools.map(({ key }) => [key, null]));
  return { ...single, ...choose(serverKey(server.id), choice) };
}

/** Switched off, or on again: as it is for all chats, unless that leaves nothing on. */
export function switchServer(overrides: ToolOverrides, of: ChatServer, setup: Setup): ToolChanges {
  if (of.on > 0) return chooseServer(of, 'off');
  const inherited = chooseServer(of, 'inherit');
  const servers = serversOfChat(setup, withChanges(overrides, inherited));
  return servers.find(({ server }) => server.id === of.server.id)?.on ? inherited : chooseServer(of, 'on');
}

/** Servers and tools that hold `query`; of a server whose own name holds it, all tools. */
export function searchTools(servers: ChatServer[], query: string): ChatServer[] {
  const wanted = query.trim().toLowerCase();
  const holds = (text: string): boolean => text.toLowerCase().includes(wanted);
  return servers
    .map((each) => {
      const fits = ({ name, title = '' }: ChatTool): boolean => holds(name) || holds(title);
      return holds(each.server.name) ? each : { ...each, tools: each.tools.filter(fits) };
    })
    .filter((each) => holds(each.server.name) || each.tools.length > 0);
}
