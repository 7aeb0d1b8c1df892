import type { Message } from '../../lib/types/message.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { ago, assistant, call, conversation, ended, streaming, requests, result, run, you } from './rows.ts';
import type { Script } from './scripted-link.ts';
import { cloudSetup, quietSetup } from './setups.ts';

const question = you(1, 'Which official SDKs break the 404 rule? Check the trackers and my notes.');
const issues = [
  { sdk: 'TypeScript', number: 1708, state: 'open', title: 'Transport doesn’t handle 404 per spec' },
  { sdk: 'Python', number: 3556, state: 'open', title: 'Session id is kept after HTTP 404' },
  { sdk: 'Rust', number: 733, state: 'closed', title: 'Reconnect on session not found' },
];
const ran = (seconds: number, durationMs: number): Partial<ToolCall> => ({
  startedAt: ago(seconds),
  durationMs,
  allowed: 'chat',
});
const first = [
  call('a2', 0, { tool: 'read_text_file', server: [6, 'Filesystem'], status: 'error' }, ran(60, 110)),
  call('a2', 1, { tool: 'browser_navigate', server: [3, 'Playwright'], status: 'timeout' }, ran(60, 30_000)),
];
const second = [
  call(
    'a3',
    0,
    { tool: 'search_issues', args: { query: 'is:open session 404' }, status: 'success' },
    { ...ran(28, 1234), result: result(JSON.stringify(issues)) },
  ),
  call('a3', 1, { tool: 'search_code', status: 'success' }, ran(28, 20_700)),
  call('a3', 2, { tool: 'list_pull_requests', status: 'success' }, ran(28, 600)),
];
const third = [
  call(
    'a4',
    0,
    { tool: 'issue_read', args: { issue_number: 1708, repo: 'typescript-sdk' }, status: 'success' },
    {
      ...ran(5, 620),
      result: result('Read 1 issue.', {
        structured: {
          number: 1708,
          title: issues[0]?.title,
          labels: ['bug', 'transport'],
          user: { login: 'octocat', site_admin: false },
          body: 'The client keeps the stale session id. '.repeat(20),
          timeline: Array.from({ length: 1200 }, (_, id) => ({ id, event: 'commented' })),
          closed_at: null,
        },
      }),
    },
  ),
  call('a4', 1, { tool: 'add_issue_comment', args: { body: 'Done' }, status: 'denied' }),
];
const wide =
  'iVBORw0KGgoAAAANSUhEUgAAAKAAAABaCAIAAACwpMoFAAABb0lEQVR42u3RhVEDUADA0I6Du7u7rIO70xbqXtwdFmSOn8vdmyCJ1KxEBRYxgYMV8uDa1ZjAHEwfXLcWF5iD6YPr1y8E5mD64IaNS4E52MEKenDjZkJgDqYPbtpKCszB9MHN2ymBOZg+uGUnLTAHO1hBD27dzQjMwfTBbXtZgTmYPrh9PycwB9MHdxzkBeZgByvowZ2HBYE5mD6466goMAfTB3cflwTmYPrgnpOywBzsYAU9uPe0IjAH0wf3nVUF5mD64P7zK4E5mD54IHotMAc7WEEPHozdCMzB9MFD8VuBOZg+ePjiTmAOpg8eubwXmIMdrKAHjyYeBOZg+uCx5KPAHEwfPJ56EpiD6YMn0s8Cc7CDFfTgycyLwBxMHzyVfRWYg+mDp3NvAnMwffBM/l1gDnawgh48W/gQmIPpg+eKnwJzMH3wfOlLYA6mD14ofwvMwQ5W0IMXKz8CczB98FL1V2AOpg9evvoTmIPh/gGqa64Tk811iwAAAABJRU5ErkJggg==';
const tall =
  'iVBORw0KGgoAAAANSUhEUgAAADwAAABuCAIAAAD02OfZAAABOElEQVR42u3OhU0DAABE0Q6Gu7tD0SVwdynaFmcJ3N3dZRm2uOQnl7wBXmC9OQYn4LQqvdESi+O0LL3ZGofjtCy91RaPw0xvtyfgOC1L73Qk4jgtS+92JuE4LUvvdSXjMNP73Sk4TsvSBz2pOE7L0oe9aThOy9JHfek4zPRxfwaO07L0yUAmjtOy9OlgFo7TsvTZUDYOM30+nIPjtCx9MZKL47QsfTmah+O0LH01lo/DTF+PF+A4LUvfTBTiOC1L34aKcJyWpe8mi3GY6fupEhynZemH6VIcp2Xpx5kyHKdl6afZchxm+nmuAsdpWfolXInjtCz9GqnCcVqWfotW4zDT7/M1OE7L0h8LQRynZenPxVocp2Xpr6U6HGb6e7kex2lZ+melAcdpWfp3tRHHaVn6b60JB5n+B6OYHV9RNVgOAAAAAElFTkSuQmCC';
/** More pictures than have room side by side. */
const pictured = [
  call(
    'a5',
    0,
    { tool: 'browser_take_screenshot', server: [3, 'Playwright'], status: 'success' },
    {
      ...ran(5, 900),
      result: result('Took five screenshots.', {
        blocks: [wide, tall, wide, tall, wide].map((data) => ({
          type: 'image',
          data,
          mimeType: 'image/png',
        })),
      }),
    },
  ),
];
const steps: Message[] = [
  question,
  assistant(2, '', {
    reasoning: 'The page says that a client must begin a new session.\n\nI look for reports of clients.',
    timing: { firstTokenMs: 400, reasoningMs: 6100 },
    ...requests(first),
  }),
  assistant(3, '', requests(second)),
  assistant(4, 'Two of the three have open reports. I read one of them.', requests(third)),
];

/** What an answer is made of. */
export const answerStates: Record<string, Script> = {
  'steps-folded': {
    setup: quietSetup,
    snapshot: {
      conversation,
      messages: [...steps, streaming(5, 'TypeScript: #1708 is open. The transport keeps')],
      runs: [run({ iteration: 4 })],
      toolCalls: [...first, ...second, ...third],
    },
  },
  'result-pictures': {
    setup: quietSetup,
    snapshot: {
      conversation,
      messages: [
        question,
        assistant(5, '', requests(pictured)),
        assistant(6, 'They all fail at the second call.'),
      ],
      runs: [ended()],
      toolCalls: pictured,
    },
  },
  'tool-details': {
    setup: quietSetup,
    snapshot: {
      conversation,
      messages: steps,
      runs: [ended({ reason: 'limit', iteration: 3 })],
      toolCalls: [...first, ...second, ...third],
    },
  },
  reasoning: {
    setup: quietSetup,
    snapshot: {
      conversation,
      messages: [
        question,
        streaming(2, '', {
          reasoning: 'The page says that a client must begin a new session.\n\n'.repeat(12),
        }),
      ],
      runs: [run({ iteration: 1 })],
    },
  },
  'writing-arguments': {
    setup: quietSetup,
    snapshot: {
      conversation,
      messages: [
        question,
        streaming(2, '', {
          tool_calls: [
            {
              id: '',
              name: 'mcp__1__search_issues',
              arguments:
                '{"query":"is:open session 404","repo":"modelcontextprotocol/typescript-sdk","sort":"upd',
            },
          ],
        }),
      ],
      runs: [run({ iteration: 1 })],
    },
  },
  'past-error': {
    setup: cloudSetup,
    snapshot: {
      conversation,
      messages: [
        you(1, 'How large may a native message be?'),
        you(3, 'New key is in. Try again.'),
        assistant(4, 'Chrome limits a message from the native host to 1 MB.'),
      ],
      runs: [
        ended({
          id: 'r0',
          reason: 'error',
          leafId: 'u1',
          error: {
            code: 'model_unauthorized',
            message: 'OpenRouter did not accept the API key',
            cause: 'HTTP 401, invalid x-api-key',
            fix: 'Paste a new key in Models, then retry.',
            retryable: false,
          },
        }),
        ended({ leafId: 'a4' }),
      ],
    },
  },
};
