import { PRICE_LIMITS, TOKEN_LIMITS, type ReasoningEffort } from '../lib/types/model.ts';
import { units } from './units.ts';

/** $3, $1.40, $0.075. */
const dollars = (amount: number): string =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 4 })}`;

/** What lib/models/quirks.ts does differently, by its names. */
const QUIRKS: Record<string, string> = {
  maxCompletionTokens: 'max_tokens is sent as max_completion_tokens',
  nestedEffort: 'the reasoning effort is sent in its nested form',
  noStreamOptions: 'stream_options is not sent',
  systemAsUser: 'the system prompt is sent in the first question',
  textWithCalls: 'messages with tool calls are sent with an empty text',
  noReasoning: 'its reasoning is not sent back',
  allReasoning: 'all its reasoning is sent back',
  nineCharIds: 'call ids are sent with nine characters',
  shortIds: 'call ids are sent shortened',
  bridgeAfterTool: 'a message stands between a tool’s result and a question',
  geminiSchemas: 'tool schemas are sent in a simpler form',
};

/** What the options page says. */
export const options = {
  options: {
    nav: 'Settings',
    servers: 'Servers',
    models: 'Models',
    permissions: 'Permissions',
    general: 'General',
    data: 'Data',
    save: 'Save',
    cancel: 'Cancel',
    remove: 'Remove',
    keep: 'Keep',
    edit: 'Edit',
    asksFirst: 'The browser asks first whether Portside may reach this host, on all its ports.',
    refused: (host: string): string =>
      `The browser was not allowed to reach ${host}, so nothing was saved. Press Save again and choose Allow.`,
    address: {
      scheme: 'Start the address with https:// or http://',
      space: 'Take the spaces out of the address',
      unreadable: 'This is not an address that a browser can open',
    },
    headers: {
      label: 'Headers',
      forget: 'Remove the saved headers',
      badLine: (line: number, twice?: string): string =>
        twice === undefined
          ? `Line ${line} is not of the form Name: value`
          : `Line ${line} gives ${twice} a second time. Join its values on one line, with commas`,
    },
    refusedTest: (host: string): string =>
      `The browser was not allowed to reach ${host}. Press Test again and choose Allow.`,
    notAllowed: (host: string): string => `The browser was not allowed to reach ${host}.`,
    pressAgain: 'Press the button again and choose Allow.',
  },
  models: {
    lead: 'Capabilities come from the provider or the model’s name. Test to verify, or edit.',
    add: 'Add provider',
    empty: 'No model yet. Look for one on this computer, or add a provider to start chatting.',
    edit: (name: string): string => `Edit ${name}`,
    remove: (name: string): string => `Remove ${name}`,
    removeQuestion: (name: string): string => `Remove ${name} with its key and what is known of its models?`,
    newChats: 'New chats',
    default: 'Default',
    here: 'Found on this computer',
    test: 'Test',
    testing: (model: string): string => `Asking ${model}…`,
    listing: 'Asking for the models…',
    refresh: 'Refresh models',
    refreshing: 'Asking for the models…',
    refreshed: (count: number): string => `The address lists ${count} ${count === 1 ? 'model' : 'models'}.`,
    keyStored: 'key stored on this computer',
    noKey: 'no key',
    gone: 'This provider no longer exists.',
    addLead: 'Any address that speaks the OpenAI API.',
    fields: {
      preset: 'Start from',
      presetGroups: { local: 'On this computer', hosted: 'Services', custom: 'Any other' },
      name: 'Name',
      baseUrl: 'Base URL',
      baseUrlHelp: 'Up to and including the version, such as http://127.0.0.1:11434/v1',
      key: 'API key',
      keyHelp: 'Stored on this computer. Never shown again, never in exports.',
      keyPage: (name: string): string => `Get a key from ${name}`,
      keyKept: 'A key is saved. Leave this empty to keep it.',
      keyForget: 'Remove the saved key',
      headersHelp: 'One per line, as Name: value. Sent with every request to this address.',
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
      braces: (part: string): string => `Replace ${part} with your own`,
      key: (name: string): string => `${name} answers only to an API key`,
      model: 'Model is required',
      pickModel: (count: number): string =>
        count === 0
          ? 'The address lists no models. Type the name of one, then press Test again.'
          : `The address lists ${count} models. Pick one, then press Test again.`,
    },
  },
  test: {
    title: 'Test result',
    none: 'Test sends one tiny request with a tool and says what works.',
    answered: (ms: number): string => `Answered in ${units.duration(ms)}`,
    streams: (yes: boolean): string => (yes ? 'Streams text' : 'Sends its answer in one piece'),
    calledTool: (yes: boolean): string => (yes ? 'Called the test tool' : 'Did not call the test tool'),
    reasoned: (yes: boolean): string => (yes ? 'Shows its reasoning' : 'Shows no reasoning'),
    stop: 'Stop',
    reads: (tokens: number): string => `Reads ${units.window(tokens)} tokens`,
    used: (tokens: number): string => `The test used ${tokens} tokens.`,
  },
  modelTable: {
    name: 'Model',
    can: 'Can',
    context: 'Context',
    price: 'Price per million, in / out',
    show: 'Show',
    edit: 'Edit',
    traits: { tools: 'tools', vision: 'vision', reasoning: 'reasoning' },
    perMillion: (input: number, output: number): string => `${dollars(input)} / ${dollars(output)}`,
    free: 'free',
    textOnly: 'text only',
    unknown: 'not known',
    missing: 'no longer listed',
    showModel: (model: string): string => `Show ${model}`,
    editModel: (model: string): string => `Edit ${model}`,
    testModel: (model: string): string => `Test ${model}`,
    search: (provider: string): string => `Search models of ${provider}`,
    searchHint: 'Search models',
    noMatch: 'No models match.',
    showAll: (count: number): string => `Show all ${count}`,
    showFewer: 'Show fewer',
    none: 'Its models are not known yet. Press Refresh models.',
  },
  traits: {
    tools: 'Tool calling',
    vision: 'Vision',
    reasoning: 'Reasoning',
    contextWindow: 'Context window (tokens)',
    maxOutput: 'Maximum output (tokens)',
    input: 'Price in',
    output: 'Price out',
    cached: 'Price cached',
    priceHelp: 'US dollars for a million tokens. Empty: as found.',
    asFound: (found: boolean | undefined): string =>
      `As found (${found === undefined ? 'unknown' : found ? 'yes' : 'no'})`,
    yes: 'Yes',
    no: 'No',
    notFound: 'not known',
    reset: 'Reset to what was found',
    invalid: {
      tokens: `Give a whole number of tokens, from 1 to ${TOKEN_LIMITS[1].toLocaleString('en')}`,
      price: `Give a number of dollars, from 0 to ${PRICE_LIMITS[1].toLocaleString('en')}`,
      pair: 'Give both prices, in and out',
    },
  },
  learned: {
    line: (told: string[]): string => `Learnt from refusals: ${told.join('; ')}.`,
    noTools: 'gets no tools',
    noVision: 'gets no pictures',
    reads: (tokens: number): string => `reads ${units.window(tokens)} tokens`,
    /** @param entry a parameter's name, or `name=value` where only this value is refused */
    dropped: (entry: string): string => {
      const [name = '', value] = entry.split('=');
      return value === undefined ? `${name} is not sent` : `${name} is not sent as ${value}`;
    },
    renamed: (name: string, other: string): string => `${name} is sent as ${other}`,
    quirk: (name: string): string => QUIRKS[name] ?? name,
    forget: 'Forget',
    forgetOf: (model: string): string => `Forget what refusals of ${model} taught`,
  },
  local: {
    look: 'Look for local models',
    looking: 'Looking…',
    again: 'Look again',
    title: 'Model servers on this computer',
    add: 'Add',
    addServer: (name: string): string => `Add ${name}`,
    has: (count: number, best: string): string =>
      count === 1 ? `Has ${best}.` : `Has ${count} models; ${best} becomes its default.`,
    noModels: (address: string): string =>
      `Answers at ${address}, but has no model. Load one, then look again.`,
    absent: (address: string): string => `Nothing answers at ${address}. Start its server, then look again.`,
    locked: (name: string, address: string): string =>
      `${name} may be running at ${address}, but the browser didn’t allow access. Look again and choose Allow.`,
    refused:
      'The browser was not allowed to reach this computer (127.0.0.1), so nothing was looked for. Press Look for local models again and choose Allow.',
    found: (names: string[]): string =>
      names.length === 0 ? 'No model server answers on this computer.' : `Found ${names.join(', ')}.`,
  },
  assistants: {
    title: 'Assistants',
    lead: 'Reusable presets: model, prompt and settings.',
    add: 'Add assistant',
    gone: 'This assistant no longer exists.',
    edit: (name: string): string => `Edit ${name}`,
    remove: (name: string): string => `Remove ${name}`,
    removeQuestion: (name: string): string => `Remove ${name}? Chats that took it keep their settings.`,
    noModel: 'Model of new chats',
    goneModel: 'a model that no longer exists',
    ownModel: (provider: string, model: string): string => `${provider}’s default (${model})`,
    fields: {
      name: 'Name',
      model: 'Model',
      system: 'System prompt',
      systemHelp: 'Told to the model before every chat.',
      temperature: 'Temperature',
      temperatureHelp: '0 is steady, 2 is wild. Empty: left to the model.',
      maxTokens: 'Max tokens',
      maxTokensHelp: 'Of one answer. Empty: left to the model.',
      effort: 'Reasoning effort',
      effortHelp: 'Models that do not reason pass over it.',
    },
    effortDefault: 'Left to the model',
    efforts: {
      none: 'None',
      minimal: 'Minimal',
      low: 'Low',
      medium: 'Medium',
      high: 'High',
    } satisfies Record<ReasoningEffort, string>,
    invalid: {
      name: 'Name is required',
      temperature: 'Give a number from 0 to 2',
      maxTokens: 'Give a whole number of tokens, 1 or more',
    },
  },
};
