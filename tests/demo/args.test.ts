import { describe, expect, it } from 'vitest';
import { parseStartArgs, UsageError } from '../../scripts/start/args.ts';

const parse = (...args: string[]) => parseStartArgs(args, {});
const ask = ['--headless', '--ask', 'Hi'];

describe('the command line of npm start', () => {
  it('needs no flag at all', () => {
    expect(parse()).toMatchObject({ headless: false, servers: [], model: {}, timeout: 120 });
  });

  it('reads every flag', () => {
    const flags =
      '--model m --base-url http://h/v1 --api-key k --approve none --max-iterations 3 --tool-timeout 500';
    const servers = ['--server', 'http://a/mcp', '--server', 'https://b/sse,sse', '--header', 'X-Key: a: b'];
    expect(
      parse(...ask, '--ask', 'Bye', ...flags.split(' '), ...servers, '--json', '--timeout', '9'),
    ).toEqual({
      headless: true,
      ask: ['Hi', 'Bye'],
      model: { name: 'm', baseUrl: 'http://h/v1', apiKey: 'k' },
      servers: [
        { url: 'http://a/mcp', transport: 'streamable-http' },
        { url: 'https://b/sse', transport: 'sse' },
      ],
      headers: { 'X-Key': 'a: b' },
      approve: 'none',
      approveByDefault: false,
      maxIterations: 3,
      toolTimeout: 500,
      json: true,
      timeout: 9,
    });
  });

  it('reads a program with its arguments, as a shell would cut them', () => {
    const { servers } =
      parseStartArgs(['--server', 'stdio:npx -y "@a/b" \'a b\''], { INIT_CWD: '/here' }) ?? {};
    expect(servers).toEqual([
      { transport: 'stdio', command: 'npx', args: ['-y', '@a/b', 'a b'], cwd: '/here' },
    ]);
  });

  it('takes the model from the environment, and a flag before it', () => {
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://h/v1', PORTSIDE_MODEL: 'm' };
    expect(parseStartArgs([], env)?.model).toEqual({ apiKey: 'k', baseUrl: 'http://h/v1', name: 'm' });
    expect(parseStartArgs(['--model', 'demo'], env)?.model.name).toBe('demo');
  });

  it.each([
    [['--frob'], '--frob'],
    [['--headless'], '--ask'],
    [['--ask', 'Hi'], '--headless'],
    [['--json'], '--headless'],
    [[...ask, '--ask', ' '], '--ask'],
    [[...ask, '--approve', 'some'], '--approve'],
    [[...ask, '--max-iterations', '51'], '1 to 50'],
    [[...ask, '--tool-timeout', '1s'], '--tool-timeout'],
    [[...ask, '--timeout', '0'], '--timeout'],
    [[...ask, '--server', 'localhost:3000'], '--server'],
    [[...ask, '--header', 'X: y'], '--server'],
    [[...ask, '--server', 'stdio: '], 'COMMAND'],
    [[...ask, '--server', 'stdio:x', '--header', 'X: y'], '--server'],
    [[...ask, '--server', 'http://a', '--header', 'secret'], '"NAME: VALUE"'],
    [[...ask, '--base-url', 'ftp://h'], '--base-url'],
    [[...ask, '--model', 'gpt'], '--base-url'],
  ])('refuses %j and names %s', (args, named) => {
    expect(() => parseStartArgs(args, {})).toThrow(UsageError);
    expect(() => parseStartArgs(args, {})).toThrow(named);
  });

  it.each([
    [['--header', 'Authorization Bearer sk-secret'], 'The first --header'],
    [['--header', 'X: y', '--header', 'sk-secret'], 'The second --header'],
    [['--header', 'sk secret: y'], 'The first --header'],
    [['--header', 'Authorization:', 'Bearer', 'sk-secret'], 'quotes'],
    [['--api-key', 'k', 'sk-secret'], 'quotes'],
    [['--api-key', '-sk-secret'], '--api-key'],
    [['--apikey=sk-secret'], '--apikey'],
    [['--server', 'user:sk-secret@a/mcp'], 'The second --server'],
    [['--server', 'http://user:sk-secret@a b/mcp'], 'The second --server'],
    [['--server', 'http://user:sk-secret@a/mcp,sse'], '--header'],
    [['--server', 'http://sk-secret@a/mcp'], 'Take the user name and password out of the address'],
    [['--base-url', 'user:sk-secret@h'], 'The --base-url'],
    [['--base-url', 'https://:sk-secret@h/v1'], 'Take the user name and password out of the address'],
  ])('never repeats a secret: %j is refused for %s', (args, named) => {
    const server = ['--server', 'http://a'];
    const refused = () => parse(...ask, ...server, ...args);
    expect(refused).toThrow(named);
    expect(refused).not.toThrow(/sk.secret|Bearer sk/);
  });

  it('never repeats a secret of the environment', () => {
    const refused = (url: string) => () => parseStartArgs([], { OPENAI_BASE_URL: url });
    expect(refused('user:sk-secret@h')).toThrow(/^OPENAI_BASE_URL is no http\(s\) URL\.$/);
    expect(refused('http://user:sk-secret@h')).toThrow(/^Take the user name and password out/);
  });
});
