import type { ListedConversation, SearchHit } from '../../lib/protocol/chats.ts';
import { t } from '../../locales/texts/errors.ts';
import { ago, assistant, conversation, ended, run, you } from './rows.ts';
import type { Script } from './scripted-link.ts';
import { cloudSetup, quietSetup } from './setups.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

const chat = (
  title: string,
  seconds: number,
  more: Partial<ListedConversation> = {},
): ListedConversation => ({ ...conversation, id: title, title, updatedAt: ago(seconds), ...more });

const chats: ListedConversation[] = [
  chat('MCP transport notes', 8 * DAY, { pinnedAt: ago(8 * DAY) }),
  chat('Release checklist', 20 * DAY, { pinnedAt: ago(9 * DAY) }),
  { ...conversation, state: 'running' },
  chat('Rename scans in ~/Documents/2026 by what they show', 120, { state: 'waiting' }),
  chat('Why Notion answers 403 to extensions', 200),
  chat('Translate release notes to German', 300),
  chat('Native messaging frame limit', DAY, { state: 'failed' }),
  chat('light-dark() support in Firefox', DAY + 600),
  chat('Summary of the 2026-07-28 spec', 4 * DAY),
  chat('Draft privacy text for the store page', 40 * DAY),
];

const hit = (
  id: string,
  before: string,
  words: string,
  after: string,
  more: Partial<SearchHit> = {},
): SearchHit => ({
  id,
  conversationId: 'c1',
  title: conversation.title,
  messageId: id,
  role: 'assistant',
  at: ago(600),
  excerpt: [
    { text: before, hit: false },
    { text: words, hit: true },
    { text: after, hit: false },
  ],
  ...more,
});

const hits: SearchHit[] = [
  hit(
    'a2',
    'The page says a client must open a new ',
    'session',
    ' when a request with Mcp-Session-Id gets HTTP 404.',
  ),
  hit('u1', 'Which official SDKs lose the ', 'session', '? Check the trackers and my notes.', {
    role: 'user',
  }),
  hit('t9', '{"title":"StreamableHTTPClientTransport: ', 'session', ' is not renewed"}', {
    conversationId: 'c9',
    title: 'Transport doesn’t handle 404 per spec',
    role: 'tool',
    at: ago(3 * DAY),
  }),
];

const question = you(1, 'Sum it up in a table and give me a workaround.');
const answer = assistant(
  2,
  'Two of the three still fail for good.\n\n| SDK | Issue | State |\n|---|---|---|\n| TypeScript | #1708 | open |\n| Python | #3556 | open |\n| Rust | #733 | closed |\n\nUntil then, reconnect and repeat only reads.',
  { model: 'qwen3:14b', usage: { inputTokens: 21_400, outputTokens: 612 }, cost: 0.07 },
);
const later = [
  you(3, 'And in Rust?'),
  assistant(4, 'Fixed with pull request 743.', { usage: { inputTokens: 22_000, outputTokens: 40 } }),
];
const versions = { u1: ['u0', 'u1'], a2: ['a0', 'a1', 'a2'] };
const finished = { messages: [question, answer], versions, runs: [ended()], conversation };

/** What stands beside the panel. */
export const tidesPage = {
  tabId: 7,
  title: 'Tides, and why the sea comes and goes twice a day: a short history',
  url: 'https://tides.example/history',
  hasSelection: false,
};

/** The list of chats, and what can be done with messages. */
export const chatStates: Record<string, Script> = {
  'message-actions': { setup: cloudSetup, snapshot: finished },
  'message-actions-earlier': {
    setup: quietSetup,
    snapshot: { ...finished, messages: [question, answer, ...later] },
  },
  'message-actions-live': {
    setup: quietSetup,
    snapshot: { ...finished, messages: [question, answer, ...later.slice(0, 1)], runs: [run()] },
  },
  'empty-no-servers': {
    replies: { frontPage: { tabId: 7, hasSelection: false } },
    setup: { ...quietSetup, servers: [], statuses: {}, tools: [] },
  },
  'empty-connect-server': {
    setup: { ...quietSetup, servers: [], statuses: {}, tools: [] },
    press: ['.start .actions .btn'],
  },
  'empty-connect-server-failed': {
    setup: { ...quietSetup, servers: [], statuses: {}, tools: [] },
    replies: {
      addServer: {
        ok: false,
        error: {
          code: 'server_unreachable',
          retryable: true,
          ...t(($) => $.errors.mcp.unreachable, {
            name: 'localhost:3001',
            address: 'http://localhost:3001/mcp',
          }),
        },
      },
    },
    press: [
      '.start .actions .btn',
      ['.start .field input', 'localhost:3001/mcp'],
      '.start .field .btn.primary',
    ],
  },
  'empty-page': {
    setup: quietSetup,
    conversations: chats.slice(3, 7),
    replies: { frontPage: tidesPage },
  },
  'empty-selection': {
    setup: quietSetup,
    replies: { frontPage: { ...tidesPage, hasSelection: true } },
  },
  'empty-transcript': {
    setup: quietSetup,
    replies: { frontPage: { ...tidesPage, hasTranscript: true } },
  },
  hint: {
    setup: quietSetup,
    snapshot: finished,
    act: (panel) => panel.hints.offer('contextMenu'),
  },
  'empty-recent': { setup: quietSetup, conversations: chats.slice(3, 7) },
  'history-full': {
    setup: quietSetup,
    snapshot: finished,
    replies: { listConversations: { conversations: chats, hasMore: false, count: 1128 } },
  },
  'history-damaged': {
    setup: quietSetup,
    replies: { listConversations: { conversations: chats, hasMore: false, count: 11, damaged: true } },
    press: ['.bar .icon-btn:first-child', '.drawer .search input:focus'],
  },
  'history-none': { setup: quietSetup, snapshot: {} },
  'history-search': {
    setup: quietSetup,
    snapshot: finished,
    conversations: chats,
    replies: { search: { hits, hasMore: false } },
  },
  'history-no-match': {
    setup: quietSetup,
    snapshot: finished,
    conversations: chats,
    replies: { search: { hits: [], hasMore: false } },
  },
};
