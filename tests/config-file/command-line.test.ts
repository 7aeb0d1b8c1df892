import { describe, expect, it } from 'vitest';
import { readCommandLines } from '../../lib/config-file/command-line.ts';
import { readServerConfig } from '../../lib/config-file/read-config.ts';

const only = (text: string) => readCommandLines(text)?.mcpServers[0];

describe('a command line', () => {
  it.each([
    [
      'npx -y @scope/server-files "/home/me/My files"',
      ['-y', '@scope/server-files', '/home/me/My files'],
      'npx',
    ],
    ["uvx mcp-server-git --repository '~/a b'", ['mcp-server-git', '--repository', '~/a b'], 'uvx'],
    ['$ npx -y x\\ y', ['-y', 'x y'], 'npx'],
    ['npx \\\n  -y \\\n  server-a', ['-y', 'server-a'], 'npx'],
    ['```bash\n# start it\nnpx -y server-a\n```', ['-y', 'server-a'], 'npx'],
    ['C:\\nodejs\\npx.cmd -y server-a', ['-y', 'server-a'], 'C:\\nodejs\\npx.cmd'],
    ['my-mcp-server --stdio', ['--stdio'], 'my-mcp-server'],
    ['mcp-server-git', [], 'mcp-server-git'],
    ['/opt/tools/my-server', [], '/opt/tools/my-server'],
    ['~/bin/notes serve', ['serve'], '~/bin/notes'],
    ['notes --stdio', ['--stdio'], 'notes'],
    ['python -m server "say \\"hi\\""', ['-m', 'server', 'say "hi"'], 'python'],
  ])('that starts a server is taken apart as a shell does: %j', (text, args, command) => {
    expect(only(text)).toEqual({ command, args });
  });

  it('gives the variables before it, and those that a container is to be handed', () => {
    expect(only('TOKEN=a=b MODE=x npx -y server-a')).toMatchObject({ env: { TOKEN: 'a=b', MODE: 'x' } });
    expect(only('docker run -i --rm -e TOKEN -e MODE=x mcp/github')).toEqual({
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', 'TOKEN', '-e', 'MODE=x', 'mcp/github'],
      env: { TOKEN: '' },
    });
  });

  it.each([
    [
      'claude mcp add --transport http notion https://mcp.notion.com/mcp --header "Authorization: Bearer a:b"',
      {
        name: 'notion',
        type: 'http',
        url: 'https://mcp.notion.com/mcp',
        headers: { Authorization: 'Bearer a:b' },
      },
    ],
    [
      'claude mcp add -t sse -s user asana https://a.test/sse',
      { name: 'asana', type: 'sse', url: 'https://a.test/sse' },
    ],
    [
      'claude mcp add airtable --env KEY=1 MODE=2 -- npx -y airtable --env X=1',
      {
        name: 'airtable',
        command: 'npx',
        args: ['-y', 'airtable', '--env', 'X=1'],
        env: { KEY: '1', MODE: '2' },
      },
    ],
    [
      'claude mcp add files npx -y server-files',
      { name: 'files', command: 'npx', args: ['-y', 'server-files'] },
    ],
    [
      `claude mcp add-json w '{"type":"http",\n"url":"https://a.test/mcp"}'`,
      { name: 'w', type: 'http', url: 'https://a.test/mcp' },
    ],
    [
      'codex mcp add docs --url https://a.test/mcp',
      { name: 'docs', type: 'http', url: 'https://a.test/mcp' },
    ],
    [
      `code --add-mcp '{"name":"pw","command":"npx","args":["pw"]}'`,
      { name: 'pw', command: 'npx', args: ['pw'] },
    ],
  ])('that adds a server elsewhere is read: %j', (text, entry) => {
    expect(only(text)).toEqual(entry);
  });

  it.each([
    'npx',
    'https://mcp.example.com/mcp',
    'Install it first, then run npx -y server-a',
    'npm install && npx -y server-a',
    'npx -y "server-a',
    '{"mcpServers": {}}',
    'claude mcp list',
    "code --add-mcp 'nonsense'",
    'npx -y server-a\nThen restart.',
    '',
  ])('is not made of %j', (text) => {
    expect(readCommandLines(text)).toBeUndefined();
  });

  it('is read as a configuration, several as several, and one without a name is called by its package', () => {
    const { servers } = readServerConfig('npx -y @scope/server-files@1.2 /tmp\nuvx --from git mcp-git', []);
    expect(servers.map(({ key, input }) => [key, input.name])).toEqual([
      ['', 'server-files'],
      ['', 'git'],
    ]);
    const docker = readServerConfig('docker run -i -e GITHUB_TOKEN ghcr.io/github/github-mcp-server:1', []);
    expect(docker.servers[0]?.input.name).toBe('github-mcp-server');
  });
});
