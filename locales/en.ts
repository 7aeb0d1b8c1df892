import type { AssistantMessage, CallStatus, Permission, ServerState, Transport } from '../lib/types.ts';

const seconds = (ms: number): string =>
  ms < 9950 ? `${Math.max(0.1, ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;

/** Every string a person reads, in English. Functions take what varies. */
export const en = {
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
    } satisfies Record<NonNullable<AssistantMessage['finish']>, string>,
  },
  start: {
    title: 'Choose a model to start',
    lead: 'Portside runs the model you pick with the tools you connect. Nothing is sent until you press Send.',
    ways: 'Ways to start',
    addKey: 'Add an API key',
    addKeySub: 'Any address that speaks the OpenAI API, on this computer or elsewhere',
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
    from: (server: string): string => `${server} runs this with the arguments below.`,
    ownTool: 'Portside runs this with the arguments below.',
    allowOnce: 'Allow once',
    deny: 'Deny',
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
    tools: (count: number): string => `Running ${count} ${count === 1 ? 'tool' : 'tools'}`,
    approval: 'Waiting for your approval',
    choice: 'Waiting for your choice',
    ready: 'Answer ready',
    stopped: 'Stopped',
    failed: 'The answer failed',
    limit: 'Iteration limit reached',
    interrupted: 'The answer was interrupted',
    step: (step: number, max: number): string => `Step ${step} of ${max}`,
    stop: 'Stop',
  },
  notice: {
    missing: (servers: string[]): string => `Went on without ${servers.join(', ')}: not connected.`,
    retry: 'Retry',
    openModels: 'Open Models',
    continue: 'Continue',
    limitTitle: 'Iteration limit reached',
    limit: (rounds: number): string =>
      `The answer may stop short. Used ${rounds} ${rounds === 1 ? 'round' : 'rounds'}. Continue adds as many again.`,
    interruptedTitle: 'The answer was interrupted',
    interrupted: 'The browser ended it several times. What came so far is kept.',
    dismiss: 'Dismiss',
  },
  queue: {
    group: 'Queued message',
    next: 'Next',
    edit: 'Edit queued message',
    remove: 'Remove queued message',
  },
  composer: {
    message: 'Message',
    ask: 'Ask anything',
    another: 'Add another message',
    noModelYet: 'Write now, send once a model is chosen',
    send: 'Send',
    sendQueued: 'Send after this answer',
    model: 'Model',
    noModel: 'No model',
    manage: 'Manage models',
    stays: 'Stays on this computer',
    sentTo: (who: string): string => `Sent to ${who}`,
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
  },
  options: {
    nav: 'Settings',
    servers: 'Servers',
    models: 'Models',
    general: 'General',
    save: 'Save',
    cancel: 'Cancel',
    remove: 'Remove',
    keep: 'Keep',
    edit: 'Edit',
    asksFirst: 'The browser asks first whether Portside may reach this host, on all its ports.',
    refused: (host: string): string =>
      `The browser was not allowed to reach ${host}, so nothing was saved. Press Save again and choose Allow.`,
    refusedTest: (host: string): string =>
      `The browser was not allowed to reach ${host}. Press Test again and choose Allow.`,
  },
  servers: {
    lead: 'Tools come from these MCP servers.',
    add: 'Add server',
    empty: 'No servers yet. Add one to give the model tools.',
    enabled: 'Enabled',
    reconnect: 'Reconnect',
    removeQuestion: (name: string): string => `Remove ${name} with its headers and tool choices?`,
    transport: { 'streamable-http': 'Streamable HTTP', sse: 'SSE' } satisfies Record<Transport, string>,
    state: {
      connected: 'connected',
      connecting: 'connecting',
      disconnected: 'disconnected',
      error: 'error',
    } satisfies Record<ServerState, string>,
    toolsOn: (on: number, all: number): string => `${on} of ${all} tools`,
    toolsLastTime: (count: number): string => `${count} ${count === 1 ? 'tool' : 'tools'} last time`,
    connecting: 'Connecting…',
    connected: (name: string): string => `Connected: ${name}`,
    failed: (why: string): string => `Failed: ${why}`,
    configuration: 'Configuration',
    tools: 'Tools',
    noTools: 'Nothing here yet: the tools appear once the server is connected.',
    gone: 'This server is not here any more.',
    use: (tool: string): string => `Use ${tool}`,
    permissionFor: (tool: string): string => `Permission for ${tool}`,
    missing: 'The server does not list it at the moment.',
    permission: { ask: 'Ask', allow: 'Allow', block: 'Block' } satisfies Record<Permission, string>,
    fields: {
      name: 'Name',
      transport: 'Transport',
      transportHelp: 'SSE is the older form and has the same fields.',
      url: 'URL',
      headers: 'Headers',
      headersHelp: 'One per line, as Name: value. Leave empty if the server asks for none.',
      headersKept: (names: string): string =>
        `Saved: ${names}. The values are not shown; leave this empty to keep them, or write the whole list anew.`,
      headersForget: 'Remove the saved headers',
      timeout: 'Tool timeout (ms)',
      enabled: 'Enabled',
    },
    invalid: {
      name: 'Name is required',
      url: 'URL is required',
      scheme: 'Start the address with https:// or http://',
      space: 'Take the spaces out of the address',
      address: 'This is not an address that a browser can open',
      header: (line: number): string => `Line ${line} is not of the form Name: value`,
      timeout: 'Give a whole number of milliseconds, 1 or more',
    },
  },
  models: {
    lead: 'Portside sends your messages to the model you choose here, and nowhere else.',
    add: 'Add provider',
    empty: 'No model yet. Add a provider to start chatting.',
    edit: (name: string): string => `Edit ${name}`,
    remove: (name: string): string => `Remove ${name}`,
    removeQuestion: (name: string): string => `Remove ${name} with its key?`,
    default: 'Default',
    test: 'Test',
    testing: 'Asking…',
    keyStored: 'key stored on this computer',
    noKey: 'no key',
    gone: 'This provider is not here any more.',
    addLead: 'Any address that speaks the OpenAI API.',
    answered: (count: number, model: string, listed: boolean): string =>
      `Answered with ${count} ${count === 1 ? 'model' : 'models'}` +
      (model === '' ? '.' : listed ? `, ${model} among them.` : `, but ${model} is not one of them.`),
    fields: {
      name: 'Name',
      baseUrl: 'Base URL',
      baseUrlHelp: 'Up to and including the version, such as http://127.0.0.1:11434/v1',
      key: 'API key',
      keyHelp: 'Stored on this computer. Never shown again.',
      keyKept: 'A key is saved. Leave this empty to keep it.',
      keyForget: 'Remove the saved key',
      model: 'Model',
      modelHelp: 'Type a name, or press Test to list the models of the address.',
      modelListed: (count: number): string =>
        count === 1
          ? 'The address lists one model; another name may be typed.'
          : `Pick one of the ${count} that the address lists, or type a name.`,
    },
    invalid: {
      name: 'Name is required',
      baseUrl: 'Base URL is required',
      model: 'Model is required',
    },
  },
  general: {
    agent: 'Agent',
    look: 'Look',
    iterations: 'Max tool iterations',
    iterationsHelp: 'After this many rounds Portside stops and offers Continue. From 1 to 50.',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
  },
  /** 1.2 s, 41 s, 1 min 12 s. */
  duration: (ms: number): string =>
    ms < 59_500
      ? seconds(ms)
      : `${Math.floor(Math.round(ms / 1000) / 60)} min ${Math.round(ms / 1000) % 60} s`,
  /** Whole seconds, for what is still counting. */
  elapsed: (ms: number): string => {
    const whole = Math.max(0, Math.floor(ms / 1000));
    return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  },
};
