import type { Reply } from '../../lib/protocol/commands.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';
import type { Setup, ToolSummary } from '../../lib/protocol/setup.ts';
import type { Server, ServerStatus } from '../../lib/types/server.ts';

import { t } from '../../locales/texts/errors.ts';

const common = { enabled: true, toolTimeout: 30_000, trusted: false, oneAtATime: false };
const remote = (id: number, name: string, url: string, more: object = {}): Server => ({
  ...common,
  id,
  name,
  transport: 'streamable-http',
  url,
  headerNames: [],
  ...more,
});
const program = (id: number, name: string, args: string[], more: object = {}): Server => ({
  ...common,
  id,
  name,
  transport: 'stdio',
  command: 'npx',
  args: ['-y', ...args],
  envNames: [],
  ...more,
});

const servers: Server[] = [
  remote(2, 'Everything', 'http://127.0.0.1:3901/mcp'),
  remote(3, 'Playwright', 'http://127.0.0.1:3963/sse', { transport: 'sse' }),
  remote(4, 'Notion', 'https://mcp.notion.com/mcp', {
    headerNames: ['Notion-Version', 'X-Workspace'],
    oauthClient: { id: 'portside', hasSecret: true },
  }),
  remote(5, 'Linear', 'https://mcp.linear.app/mcp'),
  remote(6, 'A server whose name goes on and on', `https://mcp.example.com/${'a-long-path/'.repeat(12)}mcp`),
  program(7, 'Filesystem', ['@modelcontextprotocol/server-filesystem', '~/Documents'], {
    envNames: ['FS_TOKEN'],
    cwd: '~/Documents',
  }),
  program(8, 'Memory', ['@modelcontextprotocol/server-memory'], { enabled: false }),
  program(9, 'Notes', ['mcp-server-notes', '--vault', '~/My notes', '--key=${input:notes-key}'], {
    answerNames: ['input:notes-key'],
    envNames: ['NOTES_TOKEN', 'NOTES_REGION', 'NODE_OPTIONS'],
    openEnv: { NOTES_REGION: 'eu', NODE_OPTIONS: '--require ~/trace.js' },
  }),
];

const statuses: Record<number, ServerStatus> = {
  2: { state: 'connected', toolCount: 13, protocolVersion: '2026-07-28', answeredInMs: 12 },
  3: { state: 'connecting', toolCount: 0 },
  4: {
    state: 'error',
    toolCount: 0,
    error: {
      code: 'server_failed',
      message: 'Notion answers with HTTP 503.',
      cause: 'HTTP 503: upstream connect error or disconnect/reset before headers',
      fix: 'Wait a little, then reconnect.',
      retryable: true,
    },
  },
  5: { state: 'disconnected', reason: 'sign_in', toolCount: 0 },
  6: { state: 'disconnected', toolCount: 0 },
  7: {
    state: 'error',
    toolCount: 0,
    error: {
      code: 'native_host_missing',
      ...t(($) => $.errors.nativeHost.missing),
      retryable: false,
    },
  },
  9: { state: 'disconnected', reason: 'launch', toolCount: 0 },
};

const toolsOf = (serverId: number, count: number): ToolSummary[] =>
  Array.from({ length: count }, (_, index) => ({
    serverId,
    name: `tool_${index}`,
    offeredName: `mcp__${serverId}__tool_${index}`,
    description: '',
    annotations: {},
    enabled: true,
    permission: 'ask',
    present: true,
    tokens: 30,
  }));

/** Every state that a server of the list can be in. */
export const withServers = (setup: Setup): Setup => ({
  ...setup,
  servers: [...setup.servers, ...servers],
  statuses: { ...setup.statuses, ...statuses },
  tools: [...setup.tools, ...toolsOf(2, 13), ...toolsOf(3, 25), ...toolsOf(8, 9)],
});

/** By the name that is saved: `moved` has moved, `taken` is refused, any other works. Nothing is at `nowhere.example`. */
export function savedAs({ id, name, ...input }: ServerInput): Reply<'addServer'> {
  if (name === 'taken') {
    const error = { code: 'invalid_url', message: 'URL is malformed.', retryable: false };
    return { ok: false, error };
  }
  if ('url' in input && input.url.includes('nowhere.example')) return missed(input.url);
  if (name !== 'moved' || !('url' in input) || input.url.includes('/v2/')) return { ok: true, id: id ?? 2 };
  return {
    ok: false,
    id: id ?? 2,
    error: {
      code: 'server_redirect',
      message: 'moved has moved to https://mcp.example.com/v2/mcp.',
      cause: `${input.url} answered with a redirect.`,
      fix: 'If you trust the new address, enter https://mcp.example.com/v2/mcp in the server’s settings.',
      retryable: false,
      redirectedTo: 'https://mcp.example.com/v2/mcp',
    },
  };
}

function missed(url: string): Reply<'addServer'> {
  const error = {
    code: 'server_not_found',
    message: 'nowhere.example has no MCP endpoint.',
    cause: 'HTTP 404: <!doctype html><title>Not found</title>',
    retryable: false,
  };
  const tried = ['', 'mcp', 'sse'].map((path) => ({ address: new URL(path, url).href, error }));
  return { ok: false, error, tried };
}
