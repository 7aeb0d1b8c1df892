import type { FleetSummary } from '../../lib/types/fleet.ts';
import type { ModelSummary, Setup, ToolSummary } from '../../lib/protocol/setup.ts';
import type { LocalServer, ModelTest, Traits } from '../../lib/types/model.ts';
import type { Server } from '../../lib/types/server.ts';
import type { Provider } from '../../lib/types/provider.ts';
import { fullSetup, notes, projects, settings } from './setups.ts';

const server: Server = {
  id: 1,
  name: 'GitHub',
  transport: 'streamable-http',
  url: 'https://api.githubcopilot.com/mcp/',
  enabled: true,
  toolTimeout: 30_000,
  headerNames: ['Authorization'],
  trusted: true,
  oneAtATime: false,
};
const tool = (name: string, description: string, permission: ToolSummary['permission']): ToolSummary => ({
  serverId: 1,
  name,
  offeredName: `mcp__1__${name}`,
  description,
  annotations: {},
  enabled: permission !== 'block',
  permission,
  present: true,
  tokens: 20 + 3 * description.length,
});

const providers: Provider[] = [
  {
    id: 1,
    name: 'Ollama',
    preset: 'ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    model: 'qwen3:14b',
    hasKey: false,
    headerNames: [],
  },
  {
    id: 2,
    name: 'Anthropic',
    preset: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    model: 'claude-sonnet-4-5',
    hasKey: true,
    headerNames: ['anthropic-beta'],
  },
  {
    id: 3,
    name: 'OpenRouter',
    preset: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    model: 'qwen/qwen3-235b-a22b-thinking-2507:free',
    hasKey: true,
    headerNames: [],
  },
];

const model = (
  providerId: number,
  id: string,
  found: Traits,
  more: Partial<ModelSummary> = {},
): ModelSummary => ({
  providerId,
  id,
  found,
  chosen: {},
  learned: {},
  present: true,
  traits: { ...found, ...more.learned?.traits, ...more.chosen },
  ...more,
});

const [able, seeing] = [
  { tools: true, reasoning: true },
  { tools: true, vision: true, reasoning: true, contextWindow: 200_000, maxOutput: 64_000 },
] satisfies Traits[];

const many = Array.from({ length: 317 }, (_, index) =>
  model(3, `vendor-${index % 23}/model-${index}-instruct`, {
    tools: index % 3 !== 0,
    vision: index % 5 === 0,
    contextWindow: 32_768 * (1 + (index % 8)),
    price: { input: 0.07 * (1 + (index % 9)), output: 0.28 * (1 + (index % 9)) },
  }),
);

/** Providers here and elsewhere, one with hundreds of models, and two assistants. */
export const fullOptions: Setup = {
  servers: [server],
  statuses: { 1: { state: 'connected', toolCount: 3 } },
  tools: [
    tool('search_issues', 'Search issues and pull requests with GitHub search syntax', 'allow'),
    tool('issue_write', 'Create a new issue or change an existing one', 'ask'),
    tool('delete_file', 'Delete a file from a repository', 'block'),
  ],
  providers,
  models: [
    model(
      1,
      'qwen3:14b',
      { ...able, contextWindow: 4_096, largestContext: 40_960 },
      { chosen: { contextWindow: 32_768 } },
    ),
    model(1, 'gpt-oss:20b', { ...able, contextWindow: 131_072 }),
    model(
      1,
      'gemma3:12b',
      { vision: true, contextWindow: 4_096, largestContext: 131_072 },
      { learned: { traits: { tools: false }, dropped: ['temperature'], quirks: { systemAsUser: true } } },
    ),
    model(1, 'qwen2.5-coder:7b', {}, { shown: false }),
    model(2, 'claude-sonnet-4-5', { ...seeing, price: { input: 3, output: 15, cached: 0.3 } }),
    model(2, 'claude-haiku-4-5', { ...seeing, price: { input: 1, output: 5, cached: 0.1 } }),
    model(2, 'claude-2', {}, { present: false, chosen: { tools: false } }),
    ...many,
  ],
  assistants: [
    {
      id: 1,
      name: 'Code reviewer',
      providerId: 2,
      model: 'claude-sonnet-4-5',
      settings: { system: 'Review the change like a careful colleague.\nBe brief.', temperature: 0.2 },
    },
    { id: 2, name: 'Translator', providerId: null, model: null, settings: {} },
  ],
  prompts: fullSetup.prompts,
  notes,
  projects,
  schedules: [
    {
      id: 1,
      key: 'k1',
      name: 'Morning news',
      text: 'What is new on Hacker News?',
      providerId: 2,
      model: 'claude-haiku-4-5',
      settings: {},
      rhythm: { cron: '30 8 * * 1-5' },
      missed: 'run',
      allows: 'reads',
      perRun: { tokens: 5e4 },
      perMonth: { cost: 5 },
      next: Date.parse('2026-11-30T08:30:00Z'),
      last: {
        at: '2026-11-26T08:30:00Z',
        conversationId: 'schedule-1-1',
        live: true,
      },
      passedOver: {
        at: '2026-11-27T08:30:00Z',
        why: 'busy',
      },
      spent: {
        month: '2026-11',
        tokens: 214e3,
        cost: 0.31,
      },
    },
    {
      id: 2,
      key: 'k2',
      name: 'Clean up',
      text: 'Which tabs are open twice?',
      providerId: null,
      model: null,
      settings: {},
      rhythm: { cron: '*/20 9-17 1,15 * 5' },
      missed: 'skip',
      allows: 'usual',
      perRun: {},
      perMonth: {},
      isOff: true,
    },
  ],
  newChat: { providerId: 1, model: null, settings: {} },
  settings,
};

export const noOptions: Setup = {
  ...fullOptions,
  servers: [],
  tools: [],
  providers: [],
  models: [],
  assistants: [],
  prompts: [],
  projects: [],
  notes: [],
  schedules: [],
  newChat: { providerId: null, model: null, settings: {} },
};

/** With the user's other computers, by a store that answers, or that does not know the passphrase any more. */
export const withSync = (setup: Setup, isFailed: boolean): Setup => ({
  ...setup,
  sync: {
    place: isFailed
      ? {
          type: 's3',
          url: 'https://s3.us-east-1.example/harbour/portside',
          user: 'AKIA',
          region: 'us-east-1',
        }
      : { type: 'webdav', url: 'https://cloud.example/remote.php/dav/files/ada/Portside', user: 'ada' },
    machine: 'm1',
    paused: isFailed,
    lastAt: '2026-11-27T08:30:00Z',
    ...(isFailed && { fault: { code: 'refused', detail: 'HTTP 401, Unauthorized' } }),
  },
  browserSync: { left: isFailed ? ['Weather for a crossing', 'standup'] : [] },
});

export const fleet: FleetSummary = {
  ownProviders: false,
  ownServers: true,
  sync: false,
  tools: { forbidden: ['page/*'] },
  sites: { allowed: ['harbour.example', 'docs.example'] },
  importers: { allowed: ['Portside', 'Settings'] },
  locked: ['blockedSites', 'tierPermissions'],
};

export const localServers: LocalServer[] = [
  {
    preset: 'ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    state: 'found',
    models: [
      { id: 'gemma3:12b', traits: { contextWindow: 131_072 } },
      { id: 'qwen3:14b', traits: { tools: true, contextWindow: 4_096, largestContext: 40_960 } },
    ],
  },
  { preset: 'lmstudio', baseUrl: 'http://127.0.0.1:1234/v1', state: 'absent', models: [] },
  {
    preset: 'llamacpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    state: 'found',
    models: [{ id: 'qwen3-30b-a3b', traits: { tools: true, contextWindow: 32_768 } }],
  },
];

export const workingTest: ModelTest = {
  totalMs: 812,
  streams: true,
  calledTool: true,
  reasoned: false,
  usage: { inputTokens: 180, outputTokens: 32 },
  traits: { tools: true, contextWindow: 131_072 },
};
