import type { ListedTool, Setup, ToolSummary } from '../protocol.ts';
import type { Server, ServerStatus, ToolOverrides } from '../types/setup.ts';
import { tierOf, type Tier } from './tier.ts';

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
  /** null until the schemas are here. */
  tokens: number | null;
};

export type ChatServer = {
  server: Server;
  status: ServerStatus;
  choice: ToolChoice;
  tools: ChatTool[];
  /** How many of them are offered. */
  on: number;
  tokens: number | null;
};

export const serverKey = (serverId: number): string => `mcp__${serverId}`;

const IDLE: ServerStatus = { state: 'disconnected', toolCount: 0 };

const choiceOf = (overrides: ToolOverrides, key: string): ToolChoice =>
  overrides[key] === undefined ? 'inherit' : overrides[key] ? 'on' : 'off';

/** Every server with its tools as this chat has them. `prices`: tokens by offered name. */
export function serversOfChat(
  setup: Setup,
  overrides: ToolOverrides,
  prices: ReadonlyMap<string, number> | null,
): ChatServer[] {
  const byServer = new Map<number, ToolSummary[]>(setup.servers.map(({ id }) => [id, []]));
  for (const tool of setup.tools) if (tool.present) byServer.get(tool.serverId)?.push(tool);
  return setup.servers.map((server) => {
    const tools = (byServer.get(server.id) ?? []).map((tool) => chatTool(tool, overrides, prices));
    const offered = server.enabled ? tools.filter(({ on }) => on) : [];
    return {
      server,
      status: setup.statuses[server.id] ?? IDLE,
      choice: choiceOf(overrides, serverKey(server.id)),
      tools,
      on: offered.length,
      tokens: prices && offered.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    };
  });
}

function chatTool(
  tool: ToolSummary,
  overrides: ToolOverrides,
  prices: ReadonlyMap<string, number> | null,
): ChatTool {
  const { offeredName, serverId, name, problem, enabled, annotations } = tool;
  const title = tool.title ?? annotations.title;
  const wanted = overrides[offeredName] ?? overrides[serverKey(serverId)] ?? enabled;
  return {
    key: offeredName,
    name,
    ...(title !== undefined && title !== name && { title }),
    tier: tierOf(annotations),
    on: wanted && problem === undefined,
    choice: choiceOf(overrides, offeredName),
    ...(problem !== undefined && { problem }),
    tokens: prices?.get(offeredName) ?? null,
  };
}

/** The overrides with another choice for one key. */
export function withChoice(overrides: ToolOverrides, key: string, choice: ToolChoice): ToolOverrides {
  const { [key]: _before, ...rest } = overrides;
  return choice === 'inherit' ? rest : { ...rest, [key]: choice === 'on' };
}

/** The overrides with another choice for a whole server: what was said of its tools one by one is over. */
export function withServerChoice(
  overrides: ToolOverrides,
  { server, tools }: Pick<ChatServer, 'server' | 'tools'>,
  choice: ToolChoice,
): ToolOverrides {
  const own = new Set(tools.map(({ key }) => key));
  const others = Object.fromEntries(Object.entries(overrides).filter(([key]) => !own.has(key)));
  return withChoice(others, serverKey(server.id), choice);
}

/** Switched off, or on again: as it is for all chats, unless that leaves nothing on. */
export function switchServer(overrides: ToolOverrides, of: ChatServer, setup: Setup): ToolOverrides {
  if (of.on > 0) return withServerChoice(overrides, of, 'off');
  const inherited = withServerChoice(overrides, of, 'inherit');
  const now = serversOfChat(setup, inherited, null).find(({ server }) => server.id === of.server.id);
  return now?.on ? inherited : withServerChoice(overrides, of, 'on');
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

/** About as the worker counts (lib/agent/tokens.ts): JSON and code take fewer bytes a token than prose. */
const BYTES_PER_TOKEN = 3.5;

/** What each tool's definition costs in every request, by offered name. */
export function toolPrices(tools: ListedTool[]): Map<string, number> {
  const encoder = new TextEncoder();
  const bytes = ({ fullName, description, inputSchema }: ListedTool): number =>
    encoder.encode(fullName + description + JSON.stringify(inputSchema)).length;
  return new Map(tools.map((tool) => [tool.fullName, Math.ceil(bytes(tool) / BYTES_PER_TOKEN)]));
}
