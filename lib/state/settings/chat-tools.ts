import type { Setup, ToolSummary } from '../../protocol/setup.ts';
import type { Traits } from '../../types/model.ts';
import { isMemoryOn, MEMORY_TOOL } from '../../types/note.ts';
import { projectInUse, withProjectTools } from '../../types/project.ts';
import type { Settings } from '../../types/settings.ts';
import {
  type ChatChoice,
  type ToolChanges,
  type ToolOverrides,
  withChanges,
} from '../../types/conversation.ts';
import type { Server, ServerStatus } from '../../types/server.ts';
import { ownRules, READ_MORE_TOKENS } from '../../types/tools/own-tool-rules.ts';
import { isOn } from '../../types/tools/server-tool.ts';
import { USE_SKILL_TOKENS } from '../../types/tools/skill.ts';
import { type Tier, tierOf } from '../../types/tools/tier.ts';
import { callIdOf } from '../../types/tools/tool-call.ts';
import {
  namesFound,
  SEARCH_TOOL,
  SEARCH_TOOLS_TOKENS,
  type SentTools,
  toolsToSend,
} from '../../types/tools/tool-search.ts';
import { OWN_TOOLS } from '../../types/tools/tool-source.ts';
import type { Chat } from '../chat/chat.ts';
import { ownServer, ownStatus, titleOfTool } from './own-server.ts';

/** What a chat says of a tool or a server: `inherit` leaves it as it is set for all chats. */
export type ToolChoice = 'inherit' | 'on' | 'off';

export type ChatTool = {
  key: string;
  name: string;
  title?: string;
  tier: Tier;
  on: boolean;
  choice: ToolChoice;
  /** It goes to the model through one tool for all of them. */
  isSkill?: true;
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

/** What a chat has on or off, by itself or by its project. */
export const overridesIn = (setup: Setup, chat: ChatChoice): ToolOverrides =>
  withProjectTools(projectInUse(setup.projects, chat), chat.tools) ?? {};

/** Every server with its tools as this chat has them, and Portside with its own where it has listed them. */
export function serversOfChat(
  setup: Setup,
  overrides: ToolOverrides,
  chat: Pick<ChatChoice, 'settings' | 'project'> = { settings: {} },
): ChatServer[] {
  const hasMemory = isMemoryOn(chat.settings, setup.settings.memory, projectInUse(setup.projects, chat));
  const hasOwn = setup.tools.some(({ serverId, present }) => serverId === OWN_TOOLS && present);
  const all = hasOwn ? [...setup.servers, ownServer] : setup.servers;
  const byServer = new Map<number, ToolSummary[]>(all.map(({ id }) => [id, []]));
  for (const tool of setup.tools)
    if (tool.present && (hasMemory || tool.offeredName !== MEMORY_TOOL))
      byServer.get(tool.serverId)?.push(tool);
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

/**
 * How a chat's tools go to its model. `on`: how many it can call; `tokens`: what is sent with each request takes;
 * `which`: those that it searches for; `window`: the context that all of them take too much of.
 */
export type ToolsSent =
  | { type: 'none' }
  | { type: 'all'; on: number; tokens: number }
  | {
      type: 'search';
      which: NonNullable<SentTools<unknown>['bySearch']>;
      on: number;
      tokens: number;
      window?: number;
    };

/**
 * All of the connected servers' tools with every request, found by search because they are too many for the model
 * (lib/agent/offer.ts), or none at all.
 * @param seen names that the chat has found or called
 */
export function toolsSent(
  servers: ChatServer[],
  { tools, contextWindow }: Traits,
  { maxTools, maxToolShare }: Settings,
  seen: string[] = [],
): ToolsSent {
  if (tools === false) return { type: 'none' };
  const there = servers
    .filter(({ server, status }) => server.enabled && status.state === 'connected')
    .flatMap(({ server, tools: all }) =>
      all
        .filter((tool) => tool.on)
        .map((tool) => ({ ...tool, name: tool.key, toolName: tool.name, serverId: server.id })),
    );
  const offered = there.filter(({ isSkill }) => !isSkill);
  const skills = there.filter(({ isSkill }) => isSkill);
  const on = offered.length;
  // `read_more` is one of them, and so is that for skills where there are any.
  const always =
    READ_MORE_TOKENS +
    skills.reduce((sum, { tokens }) => sum + tokens, skills.length > 0 ? USE_SKILL_TOKENS : 0);
  const tokensOf = (some: typeof offered): number => some.reduce((sum, tool) => sum + tool.tokens, always);
  const isTooLong = (some: typeof offered): boolean =>
    contextWindow !== undefined && tokensOf(some) > (maxToolShare / 100) * contextWindow;
  const { sent, bySearch } = toolsToSend(
    offered,
    seen,
    maxTools,
    (some) => some.length + 1 <= maxTools && !isTooLong(some),
  );
  const tokens = tokensOf(sent);
  if (!bySearch) return { type: 'all', on, tokens };
  return {
    type: 'search',
    which: bySearch,
    on,
    tokens: tokens + SEARCH_TOOLS_TOKENS,
    ...(isTooLong(offered) && { window: contextWindow }),
  };
}

/** Names of the tools that a chat has called, or its searches have found, as far as its messages are here. */
export function toolsSeen({ messages, calls }: Pick<Chat, 'messages' | 'calls'>): string[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const called = message.tool_calls ?? [];
    const found = called.flatMap(({ name }, position) => {
      const text = calls[callIdOf(message.id, position)]?.result?.text;
      return name === SEARCH_TOOL && text !== undefined ? namesFound(text) : [];
    });
    return [...called.map(({ name }) => name), ...found];
  });
}

/** Whether Portside's own tools let a model read pages in this chat. */
export const readsPages = (servers: ChatServer[]): boolean =>
  servers.some(({ server: { id: serverId }, tools }) =>
    tools.some(({ name, on }) => on && ownRules({ serverId, toolName: name })?.readsPage),
  );

function chatTool(tool: ToolSummary, overrides: ToolOverrides): ChatTool {
  const { offeredName, problem, annotations, tokens, isSkill, description } = tool;
  // A skill's name is its address.
  const name = isSkill ? (tool.title ?? tool.name) : tool.name;
  const title = isSkill ? description : titleOfTool(tool);
  return {
    key: offeredName,
    name,
    ...(title !== undefined && { title }),
    tier: tierOf(annotations),
    ...(isSkill && { isSkill }),
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
