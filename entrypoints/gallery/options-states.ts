import type { Step } from './press.ts';

/** A settings page: what is set up (a query of options.tsx), its route, and what a user does there. */
export type OptionsState = { query?: string; route: string; press?: Step[] };

/** What VS Code may have: a saved name, variables, a folder of its own, and an address that is none. */
const config = JSON.stringify({
  inputs: [
    { id: 'token', type: 'promptString', description: 'GitHub token', password: true },
    { id: 'region', type: 'pickString', description: 'Region of the database', options: ['eu', 'us'] },
  ],
  servers: {
    github: {
      url: 'https://api.githubcopilot.com/mcp/',
      headers: { Authorization: 'Bearer ${input:token}' },
    },
    filesystem: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '~/Documents'] },
    sqlite: {
      command: 'uvx',
      args: ['mcp-server-sqlite', '--region', '${input:region}', '${env:API_KEY}'],
      cwd: '${workspaceFolder}',
    },
    playwright: { type: 'sse', url: 'http://127.0.0.1:3963/sse' },
    feed: { url: 'wss://feed.example/mcp' },
  },
});

/** Every state of the settings, by name. */
export const optionsStates: Record<string, OptionsState> = {
  servers: { query: 'servers', route: 'servers' },
  'servers-none': { query: 'empty', route: 'servers' },
  'server-add': { route: 'servers/add' },
  'server-add-advanced': { route: 'servers/add', press: ['.form > .fold-field > summary'] },
  'server-add-missed': {
    route: 'servers/add',
    press: [['form .input', 'nowhere.example'], 'form .btn.primary'],
  },
  'server-add-pasted': {
    query: 'host=missing',
    route: 'servers/add',
    press: [
      ['form .input', 'docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server'],
      'form .btn.primary',
    ],
  },
  'server-added': {
    query: 'servers',
    route: 'servers/add',
    press: [['form .input', 'mcp.example.com'], 'form .btn.primary'],
  },
  'server-registry': { route: 'servers/registry', press: ['.form-foot .btn', '.registry-entry'] },
  'server-import': { route: 'servers/import' },
  'server-import-found': { route: 'servers/import', press: [['textarea', config], 'form .btn.primary'] },
  'server-import-files': { route: 'servers/import', press: ['.found-configs .btn'] },
  'server-import-no-host': {
    query: 'host=missing',
    route: 'servers/import',
    press: ['.found-configs .btn'],
  },
  'server-program': { query: 'servers', route: 'servers/7', press: ['.program-check .btn'] },
  'server-program-no-host': { query: 'servers&host=missing', route: 'servers/7' },
  'server-launch': { query: 'servers', route: 'servers/9' },
  'native-host': { query: 'servers', route: 'native-host', press: ['.toolbar .btn.work'] },
  'native-host-policy': { query: 'empty&host=policy', route: 'native-host' },
  'native-host-missing': { query: 'host=missing', route: 'native-host' },
  'native-host-not-allowed': { query: 'host=not_allowed', route: 'native-host' },
  'native-host-waiting': { query: 'host=waiting', route: 'native-host' },
  'native-host-outdated': { query: 'host=outdated', route: 'native-host' },
  'server-configuration': { route: 'servers/1' },
  'server-signed-out': { query: 'server=signin', route: 'servers/1' },
  'server-off': { query: 'server=off', route: 'servers/1' },
  'server-asks': { query: 'server=asks', route: 'servers/1/tools' },
  'server-tools': { route: 'servers/1/tools', press: ['* [aria-expanded=false]'] },
  'server-tools-changed': {
    query: 'server=changed',
    route: 'servers/1/tools',
    press: ['* [aria-expanded=false]'],
  },
  'server-tools-none': { query: 'server=empty', route: 'servers/1/tools' },
  'server-tools-many': { query: 'server=many', route: 'servers/1/tools' },
  'server-prompts': { route: 'servers/1/prompts' },
  'server-resources': { route: 'servers/1/resources', press: ['* [aria-expanded=false]'] },
  'server-resources-none': { query: 'server=empty', route: 'servers/1/resources' },
  'server-log': { route: 'servers/1/log', press: ['* [aria-expanded=false]'] },
  'server-log-none': { query: 'server=empty', route: 'servers/1/log' },
  models: { route: 'models', press: ['* [aria-expanded=false]'] },
  'models-none': { query: 'empty', route: 'models' },
  'model-add': { route: 'models/add' },
  'model-add-key': { route: 'models/add', press: [['.add-key input', 'sk-ant-1234567890']] },
  'model-add-azure': { route: 'models/add/azure' },
  'model-provider': { route: 'models/2' },
  'assistant-add': { route: 'assistants/add' },
  assistant: { route: 'assistants/1' },
  'tool-log': { route: 'tool-log' },
  'tool-log-open': { route: 'tool-log', press: ['[aria-expanded=false]'] },
  'tool-log-none': { query: 'empty', route: 'tool-log' },
  permissions: { route: 'permissions' },
  'permissions-none': { query: 'empty', route: 'permissions' },
  general: { route: 'general' },
  'general-passphrase': { route: 'general', press: ['* [aria-expanded=false]'] },
  'general-locked': { query: 'lock=locked', route: 'general' },
  'general-unlocked': { query: 'lock=open', route: 'general' },
  data: { route: 'data' },
  'data-none': { query: 'empty', route: 'data' },
  'data-erase': { route: 'data', press: ['* [aria-expanded=false]'] },
  'data-texts': { route: 'data', press: [['input[type=file]', '{"portside":1,"settings":{}}']] },
  prompts: { route: 'prompts' },
  'prompts-none': { query: 'empty', route: 'prompts' },
  'prompt-add': { route: 'prompts/add' },
  prompt: { route: 'prompts/1' },
};
