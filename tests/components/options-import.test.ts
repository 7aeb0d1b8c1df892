import { describe, expect, it } from 'vitest';
import {
  answerTo,
  checkImport,
  emptyImport,
  type ImportDraft,
  isTicked,
  questionsOf,
} from '../../components/options/import/import-input.ts';
import type { ConfiguredServer, ServerConfig } from '../../lib/config-file/server-config.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';

const common = { enabled: false, toolTimeout: 30_000, trusted: false, oneAtATime: false };
const remote = (name: string, url: string, headers?: Record<string, string>): ServerInput => ({
  ...common,
  name,
  transport: 'streamable-http',
  url,
  ...(headers && { headers }),
});
const found = (input: ServerInput, more: Partial<ConfiguredServer> = {}): ConfiguredServer => ({
  key: input.name,
  input,
  problems: [],
  usable: true,
  ...more,
});
const draft = (more: Partial<ImportDraft> = {}): ImportDraft => ({ ...emptyImport, ...more });

const config: ServerConfig = {
  servers: [
    found(remote('a', 'https://${env:HOST}/mcp', { Authorization: 'Bearer ${input:key}' })),
    found({
      ...common,
      name: 'b',
      transport: 'stdio',
      command: 'x',
      args: ['${env:HOST}', '${workspaceFolder}'],
    }),
    found(remote('there', 'https://b.test', { X: '${env:OTHER}' }), { sameNameAs: 3 }),
    found(remote('bad', ''), { usable: false }),
  ],
  questions: [
    { id: 'env:HOST', label: 'HOST', secret: false, default: 'a.test' },
    { id: 'input:key', label: 'Key', secret: true },
    { id: 'env:OTHER', label: 'OTHER', secret: true },
  ],
};

describe('the servers of a file', () => {
  const ticked = (more: Partial<ImportDraft> = {}) =>
    config.servers.filter((server) => isTicked(server, draft(more))).map(({ input }) => input.name);

  it('are taken, unless they are there already or can’t be added', () => {
    expect(ticked()).toEqual(['a', 'b']);
  });

  it('are taken as the user says, but never one that can’t be added', () => {
    const ticks = new Map([
      ['a', false],
      ['there', true],
      ['bad', true],
    ]);
    expect(ticked({ ticks })).toEqual(['b', 'there']);
  });

  it('may have the names of an object’s own properties', () => {
    const server = found(remote('constructor', 'https://c.test'), { sameNameAs: 1 });
    expect(isTicked(server, draft())).toBe(false);
  });

  it('ask only for what the selected ones leave open', () => {
    const ids = (ticks: ImportDraft['ticks']) => questionsOf(config, draft({ ticks })).map(({ id }) => id);
    expect(ids(new Map())).toEqual(['env:HOST', 'input:key']);
    expect(ids(new Map([['a', false]]))).toEqual(['env:HOST']);
    expect(ids(new Map([['there', true]]))).toHaveLength(3);
  });

  it('say where each answer goes, also where the file asks for one server and uses it for another', () => {
    const servers = [
      found(remote('github', 'https://github.test/mcp', { Authorization: 'Bearer ${input:key}' })),
      found(remote('github.test', 'https://evil.test/mcp', { X: '${input:key}' })),
      found({
        ...common,
        name: 'p',
        transport: 'stdio',
        command: 'x',
        args: ['-y'],
        env: { K: '${input:key}' },
      }),
      found(remote('other', 'https://other.test')),
    ];
    const asked = questionsOf({ ...config, servers }, draft());
    expect(asked.map(({ places }) => places)).toEqual([['github.test', 'evil.test', 'x -y']]);
    expect(questionsOf(config, draft())[0]?.places).toEqual(['a.test', 'x ${env:HOST} ${workspaceFolder}']);
  });

  it('names the host that an answer completes, whatever it seems to be without that', () => {
    const hidden = remote('hidden', 'https://github.test${input:end}/mcp', { A: '${input:key}' });
    const questions = [
      { id: 'input:end', label: 'Version', secret: false, default: '.evil.test' },
      { id: 'input:key', label: 'GitHub token', secret: true },
    ];
    const file = { servers: [found(hidden)], questions };
    expect(questionsOf(file, draft())[1]?.places).toEqual(['github.test.evil.test']);
    const answers = new Map([['input:end', '']]);
    expect(questionsOf(file, draft({ answers }))[1]?.places).toEqual(['https://github.test${input:end}/mcp']);
  });
});

describe('the answers', () => {
  it('are in no name, which models and exports are told', () => {
    const servers = [found(remote('${input:key}', 'https://a.test/mcp', { X: '${input:key}' }))];
    const answers = new Map([['input:key', 's3cret']]);
    expect(checkImport({ ...config, servers }, draft({ answers }))).toEqual({
      inputs: [remote('${input:key}', 'https://a.test/mcp', { X: 's3cret' })],
    });
  });

  it('stand where the file left them open; a default needs no word', () => {
    const checked = checkImport(config, draft({ answers: new Map([['input:key', 's3cret']]) }));
    expect(checked).toEqual({
      inputs: [
        remote('a', 'https://a.test/mcp', { Authorization: 'Bearer s3cret' }),
        { ...common, name: 'b', transport: 'stdio', command: 'x', args: ['a.test', '${workspaceFolder}'] },
      ],
    });
  });

  it('that are secret stay out of a program’s arguments, which refer to them', () => {
    const key = { id: 'input:key', label: 'Key', secret: true };
    const team = { id: 'input:team', label: 'Team', secret: false };
    const program = {
      ...common,
      name: 'p',
      transport: 'stdio' as const,
      command: 'x',
      args: ['--key=${input:key}', '${input:team}'],
      env: { KEY: '${input:key}' },
    };
    const file = { servers: [found(program)], questions: [key, team] };
    const answers = new Map([
      ['input:key', '${input:team} hush'],
      ['input:team', 'blue'],
    ]);
    expect(checkImport(file, draft({ answers }))).toEqual({
      inputs: [
        {
          ...program,
          args: ['--key=${input:key}', 'blue'],
          env: { KEY: '${input:team} hush' },
          answers: { 'input:key': '${input:team} hush' },
        },
      ],
    });
  });

  it('that are secret stay out of an address, but for where it is', () => {
    const asked = (id: string) => ({ id: `input:${id}`, label: id, secret: true });
    const url = 'https://${input:host}.test/${input:key}?team=${input:team}';
    const file = {
      servers: [found(remote('a', url))],
      questions: [asked('host'), asked('key'), { ...asked('team'), secret: false }],
    };
    const answers = new Map(['host', 'key', 'team'].map((id) => [`input:${id}`, `my-${id}`]));
    expect(checkImport(file, draft({ answers }))).toEqual({
      inputs: [
        {
          ...remote('a', 'https://my-host.test/${input:key}?team=my-team'),
          answers: { 'input:key': 'my-key' },
        },
      ],
    });
  });

  it('reach a server as they are, whatever an address makes of their signs', () => {
    const asked = (id: string) => ({ id: `input:${id}`, label: id, secret: false });
    const url = '${input:base}/x/${input:path}?token=a-${input:token}&${input:more}';
    const file = {
      servers: [found(remote('a', url))],
      questions: ['base', 'path', 'token', 'more'].map(asked),
    };
    const answers = new Map([
      ['input:base', 'https://a.test:81'],
      ['input:path', 'b/c d?#'],
      ['input:token', 'a#b+c&d%zz é'],
      ['input:more', 'e=1&f=2'],
    ]);
    const checked = checkImport(file, draft({ answers }));
    const input = 'inputs' in checked ? checked.inputs[0] : undefined;
    const { origin, pathname, searchParams } = new URL(input && 'url' in input ? input.url : '');
    expect([origin, decodeURIComponent(pathname)]).toEqual(['https://a.test:81', '/x/b/c d?#']);
    expect([...searchParams]).toEqual([
      ['token', 'a-a#b+c&d%zz é'],
      ['e', '1'],
      ['f', '2'],
    ]);
  });

  it('are put in once: one that looks like a variable is none', () => {
    const answers = new Map([
      ['input:key', '${env:HOST} $& $1'],
      ['env:HOST', 'b.test'],
    ]);
    expect(checkImport(config, draft({ answers }))).toMatchObject({
      inputs: [{ url: 'https://b.test/mcp', headers: { Authorization: 'Bearer ${env:HOST} $& $1' } }, {}],
    });
  });

  it('may clear a default, and are missed where there is none', () => {
    const [host] = config.questions;
    const answers = new Map([['env:HOST', '']]);
    expect(host && answerTo(host, draft({ answers }))).toBe('');
    const checked = checkImport(config, draft());
    expect('faults' in checked && [...checked.faults.keys()]).toEqual(['input:key']);
  });

  it('must make an address of it', () => {
    const answers = new Map([
      ['input:key', 'k'],
      ['env:HOST', 'not a host'],
    ]);
    expect(checkImport(config, draft({ answers }))).toMatchObject({
      wrongAddress: expect.stringContaining('With these values, the address of “a” can’t be saved'),
    });
  });
  it('must make headers of it that can be sent; which one can’t is said at the question', () => {
    const answers = new Map([['input:key', 'two\nlines ☃']]);
    const checked = checkImport(config, draft({ answers }));
    expect('faults' in checked && [...checked.faults]).toEqual([
      [
        'input:key',
        'The header Authorization of a can’t have this value: headers take one line of plain characters',
      ],
    ]);
  });

  describe.each<[string, Partial<Record<string, unknown>>, string, string]>([
    [
      'a whole path of a working directory',
      { command: 'x', args: [], cwd: '${input:a}/data' },
      'src',
      'With this, “p” would start in src/data, which is not a full path, such as /home/you/project or C:\\project',
    ],
    ['a command', { command: '${input:a}', args: [] }, ' ', 'Without this, “p” has no command to start'],
    [
      'a client ID',
      { transport: 'streamable-http', url: 'https://a.test', oauthClient: { id: '${input:a}' } },
      ' ',
      'Without this, “p” has no client ID to sign in with',
    ],
  ])('must make %s', (_, fields, answer, why) => {
    const other = found(remote('other', 'https://b.test'));
    const server = { ...common, name: 'p', transport: 'stdio', ...fields } as ServerInput;
    const questions = [{ id: 'input:a', label: 'A', secret: false }];
    const checked = (value: string) =>
      checkImport(
        { servers: [found(server), other], questions },
        draft({ answers: new Map([['input:a', value]]) }),
      );

    it('which is said at the question, with the server’s name', () => {
      expect(checked(answer)).toMatchObject({ faults: new Map([['input:a', why]]) });
    });

    it('and is taken where it does', () => {
      expect(checked('/srv')).toMatchObject({ inputs: [{ name: 'p' }, { name: 'other' }] });
    });
  });

  it('that are secret are not told where they make no folder', () => {
    const server = {
      ...common,
      name: 'p',
      transport: 'stdio',
      command: 'x',
      args: [],
      cwd: '${input:a}/x',
    } as ServerInput;
    const questions = [{ id: 'input:a', label: 'A', secret: true }];
    const answers = new Map([['input:a', 'hush']]);
    const checked = checkImport({ servers: [found(server)], questions }, draft({ answers }));
    const why = 'faults' in checked ? checked.faults.get('input:a') : undefined;
    expect(why).toContain('would start in ${input:a}/x, which is not');
  });

  it('must make an address without a password, which a browser would not send', () => {
    const server = found(remote('a\u202eb', '${input:base}/mcp'));
    const questions = [{ id: 'input:base', label: 'Base', secret: false }];
    const answers = new Map([['input:base', 'https://me:hush@a.test']]);
    expect(checkImport({ servers: [server], questions }, draft({ answers }))).toMatchObject({
      wrongAddress: expect.stringMatching(
        /the address of “a\\u202eb” can’t be saved: .* no user name or password$/,
      ),
    });
  });

  it('that are secret stay out of a client’s id, which refers to them', () => {
    const secret = { id: 'input:key', label: 'Key', secret: true };
    const client = { id: '${input:key}', secret: '${input:key}' };
    const server = { ...remote('a', 'https://a.test'), oauthClient: client } as ServerInput;
    const answers = new Map([['input:key', 'hush-hush']]);
    expect(checkImport({ servers: [found(server)], questions: [secret] }, draft({ answers }))).toEqual({
      inputs: [
        { ...server, oauthClient: { ...client, secret: 'hush-hush' }, answers: { 'input:key': 'hush-hush' } },
      ],
    });
  });
});
