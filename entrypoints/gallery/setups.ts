import { DEFAULT_SYSTEM } from '../../lib/types/default-system.ts';
import type { ModelSummary, Setup, ToolSummary } from '../../lib/protocol/setup.ts';
import type { ProjectSummary } from '../../lib/types/project.ts';
import type { Traits } from '../../lib/types/model.ts';
import type { Settings } from '../../lib/types/settings.ts';
import type { ChatChoice } from '../../lib/types/conversation.ts';
import type { RemoteServer, Server } from '../../lib/types/server.ts';
import type { Provider } from '../../lib/types/provider.ts';

const server = (id: number, name: string, url: string, more: Partial<RemoteServer> = {}): Server => ({
  id,
  name,
  transport: 'streamable-http',
  url,
  enabled: true,
  toolTimeout: 30_000,
  headerNames: [],
  trusted: false,
  oneAtATime: false,
  ...more,
});

const tool = (
  serverId: number,
  name: string,
  description: string,
  more: Partial<ToolSummary> = {},
): ToolSummary => ({
  serverId,
  name,
  offeredName: `mcp__${serverId}__${name}`,
  description,
  annotations: {},
  enabled: true,
  permission: 'allow',
  present: true,
  tokens: 20 + 3 * description.length,
  ...more,
});

export const ollama: Provider = {
  id: 1,
  name: 'Ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: 'qwen3:14b',
  hasKey: false,
  preset: 'ollama',
  headerNames: [],
};
const openRouter: Provider = {
  id: 2,
  name: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  model: 'qwen/qwen3-235b-a22b',
  hasKey: true,
  preset: 'openrouter',
  headerNames: [],
};
const demo: Provider = {
  id: 3,
  name: 'Demo model (scripted)',
  baseUrl: 'http://127.0.0.1:3902/v1',
  model: 'portside-demo',
  hasKey: false,
  preset: 'custom',
  headerNames: [],
};

const model = (providerId: number, id: string, traits: Traits): ModelSummary => ({
  providerId,
  id,
  found: traits,
  chosen: {},
  learned: {},
  traits,
  present: true,
});

const models: ModelSummary[] = [
  model(1, 'qwen3:14b', { tools: true, reasoning: true, contextWindow: 32_768 }),
  model(1, 'gpt-oss:20b', { tools: true, reasoning: true, contextWindow: 131_072 }),
  model(1, 'gemma3:12b', { tools: false, vision: true, contextWindow: 131_072 }),
  model(1, 'hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:Q4_K_M', {}),
  model(2, 'qwen/qwen3-235b-a22b', { tools: true, reasoning: true, contextWindow: 131_072 }),
  model(2, 'anthropic/claude-sonnet-4.5', {
    tools: true,
    vision: true,
    reasoning: true,
    contextWindow: 200_000,
  }),
];
const manyModels: ModelSummary[] = [
  ...models,
  model(1, 'nomic-embed-text', { chat: false }),
  ...Array.from({ length: 8 }, (_, index) =>
    model(2, `vendor/model-${index + 1}`, { tools: index % 2 === 0, contextWindow: 65_536 }),
  ),
];

/** The defaults (lib/storage/configuration/settings.ts). */
export const settings: Settings = {
  system: DEFAULT_SYSTEM,
  starters: {},
  seenHints: [],
  maxIterations: 10,
  language: 'browser',
  theme: 'system',
  textSize: 'normal',
  enterSends: true,
  whileLive: 'queue',
  atEntry: 'ask',
  askBox: false,
  panelScope: 'window',
  makeTitles: true,
  actionPictures: true,
  memory: false,
  schedulesPaused: false,
  notify: false,
  tierPermissions: { reads: 'allow', writes: 'ask', sends: 'ask', destructive: 'ask' },
  maxTools: 128,
  blockedSites: '',
  maxToolShare: 10,
  maxLoggedCalls: 5000,
  lockAfter: '8h',
  registryUrl: 'https://registry.modelcontextprotocol.io',
};
const local: ChatChoice = { providerId: 1, model: null, settings: {} };
const careful: ChatChoice = {
  providerId: 1,
  model: 'qwen3:14b',
  settings: { system: 'Answer in short sentences and name your sources.', temperature: 0.2 },
};

/** Servers in every state, tools, three providers. */
export const fullSetup: Setup = {
  servers: [
    server(1, 'GitHub', 'https://api.githubcopilot.com/mcp/', { headerNames: ['Authorization'] }),
    server(2, 'Everything', 'http://127.0.0.1:3901/mcp'),
    server(3, 'Playwright', 'http://127.0.0.1:3963/sse', { transport: 'sse' }),
    server(4, 'Notion', 'https://mcp.notion.com/mcp'),
    server(5, 'Memory', 'http://127.0.0.1:3950/mcp', { enabled: false }),
  ],
  statuses: {
    1: { state: 'connected', toolCount: 4 },
    2: { state: 'connected', toolCount: 2 },
    3: { state: 'connecting', toolCount: 25 },
    4: {
      state: 'error',
      toolCount: 18,
      error: {
        code: 'server_refused',
        message: 'Notion refused the connection.',
        cause: 'HTTP 403, Invalid Origin',
        fix: 'Check that the address is right and that your account may use it, then reconnect.',
        retryable: false,
      },
    },
    5: { state: 'disconnected', toolCount: 9 },
  },
  tools: [
    tool(1, 'search_issues', 'Search issues and pull requests with GitHub search syntax'),
    tool(1, 'issue_read', 'Read one issue with its comments, labels and sub-issues'),
    tool(1, 'issue_write', 'Create a new issue or change an existing one', { permission: 'ask' }),
    tool(1, 'delete_file', 'Delete a file from a repository', { enabled: false, permission: 'block' }),
    tool(1, 'push_files', 'Push several files in one commit', { present: false }),
    tool(2, 'echo', 'Echoes back the input string'),
    tool(2, 'get-sum', 'Returns the sum of two numbers'),
  ],
  providers: [ollama, openRouter, demo],
  models,
  assistants: [
    { id: 1, name: 'Careful reader', ...careful },
    { id: 2, name: 'Fast', providerId: 2, model: null, settings: { reasoningEffort: 'none' } },
  ],
  projects: [],
  notes: [],
  schedules: [],
  prompts: [
    {
      id: 1,
      name: 'Weekly report',
      text: 'Write a report on {{topic}} for {{readers}}.\nShort sentences, no more than a page.',
    },
    { id: 2, name: 'Review', text: 'Review what is attached. Say what is wrong first.' },
  ],
  newChat: local,
  settings,
};

export const notes: Setup['notes'] = [
  {
    id: 1,
    text: 'I write for a regional newspaper; articles have at most 4,000 characters, in British English.',
  },
  { id: 2, text: 'Harbour is a site of tide tables. Ask before new packages.' },
  { id: 3, text: 'Prefers departures before 9:00.', from: ['tides.example'] },
];

export const quietSetup: Setup = {
  ...fullSetup,
  servers: fullSetup.servers.slice(0, 2),
};

/** One of the user's own, and one that came from a file. */
export const projects: ProjectSummary[] = [
  {
    id: 1,
    key: 'boats',
    name: 'Boats',
    instructions: 'Write as a harbour master.\nBe brief.',
    tools: { 'mcp__-1': false },
    files: [{ id: 'f1', name: 'tides.csv', length: 12_480 }],
  },
  {
    id: 2,
    key: 'shared',
    name: 'Shared by a colleague',
    instructions: 'Answer in French.',
    files: [],
    isOff: true,
  },
];

/** The user's notes go along, and chats have a project. */
export const memorySetup: Setup = { ...quietSetup, settings: { ...settings, memory: true }, notes, projects };

export const cloudSetup: Setup = { ...quietSetup, newChat: { ...local, providerId: 2 } };

/** So many models that the list can be filtered. */
export const wideSetup: Setup = { ...quietSetup, models: manyModels };

/** New chats ask as an assistant does. */
export const assistantSetup: Setup = { ...quietSetup, newChat: careful };

export const emptySetup: Setup = {
  servers: [],
  statuses: {},
  tools: [],
  providers: [],
  models: [],
  assistants: [],
  prompts: [],
  projects: [],
  notes: [],
  schedules: [],
  newChat: { providerId: null, model: null, settings: {} },
  settings,
};
