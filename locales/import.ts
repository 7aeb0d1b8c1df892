const servers = (count: number): string => `${count} ${count === 1 ? 'server' : 'servers'}`;

/** What the options page says where servers are imported and exported. */
export const imports = {
  import: {
    title: 'Import servers',
    lead: 'Works with the files of Claude Desktop, Claude Code, Cursor, VS Code and Portside.',
    field: 'mcp.json',
    placeholder: '{ "mcpServers": { … } }',
    help: 'Comments and trailing commas are fine. A file may also be dropped anywhere on this page.',
    choose: 'Choose a file',
    drop: 'Drop the file to read it',
    unreadable: (name: string): string => `${name} could not be read.`,
    tooLarge: (name: string): string => `${name} is too large for a configuration file.`,
    found: (count: number): string => `${servers(count)} found`,
    foundList: 'Servers found',
    nothing: 'What will be added appears here.',
    take: (name: string): string => `Import ${name}`,
    already: (name: string): string =>
      `Already here as ${name}. If you select it, it is added a second time.`,
    unusable: 'Can’t be added',
    questions: 'Values the file leaves open',
    questionsHelp: 'They are put in when the servers are added, and kept on this computer.',
    choice: 'Choose…',
    required: 'Give a value, or take the servers that need it out of the selection',
    badHeader: (header: string, name: string): string =>
      `The header ${header} of ${name} can’t hold this: headers hold one line of plain letters`,
    wrongFolder: (folder: string, name: string): string =>
      `With this, “${name}” would start in ${folder}, which is not a whole path, as in /home/you/project or C:\\project`,
    wrongCommand: (name: string): string => `Without this, “${name}” has no command to start`,
    wrongClient: (name: string): string => `Without this, “${name}” has no client ID to sign in with`,
    wrongAddress: (name: string): string =>
      `With these values “${name}” has no address that can be saved: one begins with http:// or https:// and contains no user name or password`,
    connect: 'Connect after import',
    connectHelp:
      'The browser asks first whether Portside may reach their hosts. Otherwise they are added switched off.',
    selected: (count: number): string => `${count} selected`,
    submit: 'Import',
    notGranted:
      'The browser was not allowed to reach these hosts, so the servers were added switched off. Switch one on to be asked again.',
    added: (count: number): string => `${servers(count)} added`,
    addedList: 'Servers added',
    off: 'Switched off',
    waits: 'Waits for you',
    connecting: 'Connecting…',
    connected: 'Connected',
    failed: (why: string): string => `Failed: ${why}`,
    again: 'Import more',
    done: 'Show all servers',
  },
  export: {
    title: 'Export servers',
    lead: 'All servers as an mcp.json, which Portside and most other programs read.',
    secrets: 'Include secrets',
    secretsHelp: 'Without them the file asks for header values, environment and keys when it is imported.',
    warning:
      'The file will hold the values of headers and environment variables in plain text. Whoever has it can use them.',
    download: 'Download mcp.json',
    done: 'The file was handed to the browser’s downloads.',
  },
};
