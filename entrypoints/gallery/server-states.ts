import type { Snapshot } from '../../lib/protocol/panel.ts';
import type { Setup, ToolSummary } from '../../lib/protocol/setup.ts';
import type { Attachment } from '../../lib/types/attachment.ts';
import type { Message } from '../../lib/types/message.ts';
import type { RequestBody, ServerRequest } from '../../lib/types/request.ts';
import { idle } from '../../lib/types/run.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { ago, assistant, call, conversation, ended, ID, requests, result, run, you } from './rows.ts';
import type { Script } from './scripted-link.ts';
import { fullSetup, quietSetup } from './setups.ts';

const asking = call('a2', 0, { tool: 'issue_write', status: 'running' }, { startedAt: ago(12) });

const asks = (body: RequestBody, more: Partial<ServerRequest> = {}): Script => ({
  setup: quietSetup,
  snapshot: {
    conversation,
    messages: [you(1, 'Open an issue in octo-repo.'), assistant(2, '', requests([asking]))],
    runs: [run({ iteration: 4 })],
    toolCalls: [asking],
    requests: [
      {
        ...body,
        id: `gallery-${body.kind}`,
        conversationId: ID,
        serverId: 1,
        serverName: 'GitHub',
        serverHost: 'api.githubcopilot.com',
        callId: asking.callId,
        askedAt: ago(10),
        ...more,
      } as ServerRequest,
    ],
  },
});

const form: RequestBody = {
  kind: 'form',
  message: 'How should this issue be filed?',
  schema: {
    type: 'object',
    required: ['title', 'type'],
    properties: {
      title: { type: 'string', title: 'Title', default: 'New session on HTTP 404', maxLength: 80 },
      type: {
        type: 'string',
        title: 'Type',
        enum: ['bug', 'feature', 'task'],
        enumNames: ['Bug', 'Feature', 'Task'],
        default: 'bug',
      },
      due: { type: 'string', title: 'Due date', format: 'date', default: '2026-12-04' },
      labels: {
        type: 'array',
        title: 'Labels',
        items: {
          anyOf: ['mcp', 'transport', 'good first issue'].map((name) => ({ const: name, title: name })),
        },
        default: ['mcp', 'transport'],
        maxItems: 2,
      },
      days: { type: 'integer', title: 'Estimate in days', minimum: 1, maximum: 10, default: 14 },
      mail: {
        type: 'string',
        title: 'Contact',
        format: 'email',
        description: 'Who answers questions about it.',
      },
      notify: { type: 'boolean', title: 'Notify everyone who watches octo-repo' },
    },
  },
};

const attachment = (id: string, title: string, tokens: number): Attachment => ({
  id,
  title,
  source: {
    type: 'resource',
    serverId: 2,
    serverName: 'Everything',
    uri: `demo://resource/static/document/${title}`,
  },
  text: '# Features\n\n- tools\n- prompts\n- resources',
  tokens,
});
const attached = [
  attachment('d1', 'features.md', 912),
  attachment('d2', 'a-name-that-is-far-longer-than-a-chip.md', 6200),
];

const offers: Pick<Script, 'setup' | 'replies'> = {
  setup: quietSetup,
  replies: {
    listPrompts: [
      {
        serverId: 1,
        serverName: 'GitHub',
        name: 'issue_to_fix_workflow',
        description: 'Create an issue and open a pull request that fixes it',
        arguments: [
          { name: 'owner', description: 'Who the repository belongs to', required: true },
          { name: 'repo', description: '', required: true },
          { name: 'title', description: '', required: false },
        ],
      },
      {
        serverId: 1,
        serverName: 'GitHub',
        name: 'AssignCodingAgent',
        description: 'Find issues suited to a coding agent and assign them',
        arguments: [{ name: 'repo', description: '', required: true }],
      },
      {
        serverId: 2,
        serverName: 'Everything',
        name: 'simple-prompt',
        description: 'A prompt without arguments',
        arguments: [],
      },
    ],
    listResources: {
      resources: ['architecture.md', 'features.md', 'how-it-works.md'].map((name) => ({
        serverId: 2,
        serverName: 'Everything',
        name,
        description: '',
        uri: `demo://resource/static/document/${name}`,
        mimeType: 'text/markdown',
        size: 3210,
      })),
      templates: [
        {
          serverId: 1,
          serverName: 'GitHub',
          name: 'Repository file',
          description: '',
          uriTemplate: 'repo://{owner}/{repo}/contents{/path*}',
        },
      ],
    },
    complete: { values: ['octo-org', 'octocat', 'octokit'], hasMore: true },
    previewAttachment: { text: attached[0]?.text ?? '', pictures: [] },
    getPrompt: { text: 'This is a simple prompt without arguments.', attachments: [] },
  },
};

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const silence = `UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=`;
const blocks = call(
  'a2',
  0,
  { tool: 'get-everything', server: [2, 'Everything'], status: 'success' },
  {
    durationMs: 1234,
    result: result('{"temperature":22.5,"conditions":"Partly cloudy"}', {
      structured: { temperature: 22.5, conditions: 'Partly cloudy', humidity: 65 },
      blocks: [
        { type: 'image', data: pixel, mimeType: 'image/png' },
        { type: 'audio', data: silence, mimeType: 'audio/wav' },
        {
          type: 'resource',
          resource: {
            uri: 'demo://resource/static/document/features.md',
            mimeType: 'text/markdown',
            text: '# Features\n\n- tools',
          },
        },
        {
          type: 'resource',
          resource: {
            uri: 'demo://resource/archive.zip',
            mimeType: 'application/zip',
            blob: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
          },
        },
        {
          type: 'resource_link',
          uri: 'https://example.com/reports/2026.csv',
          name: '2026.csv',
          description: 'The whole year, one line a day',
          mimeType: 'text/csv',
          size: 48_210,
        },
        { type: 'unknown', value: { type: 'hologram', depth: 3 } },
      ],
    }),
  },
);
const dropped = call(
  'a2',
  1,
  { tool: 'search_issues', status: 'success' },
  { durationMs: 900, result: result('2 issues', { dropped: true }) },
);
const lost = call(
  'a2',
  2,
  { tool: 'issue_write', status: 'unknown' },
  {
    durationMs: 4100,
    result: result('GitHub went away while this ran. Whether it was carried out is unknown.', {
      isError: true,
    }),
  },
);

const many: ToolSummary[] = Array.from({ length: 500 }, (_, index) => ({
  serverId: 2,
  name: `tool_${index + 1}`,
  offeredName: `mcp__2__tool_${index + 1}`,
  description: 'One of many',
  annotations: index % 7 === 0 ? { destructiveHint: true } : {},
  enabled: index % 5 !== 0,
  permission: 'ask',
  present: true,
  tokens: 63,
}));
const toolsSetup: Setup = {
  ...fullSetup,
  statuses: {
    ...fullSetup.statuses,
    5: { state: 'disconnected', toolCount: 0 },
  },
  tools: fullSetup.tools.map((tool) => ({
    ...tool,
    ...(tool.name === 'issue_write' && { title: 'Write an issue', annotations: { openWorldHint: true } }),
    ...(tool.name === 'delete_file' && { annotations: { destructiveHint: true } }),
    ...(tool.name === 'echo' && { problem: 'Its schema is broken: type must be a string.' }),
  })),
};
const signIn: Setup = {
  ...toolsSetup,
  statuses: { ...toolsSetup.statuses, 4: { state: 'disconnected', toolCount: 0, reason: 'sign_in' } },
  newChat: { ...fullSetup.newChat, tools: { mcp__1__search_issues: false, mcp__1__delete_file: true } },
};

const done = (calls: ToolCall[]): Partial<Snapshot> => ({
  conversation,
  messages: [
    you(1, 'Show me everything.'),
    assistant(2, '', requests(calls)),
    assistant(3, 'That is all of it.'),
  ],
  runs: [ended()],
  toolCalls: calls,
});

/** What servers ask and offer. */
export const serverStates: Record<string, Script> = {
  'request-form': asks(form),
  'request-url': asks({
    kind: 'url',
    message: 'Sign in to GitHub to let this server create the issue.',
    url: 'https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766&scope=repo&state=9f8e7d6c5b4a',
  }),
  'request-url-opened': asks({
    kind: 'url',
    message: 'Sign in to GitHub to let this server create the issue.',
    url: 'https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766&scope=repo&state=9f8e7d6c5b4a',
    isOpened: true,
  }),
  'request-url-odd': asks({
    kind: 'url',
    message: 'Confirm your account.',
    url: 'http://github.com@accounts.github.com.sign-in.session-9f8e7d6c5b4a.xn--gthub-n4a.example/confirm?next=%2F',
  }),
  'request-sampling': asks({
    kind: 'sampling',
    sampling: {
      system: 'You write release notes. Be short.',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Summarise the following commits. '.repeat(30) }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: '1', name: 'read_commit', input: { sha: 'a11ce' } }],
        },
      ],
      tools: [{ name: 'read_commit', description: '', inputSchema: {} }],
      maxTokens: 1000,
    },
  }),
  'request-outside-call': {
    setup: quietSetup,
    snapshot: { requests: asks(form, { callId: null, conversationId: 'new' }).snapshot?.requests ?? [] },
  },
  prompts: { ...offers, snapshot: { draft: '' } },
  'prompts-none': { setup: { ...quietSetup, statuses: {} } },
  'prompts-failed': {
    setup: quietSetup,
    failures: { listPrompts: new Error('GitHub did not answer in 30 s.') },
  },
  attachments: {
    ...offers,
    snapshot: {
      conversation,
      messages: [
        { ...you(1, 'What does it offer?'), attachments: attached } as Message,
        assistant(2, 'Tools, prompts and resources.', { usage: { inputTokens: 5100, outputTokens: 40 } }),
      ],
      runs: [
        run(),
        run({
          id: 'r2',
          status: 'queued',
          queued: { id: 'q', text: 'And compare them', attachments: attached, order: 0, steer: false },
        }),
      ],
      attachments: attached,
      draft: 'And what is missing?',
    },
  },
  'chat-tools': { setup: toolsSetup },
  'chat-tools-changed': { setup: signIn },
  'chat-tools-search': {
    setup: { ...toolsSetup, settings: { ...toolsSetup.settings, maxToolShare: 0.5 } },
  },
  'chat-tools-none': { setup: { ...toolsSetup, newChat: { ...toolsSetup.newChat, model: 'gemma3:12b' } } },
  'chat-tools-many': {
    setup: { ...fullSetup, tools: [...fullSetup.tools.slice(0, 5), ...many] },
  },
  results: {
    setup: quietSetup,
    snapshot: done([blocks, dropped, lost]),
    replies: { readResource: [{ type: 'text', text: 'day,count\n1,12' }] },
  },
  progress: {
    setup: toolsSetup,
    snapshot: {
      conversation,
      messages: [you(1, 'Open an issue.'), assistant(2, '', requests([asking]))],
      runs: [run()],
      toolCalls: [asking],
      activity: {
        ...idle,
        progress: { 'a2.0': { progress: 2, total: 5, message: 'Reading the labels of octo-repo' } },
      },
    },
  },
};
