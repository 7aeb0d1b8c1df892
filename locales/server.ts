import type { Permission } from '../lib/types/tool.ts';
import type { LogLevel, WireEntry } from '../lib/types/wire-log.ts';
import { units } from './units.ts';

const tokens = (count: number): string => `${count.toLocaleString('en')} tokens`;

/** 19:40:11.020 */
function timeOf(iso: string): string {
  const date = new Date(iso);
  return `${date.toLocaleTimeString('en-GB')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

const bytesOf = (bytes: number): string =>
  bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(bytes < 9_950 ? 1 : 0)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** What the page of one server says. */
export const serverPages = {
  serverPage: {
    tabs: {
      configuration: 'Configuration',
      tools: 'Tools',
      prompts: 'Prompts',
      resources: 'Resources',
      log: 'Log',
    },
    /** It was set up as Streamable HTTP. */
    overSse: 'Streamable HTTP, answers as SSE',
    protocol: (version: string): string => `protocol ${version}`,
    answeredIn: (ms: number): string => `answered in ${took(ms)}`,
    toolLog: 'Tool log of this server',
    gone: 'This server no longer exists.',
    removeQuestion: (name: string): string => `Remove ${name} with its headers, sign-in and tool choices?`,
    about: 'About this server',
    aboutFields: { name: 'Calls itself', version: 'Version', website: 'Website', host: 'Host' },
    instructions: 'Its instructions',
    instructionsSent: 'Models are told this in chats that use its tools.',
    instructionsKept: 'Models are not told this: it is switched off above.',
    notConnected: (what: string): string => `${what} appear here once the server is connected.`,
    switchedOff: (what: string): string =>
      `${what} appear here once the server is switched on and connected.`,
    reading: 'Asking the server…',
  },
  serverSignIn: {
    title: 'Sign-in',
    needed: (server: string): string => `${server} wants you to sign in.`,
    lead: 'The browser opens a window of its own for that.',
    more: (scopes: string): string => `It asks for more than was granted: ${scopes}.`,
    signIn: 'Sign in',
    signOut: 'Sign out',
    signedIn: (issuer: string): string => `Signed in with ${issuer}`,
    renews: 'Renews by itself.',
    scopes: (scopes: string[]): string => `Scopes: ${scopes.join(', ')}.`,
    reaches: (hosts: string): string => `The sign-in goes through ${hosts}, which Portside can’t reach yet.`,
    allow: (hosts: string): string => `Allow access to ${hosts}`,
  },
  toolList: {
    search: 'Search tools',
    show: 'Show',
    filters: { all: 'All', on: 'On', off: 'Off' },
    count: (on: number, all: number, price: number): string => `${on} of ${all} on, ${tokens(price)}`,
    allOff: 'Turn all off',
    allOn: 'Turn all on',
    columns: {
      use: 'Use',
      tool: 'Tool',
      can: 'Can',
      tokens: 'Tokens',
      permission: 'Permission',
      details: 'Details',
    },
    use: (tool: string): string => `Use ${tool}`,
    permissionFor: (tool: string): string => `Permission for ${tool}`,
    permission: { ask: 'Ask', allow: 'Allow', block: 'Block' } satisfies Record<Permission, string>,
    detailsOf: (tool: string): string => `Details of ${tool}`,
    notOffered: (problem: string): string => `Not offered to models: ${problem}`,
    missing: 'The server does not list it at the moment.',
    name: 'Full name',
    schema: 'Schema',
    noSchema: 'Its schema is read once the server is connected.',
    noneOffered: (server: string): string => `${server} offers no tools.`,
    noMatch: 'No tool fits this search.',
    showAll: (count: number): string => `Show all ${count.toLocaleString('en')}`,
  },
  tryTool: {
    title: 'Try it',
    arguments: 'Arguments',
    help: 'Runs at once, outside any chat. The call is in the tool log.',
    run: 'Run',
    stop: 'Stop',
    running: (seconds: string): string => `Running, ${seconds}`,
    answered: (ms: number): string => `Answered in ${took(ms)}`,
    failed: (ms: number): string => `The tool reported an error after ${took(ms)}`,
    result: 'Result',
  },
  promptList: {
    lead: ['Type ', ' in a chat to use one.'],
    prompt: 'Prompt',
    arguments: 'Arguments',
    required: 'required',
    none: (server: string): string => `${server} offers no prompts.`,
    noArguments: 'none',
  },
  resourceList: {
    lead: ['Type ', ' in a chat to add one.'],
    leadTemplates: 'Templates ask for the parts in braces.',
    resources: 'Resources',
    templates: 'Templates',
    resource: 'Resource',
    template: 'Template',
    address: 'Address',
    type: 'Type',
    any: 'any type',
    size: 'Size',
    preview: 'Preview',
    previewOf: (name: string): string => `Preview ${name}`,
    hide: 'Hide',
    hideOf: (name: string): string => `Hide ${name}`,
    read: 'Read',
    empty: 'The server sent nothing.',
    reading: 'Reading…',
    none: (server: string): string => `${server} offers no resources.`,
    cut: (shown: number, all: number): string =>
      `The first ${shown.toLocaleString('en')} of ${all.toLocaleString('en')} characters. A chat gets more of it.`,
    bytes: bytesOf,
  },
  wireLog: {
    title: 'Log',
    lead: 'The last 200 lines, without secrets. They are kept in memory only.',
    search: 'Search log',
    searchHint: 'Method, id or text',
    show: 'Show',
    filters: { all: 'All', errors: 'Errors' },
    pause: 'Pause',
    resume: 'Resume',
    paused: (count: number): string => (count === 0 ? 'Paused' : `Paused, ${count} new`),
    copyAll: 'Copy all',
    copied: 'Copied',
    copyFailed: 'The browser did not let Portside copy it',
    level: 'Log level',
    levelUnset: 'Level: the server’s own',
    levels: {
      debug: 'Debug',
      info: 'Info',
      notice: 'Notice',
      warning: 'Warning',
      error: 'Error',
      critical: 'Critical',
      alert: 'Alert',
      emergency: 'Emergency',
    } satisfies Record<LogLevel, string>,
    columns: { time: 'Time', kind: 'Direction', message: 'Message', id: 'Id', took: 'Took', size: 'Size' },
    kinds: { sent: 'sent', received: 'received', log: 'logged', note: 'note' } satisfies Record<
      WireEntry['kind'],
      string
    >,
    details: (message: string): string => `Details of ${message}`,
    noBody: 'Nothing more is known of it.',
    reading: 'Reading the log…',
    empty: 'Nothing sent yet. Messages appear here as they go to the server and come back.',
    noMatch: 'Nothing in the log fits this search.',
    timeOf,
    took,
    size: bytesOf,
  },
};

function took(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : units.duration(ms);
}
