import type { Commands } from '../../lib/protocol/commands.ts';
import type { Setup, ToolSummary } from '../../lib/protocol/setup.ts';
import type { ListedTool } from '../../lib/protocol/tools.ts';
import type { Offer } from '../../lib/types/offer.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import type { RemoteServer, ServerStatus } from '../../lib/types/server.ts';
import type { ToolAnnotations } from '../../lib/types/tools/tool.ts';
import type { WireEntry } from '../../lib/types/wire-log.ts';

type Replies = Partial<{ [K in keyof Commands]: (request: never) => unknown }>;

const red =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg==';

const server: RemoteServer = {
  id: 1,
  name: 'GitHub',
  transport: 'streamable-http',
  url: 'https://api.githubcopilot.com/mcp/',
  enabled: true,
  toolTimeout: 30_000,
  headerNames: ['X-MCP-Toolsets'],
  trusted: true,
  oneAtATime: false,
  signedIn: { issuer: 'https://github.com/login/oauth', scope: 'repo read:org' },
};
const connected: ServerStatus = {
  state: 'connected',
  toolCount: 9,
  protocolVersion: '2025-11-25',
  answeredInMs: 84,
};

const tool = (
  name: string,
  description: string,
  permission: ToolSummary['permission'],
  annotations: ToolAnnotations,
  more: Partial<ToolSummary> = {},
): ToolSummary => ({
  serverId: 1,
  name,
  offeredName: `mcp__1__${name}`,
  description,
  annotations,
  enabled: true,
  permission,
  present: true,
  tokens: 20 + 3 * description.length,
  ...more,
});
const [reads, sends] = [
  { readOnlyHint: true, openWorldHint: false },
  { openWorldHint: true, destructiveHint: false },
];
const off = { enabled: false };

const tools: ToolSummary[] = [
  tool('search_issues', 'Search issues and pull requests with GitHub search syntax', 'allow', reads),
  tool('issue_read', 'Read one issue with its comments, labels and sub-issues', 'allow', reads, {
    title: 'Read an issue',
  }),
  tool('issue_write', 'Create a new issue or change an existing one', 'ask', sends),
  tool('add_issue_comment', 'Add a comment to an issue or pull request', 'ask', sends),
  tool('get_file_contents', 'Read a file or folder of a repository', 'allow', reads, off),
  tool('create_branch', 'Create a branch in a repository', 'ask', { destructiveHint: false }, off),
  tool('push_files', 'Push several files in one commit', 'ask', sends, off),
  tool('delete_file', 'Delete a file from a repository', 'block', { destructiveHint: true }, off),
  tool('sub_issue_write', 'Add a sub-issue', 'ask', sends, {
    problem: 'its schema points to a definition that does not exist.',
  }),
];

const schema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Search query using GitHub issues search syntax' },
    sort: { type: 'string', enum: ['comments', 'reactions', 'created', 'updated'] },
    perPage: { type: 'integer', minimum: 1, maximum: 100, default: 30 },
  },
  required: ['query'],
};

const listed = (all: ToolSummary[]): ListedTool[] =>
  all.map(({ offeredName, name, description, annotations, problem, review }) => ({
    fullName: offeredName,
    toolName: name,
    description,
    inputSchema: schema,
    serverId: 1,
    serverName: 'GitHub',
    fingerprint: 'f',
    ...(review && {
      review: {
        now: { name, description, inputSchema: schema, annotations },
        ...(review === 'changed' && {
          before: { name, description: 'Search issues', inputSchema: schema, annotations },
        }),
      },
    }),
    ...(problem !== undefined && { problem }),
  }));

const argument = (name: string, required: boolean, description = '') => ({ name, required, description });
const offer: Offer = {
  info: {
    name: 'github-mcp-server',
    title: 'GitHub MCP Server',
    version: '0.24.1',
    websiteUrl: 'https://github.com/github/github-mcp-server',
    icons: [{ src: `data:image/png;base64,${red}` }],
    protocolVersion: '2025-11-25',
    transport: 'streamable-http',
    instructions:
      'The GitHub MCP Server provides tools to interact with the GitHub platform.\n\nAlways search before you create an issue: duplicates cost everyone time.',
    can: ['complete', 'log'],
  },
  prompts: [
    {
      name: 'issue_to_fix_workflow',
      title: 'Issue to fix',
      description: 'Create an issue and open a pull request that fixes it',
      arguments: [
        argument('owner', true, 'Account or organisation that the repository belongs to'),
        argument('repo', true),
        argument('title', true),
        argument('labels', false, 'Comma-separated'),
      ],
    },
    {
      name: 'AssignCodingAgent',
      description: 'Find issues suited to a coding agent and assign them',
      arguments: [],
    },
  ],
  resources: [
    {
      uri: 'repo://octo/portside/contents/README.md',
      name: 'README.md',
      description: 'What the repository is about',
      mimeType: 'text/markdown',
      size: 4_812,
    },
    {
      uri: 'repo://octo/portside/icon.png',
      name: 'icon',
      title: 'The icon',
      description: '',
      mimeType: 'image/png',
    },
  ],
  templates: [
    {
      uriTemplate: 'repo://{owner}/{repo}/contents{/path*}',
      name: 'repository_content',
      title: 'Repository file',
      description: '',
    },
    {
      uriTemplate: 'repo://{owner}/{repo}/refs/pull/{prNumber}/head/contents{/path*}',
      name: 'pull_request_content',
      title: 'File in a pull request',
      description: '',
    },
  ],
};

const start = Date.parse('2026-11-14T19:40:11.020');
const line = (
  seq: number,
  kind: WireEntry['kind'],
  summary: string,
  size: number,
  more: Partial<WireEntry> = {},
): WireEntry => ({ seq, at: new Date(start + seq * 4_211).toISOString(), kind, summary, size, ...more });
const log: WireEntry[] = [
  line(1, 'sent', 'initialize', 402, { id: '0' }),
  line(2, 'received', 'result', 2_100, { id: '0', tookMs: 211 }),
  line(3, 'sent', 'notifications/initialized', 54),
  line(4, 'sent', 'tools/list', 78, { id: '1', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }),
  line(5, 'received', 'result, 40 tools', 58_000, { id: '1', tookMs: 256 }),
  line(6, 'log', 'cache warmed for octo/portside', 140, { level: 'info' }),
  line(7, 'sent', 'tools/call search_issues', 312, { id: '7' }),
  line(8, 'received', 'result', 7_600, {
    id: '7',
    tookMs: 1_188,
    body: '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"2 issues"}]}}',
  }),
  line(9, 'sent', 'tools/call issue_write', 512, { id: '9' }),
  line(10, 'received', 'error -32602: title must not be empty', 190, { id: '9', tookMs: 92, isError: true }),
  line(11, 'log', 'rate limit: 12 requests left', 96, { level: 'error' }),
  line(12, 'note', 'the stream was cut, no answer to 11', 0),
];

const sampling: ServerRequest = {
  kind: 'form',
  message: 'Which repository is meant?',
  schema: {
    type: 'object',
    required: ['repo'],
    properties: {
      repo: { type: 'string', title: 'Repository', enum: ['octo/portside', 'octo/site'] },
      closed: { type: 'boolean', title: 'Closed issues too' },
    },
  },
  id: 'ask1',
  conversationId: '',
  serverId: 1,
  serverName: 'GitHub',
  serverHost: 'api.githubcopilot.com',
  callId: '',
  askedAt: new Date(start).toISOString(),
};

const statuses: Record<string, ServerStatus> = {
  error: {
    state: 'error',
    toolCount: 0,
    error: {
      code: 'server_unreachable',
      message: 'Nothing answers at api.githubcopilot.com.',
      fix: 'Check the address and that the server runs, then reconnect.',
      cause: 'TypeError: Failed to fetch',
      retryable: true,
    },
  },
  signin: { state: 'disconnected', toolCount: 0, reason: 'sign_in' },
  connecting: { state: 'connecting', toolCount: 0 },
};

const many = Array.from({ length: 500 }, (_, index) =>
  tool(`tool_number_${index}`, `Does the thing that is called ${index}`, 'ask', index % 2 ? reads : sends),
);

/** One that the server changed since it was trusted, and one that is new. */
const changed = tools.map((each, at): ToolSummary => {
  if (at > 1) return each;
  return { ...each, permission: 'ask', review: at === 0 ? 'changed' : 'new' };
});

/** `?server=error#servers/1/tools`; also `signin`, `connecting`, `off`, `empty`, `many`, `asks`, `changed`. */
export function serverVariant(setup: Setup, variant: string): Setup {
  const status = statuses[variant];
  const own = { many, empty: [], changed }[variant] ?? tools;
  const { signedIn: _signedIn, ...signedOut } = server;
  return {
    ...setup,
    servers: [
      { ...(variant === 'signin' ? signedOut : server), enabled: variant !== 'off' },
      ...setup.servers.filter(({ id }) => id !== 1),
    ],
    statuses: { ...setup.statuses, 1: status ?? connected },
    tools: [...own, ...setup.tools.filter(({ serverId }) => serverId !== 1)],
  };
}

export function serverReplies(variant: string, ask: (request: ServerRequest) => void): Replies {
  const nothing: Offer = { ...offer, prompts: [], resources: [], templates: [] };
  return {
    serverOffer: () => (variant === 'empty' ? nothing : offer),
    listTools: () => listed({ many, changed }[variant] ?? tools),
    serverLog: () => (variant === 'empty' ? [] : log),
    startSignIn: () => ({ state: 'needs_origin', origins: ['https://github.com'] }),
    async callTool({ callId }: { callId: string }) {
      if (variant === 'asks') {
        ask({ ...sampling, callId });
        await new Promise((resolve) => setTimeout(resolve, 3_600_000));
      }
      const text =
        '{"total_count":2,"items":[{"number":1708,"state":"open"},{"number":1690,"state":"open"}]}';
      return { result: { text, isError: false, structured: JSON.parse(text) as unknown } };
    },
    readResource: ({ uri }: { uri: string }) => [
      {
        type: 'resource',
        resource: uri.endsWith('.png')
          ? { uri, mimeType: 'image/png', blob: red }
          : {
              uri,
              mimeType: 'text/markdown',
              text: '# Portside\n\nAn assistant in the side panel.\n'.repeat(3),
            },
      },
    ],
  };
}
