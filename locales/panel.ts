import type { AttachmentSource } from '../lib/types/attachment.ts';
import type { AssistantMessage, UsageTotal } from '../lib/types/message.ts';
import type { Traits } from '../lib/types/model.ts';
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

const bytesOf = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 999_500
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What the side panel and the browser's menus say. */
export const panel = {
  keyNames: {
    /** `Mod` is Ctrl, or Command on a Mac. */
    names: { Mod: 'Ctrl', Shift: 'Shift', Alt: 'Alt', Enter: 'Enter', Escape: 'Esc', Up: '↑' },
    mac: { Mod: '⌘', Shift: '⇧', Alt: '⌥' },
  },
  panel: {
    shortcuts: 'Keyboard shortcuts',
    label: 'Portside',
    newChat: 'New chat',
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
    /** Its worker died, and another one went on. */
    pickedUp: (at: string): string =>
      `Interrupted, picked up again ${new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`,
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
        tools && 'supports tools',
        contextWindow && units.context(contextWindow, largestContext),
      ].filter((part) => typeof part === 'string');
      return can.length > 0 ? `${model} ${can.join(', ')}.` : '';
    },
    use: (name: string): string => `Use ${name}`,
    otherModels: 'Other models',
    locked: (name: string, host: string): string =>
      `${name} may be running at ${host}. Your browser will ask for access.`,
    refused: 'The browser did not allow it.',
    looking: 'Looking for models on this computer',
    absent: (names: string[]): string => `${listed(names)} did not answer.`,
    lookAgain: 'Look again',
    tools: 'Tools',
    connect: 'Connect a server',
    connectSub: 'By its address, or from an mcp.json',
    emptyTitle: 'How can I help?',
    emptyWithTools: (tools: number, servers: number): string =>
      `${tools} ${tools === 1 ? 'tool' : 'tools'} from ${servers} ${servers === 1 ? 'server' : 'servers'} ready to use.`,
    emptyWithoutTools: 'Portside can read your pages. Connect a server for more tools.',
    emptyBySearch: (window: number | undefined): string =>
      `${window === undefined ? '' : `${units.window(window)} context: `}Tools are found by search.`,
    emptyNoTools: 'This model doesn’t call tools. Attach a page with @, and it reads that.',
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
    morePictures: (count: number): string => `and ${counted(count, 'more picture')}`,
    image: (mimeType: string): string => `Image, ${mimeType}`,
    pictureOf: (mimeType: string, width: number, height: number, bytes: number): string =>
      `Image, ${mimeType}, ${width} × ${height}, ${bytesOf(bytes)}`,
    audio: (mimeType: string): string => `Audio, ${mimeType}`,
    /** What is known of a file: its type and its size. */
    file: (mimeType: string | undefined, bytes: number | undefined): string =>
      [mimeType, bytes !== undefined && bytesOf(bytes)].filter((part) => typeof part === 'string').join(', '),
    save: (name: string): string => `Save ${name}`,
    saveShort: 'Save',
    fetch: 'Fetch',
    fetchOf: (name: string): string => `Fetch ${name}`,
    fetching: 'Fetching…',
    fetchedNothing: 'The server sent nothing.',
    format: 'Result format',
    structured: 'Structured',
    text: 'Text',
    showAll: (lines: number): string => `Show all ${lines.toLocaleString('en')} lines`,
    showAllCharacters: (characters: number): string =>
      `Show all ${characters.toLocaleString('en')} characters`,
    unknownBlock: 'Portside does not know this kind of result. This is what the server sent.',
    dropped: 'The tool log no longer keeps the whole result. This is what the model read.',
    argumentsDropped: 'no longer kept',
    waitsForYou: 'waits for you',
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
    thisComputer: 'this computer',
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
    reasonHint: 'Tell the model why (if you deny)',
    position: (position: number, total: number): string => `${position} of ${total}`,
    keyAllow: 'Ctrl ⏎',
    keyDeny: 'Esc',
  },
  offers: {
    prompts: 'Prompts and commands',
    context: 'Context',
    attach: 'Attach',
    loading: { prompts: 'Asking the servers for prompts', context: 'Asking the servers for resources' },
    noServers: 'No server is connected. Connect one in Settings, under Servers.',
    nothingOffered: {
      prompts: 'The connected servers offer no prompts.',
      context: 'The connected servers offer no resources.',
    },
    noMatch: {
      prompts: (query: string): string => `No prompt or command fits “${query}”.`,
      context: (query: string): string => `No file, page or resource fits “${query}”.`,
    },
    left: (count: number): string => `${count} more. Type to find them.`,
    choose: 'choose',
    insert: 'insert',
    add: 'add',
    close: 'close',
    back: 'Cancel',
    retry: 'Retry',
    insertPrompt: 'Insert',
    attachTemplate: 'Attach',
    working: 'Asking the server',
    asks: (server: string, prompt: string): string => `Asking ${server} for ${prompt}`,
    cancelPrompt: (prompt: string): string => `Cancel ${prompt}`,
    dismiss: 'Dismiss',
    suggestions: (label: string): string => `Suggestions for ${label}`,
    moreSuggestions: 'There are more. Type to narrow them down.',
    argumentsOf: (name: string): string => `Arguments of ${name}`,
  },
  attachments: {
    list: 'Context',
    from: (source: Exclude<AttachmentSource, { type: 'page' }>): string =>
      source.type === 'file'
        ? `File, ${bytesOf(source.size)}`
        : `${source.serverName}, ${source.type === 'prompt' ? `Prompt ${source.name}` : source.uri}`,
    remove: (title: string): string => `Remove ${title}`,
    retry: (title: string): string => `Retry ${title}`,
    adding: 'adding',
    failed: 'couldn’t attach',
    removeFailed: 'Remove failed attachments',
    without: 'It won’t be included in your message.',
    left: 'It wasn’t included in your last message.',
    stale: 'It changed, and could not be read again: this is how it was before.',
    unseen: 'This model may not support images. Only a note that one was attached is sent.',
    tokens: ' tokens',
    preview: (title: string): string => `Preview ${title}`,
    sentAs: (tokens: number): string => `This is what the model gets, about ${units.amount(tokens)} tokens.`,
    gone: 'This is no longer stored.',
    picture: (position: number): string => `Picture ${position}`,
    close: 'Close preview',
    queued: (count: number): string => counted(count, 'attachment'),
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
    answer: 'Waiting for your answer',
    choice: 'Waiting for your choice',
    retry: 'Waiting to retry',
    summary: 'Summarising',
    ready: 'Answer ready',
    compacted: 'Earlier messages summarised',
    stopped: 'Stopped',
    failed: 'The answer failed',
    limit: 'Step limit reached',
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
    back: 'The model server is running again.',
    backText: 'Retry asks it your question.',
    limitTitle: 'Step limit reached',
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
    /** In one line, wherever what stands before it breaks. */
    firstToken: (ms: number): string => `first token ${units.duration(ms)}`.replaceAll(' ', '\u00a0'),
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
    steer: 'Send during this answer',
    up: 'Move up',
    down: 'Move down',
  },
  composer: {
    settings: 'Chat settings',
    message: 'Message',
    ask: 'Ask, / for prompts, @ for context',
    another: 'Add another message',
    providerRemoved: 'The provider of this chat was removed. Choose a model.',
    noModelYet: 'Type your question, then choose a model',
    sendsWhenRead: 'Sends when the file is read.',
    send: 'Send',
    sendQueued: 'Send after this answer',
    moreWays: 'More ways to send',
    steer: 'Send during this answer',
    now: 'Stop and send',
    keySteer: 'Alt ⏎',
    keyNow: 'Ctrl ⏎',
    model: 'Model',
    noModel: 'No model',
    manage: 'Manage models',
    filter: 'Filter models',
    noMatch: 'No models match.',
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
};
