import type { ServerState, Transport } from '../lib/types/setup.ts';

const tools = (count: number): string => `${count} ${count === 1 ? 'tool' : 'tools'}`;

/** What the options page says of servers. */
export const servers = {
  servers: {
    lead: 'Tools, prompts and resources come from these MCP servers.',
    add: 'Add server',
    import: 'Import',
    empty:
      'No servers yet. Add one by its address, or import the mcp.json of another program, to give the model tools.',
    enabled: 'Enabled',
    reconnect: 'Reconnect',
    reconnectAll: 'Reconnect all',
    transport: {
      'streamable-http': 'Streamable HTTP',
      sse: 'SSE',
      stdio: 'stdio',
    } satisfies Record<Transport, string>,
    state: {
      connected: 'connected',
      connecting: 'connecting',
      disconnected: 'disconnected',
      error: 'error',
    } satisfies Record<ServerState, string>,
    waits: 'waits for you',
    toolsOn: (on: number, all: number): string => `${on} of ${tools(all)}`,
    toolsLastTime: (count: number): string => `${tools(count)} last time`,
    connecting: 'Connecting…',
    connected: (name: string): string => `Connected: ${name}`,
    failed: (why: string): string => `Failed: ${why}`,
    savedOff: (name: string): string => `Saved, switched off: ${name}`,
    needsSignIn: (name: string): string => `Sign in needed: ${name}`,
    needsLaunch: (name: string): string => `Look at what it starts, then allow it: ${name}`,
    useAddress: (address: string): string => `Use ${address}`,
    fields: {
      name: 'Name',
      nameHelp: (id: number): string =>
        `Models see mcp__${id}__ and the tool’s name, whatever the name here.`,
      nameTaken: (name: string): string =>
        `Another server has this name. To tell them apart, this one is saved as “${name}”.`,
      transport: 'Transport',
      transportHelp:
        'For remote servers and servers on a local port. SSE is the older form and has the same fields.',
      stdioHelp: 'A program on this computer, started by the native host.',
      url: 'URL',
      headersHelp: 'One per line, as Name: value. Leave empty if the server asks you to sign in.',
      command: 'Command',
      cwd: 'Working directory',
      args: 'Arguments',
      argsHelp: 'One per line. Spaces stay inside an argument.',
      answersHelp: (references: string): string =>
        `${references} stands for a secret that the import asked for, which is stored.`,
      env: 'Environment',
      envHelp: 'One per line, as KEY=value. Stored on this computer, in exports only if you ask.',
      client: 'OAuth client',
      clientHelp: 'Only for servers whose sign-in wants a client that you registered there yourself.',
      clientId: 'Client ID',
      clientSecret: 'Client secret',
      secretKept: 'A secret is stored. Leave this empty to keep it.',
      timeout: 'Tool timeout (ms)',
      timeoutHelp: 'Starts over when the server reports progress.',
      trusted: 'Trust this server',
      trustedHelp:
        'Runs read-only tools without asking. Portside relies on the server’s own labels, so trust servers you know.',
      oneAtATime: 'One call at a time',
      oneAtATimeHelp: 'For servers that mix up calls made at once. Answers with several calls take longer.',
      instructions: 'Send its instructions to the model',
      instructionsHelp: 'What the server says of itself and how to use its tools, in chats that use them.',
      enabled: 'Enabled',
    },
    stored: {
      value: 'value stored',
      forgetEnv: 'Remove the saved environment',
      replace: 'The values are not shown. Leave this empty to keep them, or enter the whole list again.',
    },
    origin:
      'Portside leaves the Origin header out of requests to this host: many servers refuse what comes from an extension.',
    moves:
      'This is another origin: saving drops the server’s sign-in and the Allows of its tools, and stored headers have to be given again.',
    movesProgram: 'This is another program: saving drops the Allows of its tools and the stored environment.',
    mcpJson: {
      title: 'Have an mcp.json?',
      text: 'Paste the file of Claude Desktop, Cursor or VS Code and pick what to add.',
    },
    saveAndReconnect: 'Save & Reconnect',
    saveReconnects: 'It reconnects when its address, its headers or its OAuth client change.',
    invalid: {
      name: 'Name is required',
      url: 'URL is required',
      command: 'Command is required',
      cwd: 'Give it from the top on, as in /home/you/project or C:\\project',
      clientId: 'Client ID is required',
      badEnv: (line: number): string => `Line ${line} is not of the form KEY=value`,
      timeout: 'Give a whole number of milliseconds, 1 or more',
    },
  },
};
