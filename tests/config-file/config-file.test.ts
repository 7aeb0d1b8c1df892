import { array, assert, constantFrom, dictionary, letrec, oneof, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWire } from '../../lib/errors.ts';
import { exportConfig, type ServerSecrets } from '../../lib/config-file/export.ts';
import { installLinkIn } from '../../lib/config-file/install-link.ts';
import { readServerConfig } from '../../lib/config-file/read-config.ts';
import type { ConfiguredServer } from '../../lib/config-file/server-config.ts';
import type { WireError } from '../../lib/types/error.ts';
import type { Server } from '../../lib/types/server.ts';

const common = { enabled: false, toolTimeout: 30_000, trusted: false, oneAtATime: false };

/** As the page and the worker read a file between them. */
const readText = (text: string, existing: Server[] = []) => readServerConfig(text, existing);

/** The only server of a file. */
function only(file: unknown): ConfiguredServer {
  const { servers } = readText(typeof file === 'string' ? file : JSON.stringify(file));
  expect(servers).toHaveLength(1);
  return servers[0] as ConfiguredServer;
}
const inputOf = (entry: unknown) => only({ mcpServers: { a: entry } }).input;
const problemsOf = (entry: unknown) => only({ mcpServers: { a: entry } }).problems;
const questionsOf = (file: unknown) => readText(JSON.stringify(file)).questions;

function refusal(text: string): WireError {
  try {
    readText(text);
  } catch (error) {
    return toWire(error);
  }
  throw new Error('The text was read.');
}

describe('a configuration file', () => {
  const stdio = { ...common, name: 'a', transport: 'stdio', command: 'npx', args: ['-y', 'server-a'] };
  const http = { ...common, name: 'a', transport: 'streamable-http', url: 'https://a.test/mcp' };
  const command = { command: 'npx', args: ['-y', 'server-a'] };

  it.each([
    ['Claude Desktop', { mcpServers: { a: command } }, stdio],
    ['Claude Code', { mcpServers: { a: { type: 'http', url: 'https://a.test/mcp' } } }, http],
    ['Cursor', { mcpServers: { a: { url: 'https://a.test/mcp' } } }, http],
    ['Windsurf', { mcpServers: { a: { serverUrl: 'https://a.test/mcp' } } }, http],
    ['VS Code', { servers: { a: { type: 'stdio', ...command } } }, stdio],
    ['VS Code’s settings', { 'editor.tabSize': 2, mcp: { servers: { a: command } } }, stdio],
    ['Gemini CLI', { theme: 'x', mcpServers: { a: { httpUrl: 'https://a.test/mcp' } } }, http],
    ['Roo Code', { mcpServers: { a: { type: 'streamable-http', url: 'https://a.test/mcp' } } }, http],
    ['Cline', { mcpServers: { a: { type: 'streamableHttp', url: 'https://a.test/mcp' } } }, http],
    ['Zed', { context_servers: { a: { source: 'custom', ...command } } }, stdio],
    ['an older Zed', { context_servers: { a: { command: { path: 'npx', args: command.args } } } }, stdio],
    ['opencode', { mcp: { a: { type: 'local', command: ['npx', '-y', 'server-a'] } } }, stdio],
    ['a list', { mcpServers: [{ name: 'a', ...command }] }, stdio],
    ['a map of servers', { a: command }, stdio],
    ['one server', { name: 'a', ...command }, stdio],
    ['the insides of an object', '"mcpServers": {"a": {"url": "https://a.test/mcp"}}', http],
  ])('of %s is read', (_program, file, input) => {
    expect(only(file)).toEqual({ key: expect.any(String), input, problems: [], usable: true });
  });

  const json = encodeURIComponent;
  const base64 = (value: unknown) => btoa(JSON.stringify(value));
  const remote = { type: 'http', url: 'https://a.test/mcp' };

  it.each([
    ['Cursor', `cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=${base64(command)}`, stdio],
    [
      'Cursor, with a command line',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=${base64({ command: 'npx -y server-a' })}`,
      stdio,
    ],
    ['Cursor’s page', `https://cursor.com/en/install-mcp?name=a&config=${json(base64(remote))}`, http],
    ['VS Code', `vscode:mcp/install?${json(JSON.stringify({ name: 'a', ...command }))}`, stdio],
    [
      'VS Code’s page',
      `https://insiders.vscode.dev/redirect/mcp/install?name=a&config=${json(JSON.stringify(remote))}&quality=insiders`,
      http,
    ],
    [
      'a page that passes VS Code’s on',
      `https://vscode.dev/redirect?url=${json(`vscode-insiders:mcp/install?${json(JSON.stringify({ name: 'a', ...remote }))}`)}`,
      http,
    ],
    ['LM Studio', `lmstudio://add_mcp?name=a&config=${base64(remote)}`, http],
    [
      'LM Studio, unescaped',
      `lmstudio://add_mcp?name=a&config=${base64({ ...remote, title: '>>>???' })}`,
      http,
    ],
    [
      'Claude',
      `https://claude.ai/customize/connectors?modal=add-custom-connector&connectorName=a&connectorUrl=${json(remote.url)}`,
      http,
    ],
  ])('is read out of an install link of %s', (_program, link, input) => {
    expect(only(` ${link}\n`)).toEqual({ key: expect.any(String), input, problems: [], usable: true });
  });

  it('in an install link asks for what VS Code’s inputs describe', () => {
    const config = json(JSON.stringify({ ...command, env: { API_KEY: '${input:key}' } }));
    const inputs = json(
      JSON.stringify([{ id: 'key', type: 'promptString', password: true, description: 'Its key' }]),
    );
    const { questions } = readText(
      `https://vscode.dev/redirect/mcp/install?name=a&config=${config}&inputs=${inputs}`,
    );
    expect(questions).toMatchObject([{ label: 'Its key', secret: true }]);
  });

  it.each([
    'https://mcp.example.com/install-mcp?name=a&config=e30',
    'https://claude.ai/settings/connectors',
    'https://cursor.com.example.com/install-mcp?name=a',
    'mailto:mcp/install?subject=a',
  ])('is not looked for in %s', (text) => {
    expect(installLinkIn(text)).toBeNull();
  });

  it('may have comments, trailing commas and a byte order mark', () => {
    const file = '\uFEFF// mine\n{"mcpServers": {"a": {"url": "https://a.test/mcp", /* here */},},}';
    expect(only(file).input).toEqual(http);
  });

  it('gives SSE, headers, environment, working directory and a registered client', () => {
    expect(inputOf({ type: 'sse', url: 'http://a.test/sse', headers: { 'X-A': 'b' } })).toMatchObject({
      transport: 'sse',
      url: 'http://a.test/sse',
      headers: { 'X-A': 'b' },
    });
    expect(inputOf({ ...command, env: { PORT: 3000, ON: true }, cwd: '/srv' })).toMatchObject({
      env: { PORT: '3000', ON: 'true' },
      cwd: '/srv',
    });
    expect(inputOf({ url: 'https://a.test', oauth: { clientId: 'me', clientSecret: 's' } })).toMatchObject({
      oauthClient: { id: 'me', secret: 's' },
    });
  });

  it.each([
    ['Cline’s seconds', { timeout: 60 }, 60_000],
    ['Roo Code’s hour', { timeout: 3600, alwaysAllow: [] }, 3_600_000],
    ['Gemini CLI’s milliseconds', { timeout: 5000 }, 5000],
    ['nonsense', { timeout: 'long' }, 30_000],
    ['a negative one', { timeout: -1 }, 30_000],
    ['more than a timer can wait', { timeout: 1e20 }, 2 ** 31 - 1],
  ])('has a timeout in %s', (_whose, fields, milliseconds) => {
    expect(inputOf({ ...command, ...fields }).toolTimeout).toBe(milliseconds);
  });

  it('is never believed: what is allowed without asking, or on, or trusted, is not taken over', () => {
    const server = only({
      mcpServers: { a: { ...command, trust: true, autoApprove: ['x'], disabled: true } },
    });
    expect(server.input).toEqual(stdio);
    expect(server.problems).toEqual(['Left out: trust, autoApprove.', 'It is switched off in the file.']);
  });

  it('tells which server is there already, however its name is written', () => {
    const saved = {
      ...common,
      id: 7,
      name: 'GitHub',
      transport: 'sse',
      url: 'https://x.test',
      headerNames: [],
    };
    const { servers } = readText(JSON.stringify({ mcpServers: { github: command, other: command } }), [
      saved as Server,
    ]);
    expect(servers.map(({ sameNameAs }) => sameNameAs)).toEqual([7, undefined]);
  });

  it('tells apart those whose names differ in spaces alone', () => {
    const { servers } = readText(
      JSON.stringify({ mcpServers: { 'my files': command, 'my  files': command, ' my files': command } }),
    );
    expect(servers.map(({ input }) => input.name)).toEqual(['my files', 'my files (2)', 'my files (3)']);
    expect(servers.map(({ problems }) => problems.at(-1))).toEqual([
      undefined,
      'Another server here is also named “my files”, so Portside added a number.',
      'Another server here is also named “my files”, so Portside added a number.',
    ]);
  });

  it('numbers long names that begin alike without making them longer than a name may be', () => {
    const long = 'x'.repeat(120);
    const { servers } = readText(
      JSON.stringify({ mcpServers: { [`${long}a`]: command, [`${long}b`]: command } }),
    );
    expect(servers.map(({ key, input }) => [key, input.name])).toEqual([
      [`${long}a`, 'x'.repeat(100)],
      [`${long}b`, `${'x'.repeat(96)} (2)`],
    ]);
  });

  it('may leave its servers without names', () => {
    expect(only({ url: 'https://a.test:8080/mcp' }).input.name).toBe('a.test:8080');
    expect(only({ command: '/usr/bin/mcp-server' }).input.name).toBe('mcp-server');
  });
});

describe('what a file leaves open', () => {
  it('is asked for once, whatever uses it', () => {
    const file = {
      mcpServers: {
        a: { url: 'https://${env:HOST}/mcp', headers: { Authorization: 'Bearer ${GITHUB_TOKEN}' } },
        b: { command: 'x', args: ['${HOST}'], env: { TOKEN: '$GITHUB_TOKEN', SHELL: '$a' } },
      },
    };
    const { servers, questions } = readText(JSON.stringify(file));
    expect(questions).toEqual([
      { id: 'env:HOST', label: 'HOST', secret: false },
      { id: 'env:GITHUB_TOKEN', label: 'GITHUB_TOKEN', secret: true },
    ]);
    expect(servers.map(({ input }) => input)).toMatchObject([
      { url: 'https://${env:HOST}/mcp', headers: { Authorization: 'Bearer ${env:GITHUB_TOKEN}' } },
      { args: ['${env:HOST}'], env: { TOKEN: '${env:GITHUB_TOKEN}', SHELL: '$a' } },
    ]);
  });

  it('is secret in a header, whatever it is called', () => {
    const [question] = questionsOf({ mcpServers: { a: { url: 'https://a.test', headers: { X: '${A}' } } } });
    expect(question).toEqual({ id: 'env:A', label: 'A', secret: true });
  });

  it('has Claude Code’s defaults', () => {
    const questions = questionsOf({ mcpServers: { a: { url: '${BASE:-https://a.test}/mcp' } } });
    expect(questions).toEqual([{ id: 'env:BASE', label: 'BASE', secret: false, default: 'https://a.test' }]);
  });

  it('is asked for as a secret without what the file itself gives for it, but for none at all', () => {
    const inputs = [{ type: 'promptString', id: 'a', password: true, default: 'https://b.test/' }];
    const args = ['${input:a}', '${API_TOKEN:-https://b.test/}', '${OTHER_TOKEN:-}', '${REGION:-eu}'];
    const url = { url: 'https://a.test', headers: { 'x-region': '${REGION}' } };
    expect(questionsOf({ inputs, mcpServers: { a: { command: 'x', args }, b: url } })).toEqual([
      { id: 'input:a', label: 'a', secret: true },
      { id: 'env:API_TOKEN', label: 'API_TOKEN', secret: true },
      { id: 'env:OTHER_TOKEN', label: 'OTHER_TOKEN', secret: true, default: '' },
      { id: 'env:REGION', label: 'REGION', secret: true },
    ]);
  });

  it('is no secret that is to be chosen from a list of the file’s', () => {
    const inputs = [{ id: 'a', password: true, default: 'eu', options: ['eu', 'us'] }];
    expect(questionsOf({ inputs, mcpServers: { a: { command: 'x', args: ['${input:a}'] } } })).toEqual([
      { id: 'input:a', label: 'a', secret: false, default: 'eu', options: ['eu', 'us'] },
    ]);
  });

  it('is asked for as VS Code’s inputs describe it', () => {
    const inputs = [
      { type: 'promptString', id: 'key', description: 'Key of the service', password: true },
      { type: 'pickString', id: 'region', options: ['eu', { label: 'US', value: 'us' }], default: 'eu' },
      { id: 3 },
      null,
    ];
    const env = { KEY: '${input:key}', REGION: '${input:region}', OTHER: '${input:other}' };
    expect(questionsOf({ inputs, servers: { a: { command: 'x', env } } })).toEqual([
      { id: 'input:key', label: 'Key of the service', secret: true },
      { id: 'input:region', label: 'region', secret: false, default: 'eu', options: ['eu', 'us'] },
      { id: 'input:other', label: 'other', secret: true },
    ]);
  });

  it('and only an editor knows, is said and not asked', () => {
    const entry = {
      command: 'x',
      args: ['${workspaceFolder}/a', '${command:pick}'],
      cwd: '${workspaceFolder}',
    };
    const server = only({ servers: { a: entry } });
    expect(server.usable).toBe(true);
    expect(server.input).not.toHaveProperty('cwd');
    expect(server.input).toMatchObject({ args: entry.args });
    expect(server.problems).toEqual([
      'Left out: its working directory, ${workspaceFolder}.',
      'Portside can’t fill in ${workspaceFolder}. Edit the server after adding it.',
      'Portside can’t fill in ${command:pick}. Edit the server after adding it.',
    ]);
  });
});

describe('a working directory', () => {
  it.each(['/srv', '~', '~/src', 'C:\\src', 'c:/src', '\\\\nas\\src', '${env:SRC}/a'])(
    'is taken: %s',
    (cwd) => {
      const { input, problems } = only({ servers: { a: { command: 'x', cwd } } });
      expect([input, problems]).toMatchObject([{ cwd }, []]);
    },
  );

  it.each(['src', './src', '..', '~ada/src', 'C:src'])(
    'that is no whole path is left out, and said: %s',
    (cwd) => {
      const { input, problems, usable } = only({ servers: { a: { command: 'x', cwd } } });
      expect(usable).toBe(true);
      expect(input).not.toHaveProperty('cwd');
      expect(problems).toEqual([
        `Left out: its working directory, ${cwd}, which is not a full path. Without one it starts in your home folder.`,
      ]);
    },
  );
});

describe('a server that can’t be added', () => {
  it.each([
    ['nothing to reach', {}, 'It has neither a command nor an address.'],
    ['no object', 'npx', 'It has neither a command nor an address.'],
    ['a command that is no text', { command: { a: 1 } }, 'It has neither a command nor an address.'],
    ['arguments in one text', { command: 'x', args: '-y a' }, 'Its arguments are not a list of strings.'],
    ['an argument that is no text', { command: 'x', args: [{}] }, 'Its arguments are not a list of strings.'],
    ['a type but no address', { type: 'http' }, 'Its address is missing.'],
    ['a WebSocket', { url: 'wss://a.test' }, 'Its address does not start with https:// or http://.'],
    ['a script', { url: 'javascript:alert(1)' }, 'Its address does not start with https:// or http://.'],
    [
      'a password in its address',
      { url: 'https://me:pw@a.test/' },
      'Its address contains a user name or a password, which a browser does not send: use a header.',
    ],
  ])('has %s, and stays in the list with the reason', (_what, entry, problem) => {
    const server = only({ mcpServers: { a: entry } });
    expect(server.usable).toBe(false);
    expect(server.problems).toEqual([problem]);
  });
});

describe('a file that means no good', () => {
  it('that is no JSON is told where', () => {
    expect(refusal('{\n  "mcpServers": {\n    "a": {"command": "x" "args": []}\n  }\n}')).toMatchObject({
      code: 'bad_config',
      message: 'This isn’t valid JSON: on line 3, column 26, a comma is missing.',
    });
    expect(refusal('"a": {"url": }').message).toBe(
      'This isn’t valid JSON: on line 1, column 14, a value is missing.',
    );
    expect(refusal('mcp_servers:\n  - a').message).toMatch(/^This isn’t valid JSON: on line 1, column 1/);
  });

  it.each(['{}', '[]', '12', 'null', '{"mcpServers": {}}', '{"mcpServers": 3}', '{"a": {"b": 1}}'])(
    'that has no servers in it says so: %s',
    (text) => expect(refusal(text).message).toBe('No servers were found in this.'),
  );

  it('is turned away when it is too much', () => {
    const many = (count: number, entry: object) =>
      JSON.stringify({ mcpServers: Object.fromEntries(Array.from({ length: count }, (_, i) => [i, entry])) });
    expect(refusal(many(10_000, { command: 'x' })).message).toBe(
      'This contains 10,000 servers. Portside can add up to 500 at once.',
    );
    expect(refusal(' '.repeat(2_000_001)).message).toMatch(/longer/);
    expect(refusal('['.repeat(500_000)).message).toMatch(/nested|not JSON/);
    const env = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`A${i}`, `\${B${i}}`]));
    expect(refusal(many(1, { command: 'x', env })).message).toMatch(/leaves more than/);
  });

  it('cannot reach an object’s prototype', () => {
    const file =
      '{"__proto__": {"url": "https://p.test"}, "mcpServers": {"__proto__": {"command": "x", "env": {"__proto__": "y"}}, "constructor": {"url": "https://c.test"}}}';
    const { servers } = readText(file);
    expect(servers.map(({ input }) => input.name)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['url']).toBeUndefined();
    expect(only('{"mcpServers": {"a": {"__proto__": {"command": "x"}}}}').usable).toBe(false);
  });

  it('loses headers and variables that could not be sent, and says which', () => {
    const headers = { 'X A': 'b', 'X-Line': 'a\nb', 'X-Null': null, 'X-Ok': 'c' };
    const server = only({ mcpServers: { a: { url: 'https://a.test', headers, env: { A: 'b' } } } });
    expect(server.input).toMatchObject({ headers: { 'X-Ok': 'c' } });
    expect(server.problems).toEqual(['Left out of its headers: X A, X-Line, X-Null.', 'Left out: env.']);
    expect(problemsOf({ command: 'x', env: ['A=b'] })).toEqual([
      'Left out: its environment, which must be given as names with values.',
    ]);
  });

  it('loses the headers that a browser never sends, asks nothing for them, and says why', () => {
    const headers = {
      Authorization: 'Bearer x',
      cookie: 'a=${SESSION}',
      'User-Agent': 'me',
      'Sec-Mine': '1',
    };
    const server = only({ mcpServers: { a: { url: 'https://a.test', headers } } });
    expect(server).toMatchObject({ usable: true, input: { headers: { Authorization: 'Bearer x' } } });
    expect(server.input).not.toHaveProperty(['headers', 'cookie']);
    expect(server.problems).toEqual([
      'Left out of its headers: cookie, User-Agent, Sec-Mine. Browsers set these themselves or never send them.',
    ]);
    expect(questionsOf({ mcpServers: { a: { url: 'https://a.test', headers } } })).toEqual([]);
  });

  it('is warned of when an address holds a secret', () => {
    expect(problemsOf({ url: 'https://a.test/mcp?api_key=abc&page=1' })).toEqual([
      'Its address contains what looks like a secret (api_key), and addresses are not hidden: use a header if the server accepts one.',
    ]);
  });

  it('is not warned of when that is asked for as a secret, which is kept as one', () => {
    const inputs = [
      { type: 'promptString', id: 'a', password: true },
      { type: 'promptString', id: 'b' },
    ];
    const problems = (query: string): string[] =>
      only({ inputs, mcpServers: { x: { url: `https://a.test/mcp?${query}` } } }).problems;
    expect(problems('token=${input:a}&page=1')).toEqual([]);
    expect(problems('token=${env:API_KEY}')).toEqual([]);
    for (const shown of ['token=${input:b}', 'token=mine-${input:a}', 'token=${input:a}&token=b'])
      expect(problems(shown)).toEqual([expect.stringContaining('looks like a secret (token)')]);
  });

  it('is refused with what no program can get, or loses it', () => {
    const args = only({ mcpServers: { a: { command: 'x', args: ['a\0b'] } } });
    expect(args).toMatchObject({ usable: false, problems: ['Its arguments are not a list of strings.'] });
    const env = only({ mcpServers: { a: { command: 'x', env: { A: 'a\0b', B: 'b' } } } });
    expect(env).toMatchObject({ input: { env: { B: 'b' } }, problems: ['Left out of its environment: A.'] });
  });

  it('never breaks the reading, whatever stands where', () => {
    const keys = constantFrom('mcpServers', 'servers', 'mcp', 'inputs', 'command', 'url', 'args', 'env', 'a');
    const { value } = letrec<{ value: unknown }>((tie) => ({
      value: oneof(
        { depthSize: 'medium', withCrossShrink: true },
        constantFrom(null, 1, true, '', '${A}', '${input:', 'https://a.test', '${}'),
        array(tie('value'), { maxLength: 3 }),
        dictionary(keys, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const seen = new Set<string>();
    const look = (file: unknown): string => {
      try {
        const { servers } = readText(JSON.stringify(file));
        return servers.every(({ usable, problems }) => usable || problems.length > 0) ? 'read' : 'no reason';
      } catch (error) {
        return toWire(error).code;
      }
    };
    assert(
      property(value, (file) => void seen.add(look(file))),
      { numRuns: 500 },
    );
    expect([...seen].toSorted()).toEqual(['bad_config', 'read']);
  });
});

describe('an export', () => {
  const servers: Server[] = [
    {
      ...common,
      id: 1,
      name: 'GitHub',
      transport: 'streamable-http',
      url: 'https://a.test/mcp',
      headerNames: ['Authorization'],
      oauthClient: { id: 'me', hasSecret: true },
    },
    { ...common, id: 2, name: 'GitHub', transport: 'sse', url: 'https://b.test/sse', headerNames: [] },
    {
      ...common,
      id: 3,
      name: 'Files',
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'files'],
      cwd: '/srv',
      envNames: ['API_KEY'],
    },
  ];
  const secrets = { 1: { headers: { Authorization: 'Bearer top' } }, 3: { env: { API_KEY: 'hush' } } };

  it('is read again as it was, its secrets asked for', () => {
    const text = exportConfig(servers);
    expect(text).not.toMatch(/top|hush/);
    const again = readText(text);
    expect(again.servers.map(({ input, problems }) => [input, problems])).toMatchObject([
      [
        {
          name: 'GitHub',
          transport: 'streamable-http',
          url: 'https://a.test/mcp',
          headers: { Authorization: '${input:github-1-authorization}' },
          oauthClient: { id: 'me', secret: '${input:github-1-oauth-client-secret}' },
        },
        [],
      ],
      [{ name: 'GitHub 2', transport: 'sse', url: 'https://b.test/sse' }, []],
      [{ name: 'Files', transport: 'stdio', command: 'npx', args: ['-y', 'files'], cwd: '/srv' }, []],
    ]);
    expect(again.questions.map(({ label, secret }) => [label, secret])).toEqual([
      ['Authorization for GitHub', true],
      ['OAuth client secret for GitHub', true],
      ['API_KEY for Files', true],
    ]);
  });

  it('has the secrets only if they are given', () => {
    const again = readText(exportConfig(servers.slice(1), secrets));
    expect(again.questions).toEqual([]);
    expect(again.servers[1]?.input).toMatchObject({ env: { API_KEY: 'hush' } });
  });

  it('opens a client’s id that was asked for as a password, and has it only if secrets are asked for', () => {
    const [first] = servers;
    const client = {
      ...first,
      oauthClient: { id: '${input:id}', hasSecret: false },
      answerNames: ['input:id'],
    };
    const idIn = (...more: [] | [ServerSecrets]): unknown =>
      JSON.parse(exportConfig([client as Server], ...more)).mcpServers.GitHub.oauth.clientId;
    expect(idIn()).toBe('${input:github-1-id}');
    expect(idIn({ 1: { answers: { 'input:id': 'hush' } } })).toBe('hush');
  });

  const secret = 'hush-1';
  const program = (...args: string[]): Server => ({
    ...common,
    id: 4,
    name: 'Any',
    transport: 'stdio',
    command: 'npx',
    args,
    envNames: [],
  });
  const argsIn = (text: string): unknown => JSON.parse(text).mcpServers.Any.args;

  it.each<[string[], string[]]>([
    [
      ['--api-key', secret],
      ['--api-key', '${input:any-4-api-key}'],
    ],
    [[`--token=${secret}`], ['--token=${input:any-4-token}']],
    [
      ['-e', `API_KEY=${secret}`],
      ['-e', 'API_KEY=${input:any-4-api_key}'],
    ],
    [
      ['--header', `X-Any: ${secret}`],
      ['--header', 'X-Any: ${input:any-4-x-any}'],
    ],
    [[`Authorization:Bearer ${secret}`], ['Authorization:${input:any-4-authorization}']],
    [[`{"apiKey": "${secret}", "n": "1"}`], ['{"apiKey": "${input:any-4-apikey}", "n": "1"}']],
    [[`postgres://me:${secret}@db.test/x`], ['postgres://me:${input:any-4-password}@db.test/x']],
    [[`https://a.test/?key=${secret}&v=1`], ['https://a.test/?key=${input:any-4-key}&v=1']],
    [
      [`--token=${secret}`, `--token=${secret}`],
      ['--token=${input:any-4-token}', '--token=${input:any-4-token-2}'],
    ],
    [[`--env=API_TOKEN=${secret}`], ['--env=API_TOKEN=${input:any-4-api_token}']],
    [[`--header=X-Any: ${secret}`], ['--header=X-Any: ${input:any-4-x-any}']],
    [
      ['--bearer', secret, '--pw', secret],
      ['--bearer', '${input:any-4-bearer}', '--pw', '${input:any-4-pw}'],
    ],
    [
      ['--say', `Bearer ${secret}`],
      ['--say', 'Bearer ${input:any-4-token}'],
    ],
    [
      ['--connection', `Server=h;Password=${secret};`],
      ['--connection', 'Server=h;Password=${input:any-4-password};'],
    ],
    [[`host=h password=${secret} user=me`], ['host=h password=${input:any-4-password} user=me']],
    [
      ['--access', `ghp_0123456789abcdef${secret}`],
      ['--access', '${input:any-4-token}'],
    ],
    [[`https://a.test/mcp#token=${secret}`], ['https://a.test/mcp#token=${input:any-4-token}']],
  ])('opens the secret in %j, unless secrets are asked for', (args, opened) => {
    const text = exportConfig([program(...args)]);
    expect(text).not.toContain(secret);
    expect(argsIn(text)).toEqual(opened);
    expect(readText(text).questions.every((question) => question.secret)).toBe(true);
    expect(argsIn(exportConfig([program(...args)], {}))).toEqual(args);
  });

  it('opens what arguments refer to, and has it only if secrets are asked for', () => {
    const args = ['--key=${input:key}', '-H', 'Authorization: Bearer ${input:key}', '${HOME}'];
    const server = { ...program(...args), answerNames: ['input:key'] };
    const text = exportConfig([server]);
    expect(argsIn(text)).toEqual([
      '--key=${input:any-4-key}',
      '-H',
      'Authorization: Bearer ${input:any-4-key}',
      '${HOME}',
    ]);
    expect(readText(text).questions).toContainEqual({
      id: 'input:any-4-key',
      label: 'key for Any',
      secret: true,
    });
    expect(argsIn(exportConfig([server], { 4: { answers: { 'input:key': secret } } }))).toEqual([
      `--key=${secret}`,
      '-H',
      `Authorization: Bearer ${secret}`,
      '${HOME}',
    ]);
  });

  it.each([
    [['-y', '@scope/server-files', '/home/me', '--port=3000', '--name', 'me', 'C:\\files']],
    [['--api-key', '${API_KEY}', '--verbose', '--token', '--quiet']],
    [['--env=A=b', '--header=X-Any: ${ANY}', 'Server=h;Port=1', 'sk-1', '--url=https://a.test/#top']],
  ])('leaves %j as it is', (args) => {
    expect(argsIn(exportConfig([program(...args)]))).toEqual(args);
  });

  it('opens what the query of an address calls a key, and is read again with it asked for', () => {
    const [server] = servers as [Extract<Server, { url: string }>];
    const url = `https://a.test/mcp?api_key=${secret}&team=blue`;
    const text = exportConfig([{ ...server, url }]);
    expect(text).not.toContain(secret);
    expect(readText(text).servers[0]).toMatchObject({
      usable: true,
      input: { url: 'https://a.test/mcp?api_key=${input:github-1-api_key}&team=blue' },
    });
    expect(exportConfig([{ ...server, url }], secrets)).toContain(url);
  });

  it('opens what an address refers to, and has it only if secrets are asked for', () => {
    const [first] = servers as [Extract<Server, { url: string }>];
    const server = { ...first, url: 'https://a.test/${input:key}/mcp', answerNames: ['input:key'] };
    expect(JSON.parse(exportConfig([server])).mcpServers.GitHub.url).toBe(
      'https://a.test/${input:github-1-key}/mcp',
    );
    const known = { 1: { ...secrets[1], answers: { 'input:key': secret } } };
    expect(exportConfig([server], known)).toContain(`https://a.test/${secret}/mcp`);
  });

  it('of nothing is a file without servers', () => {
    expect(JSON.parse(exportConfig([]))).toEqual({ mcpServers: {} });
  });
});
