import type { AssistantMessage, UsageTotal } from '../lib/types/message.ts';
import type { ReasoningEffort, Traits } from '../lib/types/model.ts';
import type { ConversationState } from '../lib/types/setup.ts';
import type { CallStatus } from '../lib/types/tool.ts';
import { units } from './units.ts';

/** A, B and C. */
const listed = (names: string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** 21.4k in, 612 out, 18k cached, $0.07. */
const amounts = ({ inputTokens, outputTokens, cachedTokens, cost }: UsageTotal): string =>
  [
    `${units.amount(inputTokens)} in`,
    `${units.amount(outputTokens)} out`,
    cachedTokens && `${units.amount(cachedTokens)} cached`,
    cost && units.money(cost),
  ]
    .filter((part) => typeof part === 'string')
    .join(', ');

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** What the side panel and the browser's menus say. */
export const panel = {
  badge: {
    /** The toolbar button's tooltip: what its number counts. */
    title: (waiting: number): string =>
      waiting === 0
        ? 'Open Portside'
        : `Open Portside: ${waiting} ${waiting === 1 ? 'tool call waits' : 'tool calls wait'} for you`,
  },
  entry: {
    /** The browser puts the selected text in the place of %s. */
    askSelection: 'Ask Portside about “%s”',
    aboutSelection: (text: string): string => `Explain this text from the page I am looking at:\n\n“${text}”`,
  },
  panel: {
    label: 'Portside',
    newChat: 'New chat',
    history: 'History',
    settings: 'Settings',
    servers: (connected: number, failed: number): string =>
      `Servers: ${connected} connected${failed > 0 ? `, ${failed} error` : ''}`,
  },
  chat: {
    log: 'Conversation',
    you: 'You',
    assistant: 'Assistant',
    latest: 'Latest',
    earlier: 'Show earlier messages',
    thinking: 'Thinking',
    thought: 'Thought process',
    stopped: 'Stopped before the end.',
    /** Why an answer is shorter than the model meant it. */
    cut: {
      length: 'Cut off at the model’s output limit.',
      filtered: 'Withheld by the provider’s content filter.',
    } satisfies Record<Exclude<AssistantMessage['finish'], 'limit' | undefined>, string>,
  },
  start: {
    title: 'Choose a model to start',
    lead: 'Portside runs the model you pick with the tools you connect. Nothing is sent until you press Send.',
    ways: 'Ways to start',
    addKey: 'Add an API key',
    addKeySub: 'Anthropic, OpenAI, OpenRouter or a compatible address',
    foundHere: 'Found on this computer',
    models: (count: number): string => counted(count, 'model'),
    noModels: 'It has no models yet. Load one there, then look again.',
    /** What the proposed model can do, as far as it is known. */
    proposed: (model: string, { tools, contextWindow, largestContext }: Traits): string => {
      const can = [
        tools && 'can use tools',
        contextWindow && `reads ${units.window(contextWindow, largestContext)} tokens`,
      ].filter((part) => typeof part === 'string');
      return can.length > 0 ? `${model} ${listed(can)}.` : '';
    },
    use: (name: string): string => `Use ${name}`,
    otherModels: 'Other models',
    locked: (host: string): string =>
      `Something answers at ${host}. The browser asks before Portside may read it.`,
    refused: 'The browser did not allow it.',
    looking: 'Looking for models on this computer',
    absent: (names: string[]): string => `${listed(names)} did not answer.`,
    lookAgain: 'Look again',
    tools: 'Tools',
    connect: 'Connect a server',
    connectSub: 'Any MCP server with an http address',
    emptyTitle: 'What shall we look at?',
    emptyWithTools: (tools: number, servers: number): string =>
      `${tools} ${tools === 1 ? 'tool' : 'tools'} from ${servers} ${servers === 1 ? 'server' : 'servers'} ready to use.`,
    emptyWithoutTools: 'No tools yet: answers come from the model alone.',
    recent: 'Recent',
  },
  tool: {
    group: (name: string): string => `Tool call: ${name}`,
    /** Both follow the tool's name. */
    running: '…',
    failed: ' failed',
    /** For a call whose name has not come yet. */
    unnamed: 'tool',
    show: 'Show details',
    hide: 'Hide details',
    arguments: 'Arguments',
    result: 'Result',
    edited: 'edited by you',
    runAgain: 'Run again',
    keep: 'Keep',
    leaves: (messages: number): string =>
      `${counted(messages, 'later message')} ${messages === 1 ? 'leaves' : 'leave'} this chat.`,
    none: 'none',
    noneYet: 'none yet',
    noneRecorded: 'none recorded',
    omitted: (characters: number): string =>
      `${characters.toLocaleString('en')} more characters are kept, but not shown here.`,
    progress: (name: string): string => `${name} progress`,
    progressOf: (done: number, total: number | undefined): string =>
      total === undefined ? `${done}` : `${done} of ${total}`,
    image: (mimeType: string): string => `Image, ${mimeType}`,
    media: (kind: string, mimeType: string): string => `${kind}, ${mimeType}`,
    status: {
      pending: 'pending',
      approved: 'approved',
      running: 'running',
      success: 'success',
      error: 'error',
      timeout: 'timeout',
      cancelled: 'cancelled',
      denied: 'denied',
      unknown: 'unknown',
    } satisfies Record<CallStatus, string>,
  },
  approval: {
    title: (name: string): string => `Approve ${name}`,
    verb: 'Approve',
    ownTool: 'One of Portside’s own tools.',
    tier: {
      reads: 'Reads',
      writes: 'Writes',
      sends: 'Sends data out',
      destructive: 'Destructive',
    },
    edited: 'Edited',
    reset: 'Reset',
    notJson: (cause: string): string => `This is not JSON: ${cause}`,
    omitted: (characters: number): string =>
      `${characters.toLocaleString('en')} more characters are not shown. The call runs with all of them.`,
    notObject: 'Arguments must be a JSON object, in braces.',
    allowOnce: 'Allow once',
    allowChat: 'Allow for this chat',
    allowAlways: 'Always allow',
    deny: 'Deny',
    reason: 'Reason for denying',
    reasonHint: 'Say why (optional)',
    position: (position: number, total: number): string => `${position} of ${total}`,
    keyAllow: 'Ctrl ⏎',
    keyDeny: 'Esc',
  },
  unknown: {
    lead: 'The browser closed while this ran.',
    rest: (server: string): string => `${server} may have done it already. A second run could do it twice.`,
    runAgain: 'Run again',
    skip: 'Skip',
  },
  run: {
    thinking: 'Thinking',
    writing: 'Writing',
    calling: 'Writing a call',
    tools: (count: number): string => `Running ${count} ${count === 1 ? 'tool' : 'tools'}`,
    approval: 'Waiting for your approval',
    choice: 'Waiting for your choice',
    retry: 'Waiting to retry',
    summary: 'Summarising',
    ready: 'Answer ready',
    stopped: 'Stopped',
    failed: 'The answer failed',
    limit: 'Iteration limit reached',
    interrupted: 'The answer was interrupted',
    step: (step: number, max: number): string => `Step ${step} of ${max}`,
    stop: 'Stop',
  },
  notice: {
    unfit: (tools: string[]): string => `Left out ${tools.join(', ')}: models do not take a tool like that.`,
    missing: (servers: string[]): string => `Went on without ${servers.join(', ')}: not connected.`,
    retry: 'Retry',
    openModels: 'Open Models',
    continue: 'Continue',
    limitTitle: 'Iteration limit reached',
    limit: (steps: number): string => `Continue adds ${counted(steps, 'step')}.`,
    interruptedTitle: 'The answer was interrupted',
    interrupted: 'The browser ended it several times. What came so far is kept.',
    dismiss: 'Dismiss',
    cancel: 'Cancel',
    retryWait: 'Waiting to retry',
    retrying: (ms: number): string => (ms > 0 ? `Retrying in ${Math.ceil(ms / 1000)} s` : 'Retrying now'),
    attempt: (attempt: number, of: number): string => `attempt ${attempt} of ${of}`,
  },
  summary: {
    title: 'Earlier messages summarised',
    note: 'The model reads this instead of the older messages above. They are kept, and stay visible here.',
  },
  usage: {
    amounts,
    firstToken: (ms: number): string => `first token ${units.duration(ms)}`,
    context: 'Context used',
    used: (tokens: number, window: number | undefined): string =>
      window === undefined
        ? `${units.amount(tokens)} tokens`
        : `${units.amount(tokens)} of ${units.window(window)} tokens`,
    total: (usage: UsageTotal): string => `This chat: ${amounts(usage)}`,
  },
  queue: {
    group: 'Queued message',
    next: 'Next:',
    edit: 'Edit queued message',
    remove: 'Remove queued message',
    steered: 'Next step:',
    steer: 'Slip in at the next step',
    up: 'Move up',
    down: 'Move down',
  },
  composer: {
    message: 'Message',
    ask: 'Ask anything',
    another: 'Add another message',
    providerRemoved: 'The provider of this chat was removed. Choose a model.',
    noModelYet: 'Write now, send once a model is chosen',
    send: 'Send',
    sendQueued: 'Send after this answer',
    moreWays: 'More ways to send',
    steer: 'Slip in at the next step',
    now: 'Stop and send',
    keySteer: 'Alt ⏎',
    keyNow: 'Ctrl ⏎',
    model: 'Model',
    noModel: 'No model',
    manage: 'Manage models',
    filter: 'Filter models',
    noMatch: (query: string): string => `No model holds “${query}”.`,
    /** What a model can do, in a few words. */
    traits: ({ tools, vision, reasoning, contextWindow }: Traits): string =>
      [
        tools && 'tools',
        tools === false && 'no tools',
        vision && 'vision',
        reasoning && 'reasoning',
        contextWindow && units.window(contextWindow),
      ]
        .filter((part) => typeof part === 'string')
        .join(', '),
    stays: 'Stays on this computer',
    sentTo: (who: string): string => `Sent to ${who}`,
  },
  settings: {
    title: 'Chat settings',
    open: 'Chat settings…',
    close: 'Close chat settings',
    assistant: 'Assistant',
    noAssistant: 'None',
    saveAssistant: 'Save as assistant',
    removeAssistant: (name: string): string => `Remove ${name}`,
    assistantName: 'Assistant name',
    save: 'Save',
    cancel: 'Cancel',
    system: 'System prompt',
    systemHint: 'How the model should answer',
    temperature: 'Temperature',
    maxTokens: 'Max tokens',
    effort: 'Reasoning effort',
    default: 'Default',
    modelDefault: 'model’s own',
    badTemperature: 'Give a number from 0 to 2',
    badMaxTokens: 'Give a whole number, 1 or more',
    efforts: {
      none: 'None',
      minimal: 'Minimal',
      low: 'Low',
      medium: 'Medium',
      high: 'High',
    } satisfies Record<ReasoningEffort, string>,
    applies: 'From your next message on, in this chat.',
  },
  history: {
    title: 'History',
    close: 'Close history',
    search: 'Search chats',
    searchHint: 'Search titles',
    empty: 'No chats yet. What you ask is kept here.',
    noMatch: (query: string): string => `No title holds “${query}”.`,
    count: (count: number): string => `${count} ${count === 1 ? 'chat' : 'chats'}`,
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Previous 7 days',
    states: {
      running: 'Running',
      waiting: 'Needs approval',
      failed: 'Failed',
    } satisfies Record<ConversationState, string>,
  },
};
