import { fromWire } from '../../lib/errors.ts';
import type { Message } from '../../lib/types/message.ts';
import type { Step } from './press.ts';
import { assistant, conversation, ended, you } from './rows.ts';
import type { Script } from './scripted-link.ts';
import { memorySetup, quietSetup } from './setups.ts';
import { panelStates } from './states.ts';

const refusedKey = {
  code: 'model_unauthorized',
  message: 'api.groq.com did not accept the API key.',
  cause: 'HTTP 401, Invalid API Key',
  retryable: false,
};

/** A state, and what a user does in it. */
const after = (state: string, ...press: Step[]): Script => {
  const script = panelStates[state];
  if (!script) throw new Error(`There is no state ${state}.`);
  return { ...script, press };
};

/** Its field takes the focus, and only then do menus in it stay open. */
const history: Step[] = ['.bar .icon-btn:first-child', '.drawer .search input:focus'];
const addKey = '.start .rows button.pick';
const withKey: Step[] = [addKey, ['.add-key input', 'gsk_1234567890']];
const details = ['* .tool .reveal[aria-expanded=false]'];

const document = `# A heading

Some **bold** and *slanted* text, \`code\`, ~~gone~~, a [link](https://example.com/page) and a note[^1].

1. One
   - nested
2. Two

- [x] done
- [ ] open

| Client | Issue | State | Since |
|:-------|------:|:-----:|-------|
| TypeScript | #1708 | open | 14 November 2026 |
| A very long name of a client that does not fit | #3556 | closed | 2 October 2026 |

\`\`\`ts
export async function renew(client: Client): Promise<void> {
  const { sessionId, tools } = await client.connect({ again: true }); // a line that is longer than the panel
}
\`\`\`

\`\`\`
text without a language
\`\`\`

> A quote
> that goes on

The formula $e^{i\\pi} + 1 = 0$ in a line, and one of its own:

$$
\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}
$$

![A picture](https://images.example/harbour.png)

---

[^1]: What the note says.`;

const rightToLeft: Message[] = [
  you(1, 'ما هو حجم رسالة المضيف الأصلي؟'),
  assistant(2, 'حجم الرسالة من المضيف هو 1 MB.\n\n- واحد\n- اثنان\n\n```js\nconst a = 1;\n```'),
];

/** What is reached by a press, and what no other file shows. */
const opened: Record<string, Script> = {
  markdown: {
    setup: quietSetup,
    snapshot: {
      conversation,
      messages: [you(1, 'Show me all of it.'), assistant(2, document)],
      runs: [ended()],
    },
  },
  'right-to-left': {
    setup: quietSetup,
    snapshot: { conversation, messages: rightToLeft, runs: [ended()] },
  },
  refused: after('refused', '.send:enabled'),
  'history-drawer': after('history-full', ...history),
  'history-drawer-none': after('history-none', ...history),
  'history-drawer-hits': after('history-search', ...history, ['.drawer .search input', 'session']),
  'history-drawer-no-match': after('history-no-match', ...history, ['.drawer .search input', 'zebra']),
  'history-drawer-menu': after('history-full', ...history, '.chat .row-actions [aria-haspopup=menu]'),
  'history-drawer-projects': {
    ...after('history-full', ...history, '.chat .row-actions [aria-haspopup=menu]'),
    setup: memorySetup,
  },
  'history-drawer-rename': after(
    'history-full',
    ...history,
    '.chat .row-actions [aria-haspopup=menu]',
    '.row-menu [role=menuitem]',
  ),
  'history-drawer-archived': after('history-full', ...history, '.drawer-foot [aria-pressed]'),
  'history-drawer-undo': after(
    'history-full',
    ...history,
    '.chat .row-actions [aria-haspopup=menu]',
    '.row-menu .danger',
  ),
  'first-run-others': after('first-run-found', '.pick.found .btn:not(.primary)'),
  'first-run-browser-downloading': after('first-run-browser-download', '.browser-model .pick'),
  'first-run-browser-failed': after('first-run-browser-lost', '.browser-model .pick'),
  'first-run-key': after('first-run', addKey),
  'first-run-key-given': after('first-run', ...withKey),
  'first-run-key-whose': after(
    'first-run',
    addKey,
    ['.add-key input', 'sk-1234567890'],
    '.add-key .btn.primary',
  ),
  'first-run-key-refused': {
    ...after('first-run', ...withKey, '.add-key .btn.primary'),
    failures: { listModels: fromWire(refusedKey) },
  },
  'keyboard-shortcuts': after('answer', '.bar .keys'),
  'chat-tools-open': after('chat-tools', '.bar .servers', '* .server-line [aria-expanded=false]'),
  'chat-tools-search-open': after('chat-tools-search', '.bar .servers'),
  'chat-tools-none-open': after('chat-tools-none', '.bar .servers'),
  'chat-tools-changed-open': after('chat-tools-changed', '.bar .servers'),
  'chat-tools-many-open': after('chat-tools-many', '.bar .servers', '* .server-line [aria-expanded=false]'),
  'model-menu': after('many-models', '.picker .model'),
  'model-menu-all': after('many-models', '.picker .model', '.menu-end .option:first-child'),
  'chat-settings-open': after('chat-settings', '.composer-bar [aria-haspopup=dialog]'),
  'send-menu': after('tools', '.icon-btn.more'),
  'editing-a-message': after('message-actions', '.msg.you .msg-foot > .icon-btn:nth-of-type(2)'),
  'deleting-a-message': after('message-actions-earlier', '.msg.you .msg-foot > .icon-btn:nth-of-type(4)'),
  'regenerate-menu': after('message-actions', '.regenerate .other'),
  'reasoning-open': after('answer', '* .lines .line'),
  'tools-open': after('tools', '* .lines .line', ...details),
  'acted-open': after('acted', ...details),
  'results-open': after('results', '* .lines .line', ...details),
  'expanded-open': after('expanded', '* .lines .line', ...details),
  'steps-saved': after('expanded', '.msg-foot [aria-haspopup=dialog]'),
  'born-failed-open': after('born-failed', ...details),
  'approval-plan-edited': after(
    'approval-plan',
    '.ask-calls > li:nth-child(2) .icon-btn:last-child',
    '.ask-calls > li:first-child [aria-expanded]',
    ['.ask-fields textarea', 'Grace Hopper'],
  ),
  'run-again-open': after('run-again', '* .lines .line', ...details),
  'run-again-question': after('run-again-earlier', '* .lines .line', '.tool .again'),
  'tool-details-open': after('tool-details', '* .lines .line', ...details),
  'files-failed-open': after('files-failed', '.chip.failed > button[aria-expanded]'),
  'chip-preview': {
    ...after('files-attached', '.composer .chip > button, .dock .chip > button'),
    replies: { previewAttachment: { text: 'Year,Tons\n2025,12\n'.repeat(40), pictures: [] } },
  },
};

/** Every state of the panel, by name. */
export const allPanelStates: Record<string, Script> = { ...panelStates, ...opened };
