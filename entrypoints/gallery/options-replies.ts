import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { Commands, Request } from '../../lib/protocol/commands.ts';
import type { LoggedCall } from '../../lib/protocol/tools.ts';
import type { CallStatus, ToolCall } from '../../lib/types/tools/tool-call.ts';

type Replies = Partial<{ [K in keyof Commands]: (request: never) => unknown }>;

/** As a registry may list them: a long name, a deprecated one, and one that can't be started. */
const github = {
  title: 'GitHub',
  description: 'Connect AI assistants to GitHub: repositories, issues, pull requests and workflows.',
  version: '0.13.0',
  websiteUrl: 'https://github.com/github/github-mcp-server',
  remotes: [{ type: 'streamable-http', url: 'https://api.githubcopilot.com/mcp/' }],
};
const docker = {
  registryType: 'oci',
  identifier: 'ghcr.io/github/github-mcp-server:0.13.0',
  transport: { type: 'stdio' },
  packageArguments: ['--read-only', '--toolsets'].map((name) => ({ type: 'named', name })),
};
const long = 'ac.inference.sh.workflows-and-apps-with-a-name-without-an-end';

export const importReplies: Replies = {
  searchRegistry: () => ({
    servers: [
      { server: { name: 'io.github.github/github-mcp-server', ...github, packages: [docker] } },
      { server: { ...github, name: `${long}/mcp`, title: long, status: 'deprecated' } },
      { server: { ...github, name: 'com.example/bundle', title: 'bundle', remotes: [] } },
    ],
    metadata: { nextCursor: '2' },
  }),
  importServers: ({ servers }: Request<'importServers'>) => ({
    ids: servers.map((_server, position) => position + 1),
  }),
  connect: ({ id }: { id: number }) =>
    id % 2 === 1
      ? { ok: true }
      : {
          ok: false,
          error: {
            code: 'server_unreachable',
            message: 'Nothing answers at 127.0.0.1:3963.',
            fix: 'Start the server, then reconnect.',
            retryable: true,
          },
        },
  exportServers: () => ({ text: '{}' }),
};

const statuses: CallStatus[] = [
  'running',
  'unknown',
  'denied',
  'success',
  'timeout',
  'error',
  'success',
  'pending',
  'cancelled',
];
const tools = ['search_code', 'issue_write', 'add_issue_comment', 'search_issues', 'browser_navigate'];
const day = Date.now();

/** Of a call that was asked about again because of what its chat had read. */
const TOLD: Pick<ToolCall, 'allowed' | 'taint'> = {
  allowed: 'once',
  taint: {
    from: ['lighthouse.example', 'tides.example:8443'],
    again: true,
    quotes: [{ text: 'is:open session 404', from: 'lighthouse.example' }],
  },
};

const call = (number: number): ToolCall => {
  const status = statuses[number % statuses.length] ?? 'success';
  const ran = status !== 'denied' && status !== 'pending';
  const at = new Date(day - number * 1_234_000).toISOString();
  return {
    callId: `m${number}.0`,
    conversationId: number % 7 === 5 ? '' : 'c1',
    runId: 'r1',
    messageId: `m${number}`,
    position: 0,
    toolCallId: 'x',
    namespacedName: 'mcp__1__x',
    toolName: tools[number % tools.length] ?? 'x',
    serverId: 1,
    serverName: 'GitHub',
    arguments: '{"query":"is:open session 404","repo":"modelcontextprotocol/typescript-sdk"}',
    annotations: {},
    status,
    createdAt: at,
    ...(ran && (number % 2 ? { allowed: 'before' as const, basis: 'always' as const } : TOLD)),
    ...(ran && { startedAt: at }),
    ...(ran && status !== 'running' && { durationMs: 80 + number * 170 }),
    ...(status !== 'running' &&
      status !== 'pending' && {
        result: {
          text: '{"total_count":2,"items":[{"number":1708,"state":"open"},{"number":1690,"state":"open"}]}',
          isError: status !== 'success',
          ...(number > 40 && { text: '', dropped: true as const }),
        },
      }),
  };
};

const calls = Array.from({ length: 120 }, (_, number) => call(number));

const lineOf = ({
  callId,
  conversationId,
  toolName,
  serverId,
  serverName,
  ...rest
}: ToolCall): LoggedCall => ({
  callId,
  conversationId,
  toolName,
  serverId,
  serverName,
  status: rest.status,
  createdAt: rest.createdAt,
  ...(rest.startedAt !== undefined && { startedAt: rest.startedAt }),
  ...(rest.durationMs !== undefined && { durationMs: rest.durationMs }),
  ...(conversationId !== OWN_CALLS && { chatTitle: 'SDKs that lose the session' }),
});

/** @param isEmpty nothing was ever called */
export const logReplies = (isEmpty: boolean): Replies => ({
  toolLog: ({ text = '', status, before }: Request<'toolLog'>) => {
    const start = before === undefined ? 0 : calls.findIndex(({ callId }) => callId === before) + 1;
    const fit = (isEmpty ? [] : calls).slice(start).filter((each) => {
      return each.toolName.includes(text) && (status === undefined || each.status === status);
    });
    return { calls: fit.slice(0, 50).map(lineOf), hasMore: fit.length > 50 };
  },
  loggedCall: ({ callId }: { callId: string }) => calls.find((each) => each.callId === callId) ?? null,
});
