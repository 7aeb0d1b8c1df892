import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkImport, emptyImport } from '../../components/options/import/import-input.ts';
import { readServerConfig } from '../../lib/config-file/read-config.ts';
import { readRegistry } from '../../lib/config-file/registry-entry.ts';
import { isRegistryPage, type RegistryChoice } from '../../lib/types/registry.ts';
import { registryPage } from '../fakes/registry-answers.ts';
import '../properties.ts';

const entryOf = (server: object, status = 'active') => ({
  server: { name: 'com.example/tools', description: 'Tools.', version: '1.0.0', ...server },
  _meta: { 'io.modelcontextprotocol.registry/official': { status, isLatest: true } },
});
const choicesOf = (server: object): RegistryChoice[] =>
  readRegistry({ servers: [entryOf(server)] }).entries[0]?.choices ?? [];
const npm = (more: object) => ({
  packages: [{ registryType: 'npm', identifier: '@a/b', version: '1.2.3', ...more }],
});

/** What a choice adds, with these answers to what it asks. */
function added(choice: RegistryChoice | undefined, answers: Record<string, string> = {}) {
  const config = readServerConfig(choice?.config ?? '', []);
  const given = new Map(Object.entries(answers).map(([id, value]) => [`input:${id}`, value]));
  const checked = checkImport(config, { ...emptyImport, answers: given });
  return 'inputs' in checked ? checked.inputs[0] : checked.faults;
}

describe('a page of a registry', () => {
  it('lists its servers with the ways to use them, and where the next page begins', () => {
    const { entries, next } = readRegistry(registryPage);
    expect(next).toBe('com.pulsemcp.mirror/github:0.6.2');
    expect(entries.map(({ title, isDeprecated }) => [title, isDeprecated])).toEqual([
      ['Notion', false],
      ['github-mcp-server', false],
      ['filesystem', true],
      ['bundle', false],
    ]);
    expect(entries.map(({ choices }) => choices.map(({ by, what }) => `${by} ${what}`))).toEqual([
      ['mcp.notion.com https://mcp.notion.com/mcp', 'mcp.notion.com https://mcp.notion.com/sse'],
      [
        'api.githubcopilot.com https://api.githubcopilot.com/mcp/',
        'docker ghcr.io/github/github-mcp-server:0.13.0',
      ],
      ['npx @modelcontextprotocol/server-filesystem', 'uvx mcp-filesystem', 'docker mcp/filesystem'],
      [],
    ]);
    expect(entries[1]?.website).toBe('https://github.com/github/github-mcp-server');
  });

  it('leaves out what was deleted', () => {
    const old = { server: { name: 'a/b', status: 'deleted' } };
    expect(readRegistry({ servers: [entryOf({}, 'deleted'), old] })).toEqual({ entries: [] });
  });

  it.each([undefined, null, 5, '', [], {}, { servers: {} }, '<html>'])('is none: %j', (value) =>
    expect(isRegistryPage(value)).toBe(false),
  );

  it('is read without a throw, whatever it holds, and what it offers is a configuration', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom('npm', 'pypi', 'oci', 'named', 'positional', '{a}', 'stdio'),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ depthSize: 'small' }, texts, fc.anything(), fc.array(tie('any')), tie('fields')),
      fields: fc.dictionary(
        fc.constantFrom(
          ...'name identifier registryType version type value default variables isRequired choices url'.split(
            ' ',
          ),
          ...'runtimeArguments packageArguments environmentVariables headers transport valueHint'.split(' '),
        ),
        tie('any'),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value.fields), fc.array(value.fields), (packages, remotes) => {
        const server = { name: 'a/b', packages, remotes };
        for (const { config } of readRegistry({ servers: [{ server }] }).entries[0]?.choices ?? [])
          expect(readServerConfig(config, []).servers).toHaveLength(1);
      }),
    );
  });
});

describe('a server of a registry', () => {
  it('at an address is asked for what its address and its headers leave open, secrets apart', () => {
    const [choice] = choicesOf({
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://{region}.example.com/mcp?x={other}',
          variables: { region: { description: 'Region', choices: ['eu', 'us'], default: 'eu' } },
          headers: [
            {
              name: 'Authorization',
              value: 'Bearer {token}',
              variables: { token: { isSecret: true, isRequired: true } },
            },
            { name: 'X-Team', description: 'Your team' },
            { name: 'X-Fixed', value: 'yes' },
          ],
        },
      ],
    });
    expect(readServerConfig(choice?.config ?? '', []).questions).toEqual([
      { id: 'input:region', label: 'region: Region', secret: false, default: 'eu', options: ['eu', 'us'] },
      { id: 'input:token', label: 'token', secret: true },
      { id: 'input:X-Team', label: 'X-Team: Your team', secret: false, default: '' },
    ]);
    expect(added(choice)).toEqual(new Map([['input:token', expect.any(String)]]));
    expect(added(choice, { token: 's3cret' })).toMatchObject({
      enabled: false,
      trusted: false,
      url: 'https://eu.example.com/mcp?x={other}',
      headers: { Authorization: 'Bearer s3cret', 'X-Fixed': 'yes' },
    });
    expect(added(choice, { token: 's', 'X-Team': 'a' })).toMatchObject({ headers: { 'X-Team': 'a' } });
  });

  it('in a package is what npx starts, with its arguments; what is optional and open is left out', () => {
    const [choice] = choicesOf(
      npm({
        runtimeHint: 'rm -rf',
        transport: { type: 'stdio' },
        runtimeArguments: [{ type: 'named', name: '--node-options', value: '--max-old-space-size=64' }],
        packageArguments: [
          { type: 'positional', value: 'start' },
          { type: 'named', name: '--root', isRequired: true, format: 'filepath' },
          { type: 'named', name: '--port' },
          { type: 'positional', valueHint: 'dir', default: '/srv' },
        ],
        environmentVariables: [
          { name: 'KEY', isSecret: true, isRequired: true },
          { name: 'LEVEL', description: 'Log level' },
        ],
      }),
    );
    expect(choice).toMatchObject({ by: 'npx', what: '@a/b', leftOut: ['--port'] });
    expect(added(choice, { '--root': '/home', root: '/home', KEY: 'k' })).toMatchObject({
      name: 'tools',
      enabled: false,
      command: 'npx',
      args: [
        '-y',
        '--node-options',
        '--max-old-space-size=64',
        '@a/b@1.2.3',
        'start',
        '--root',
        '/home',
        '/srv',
      ],
      env: { KEY: 'k' },
    });
    expect(added(choice, { root: '/home', KEY: 'k' })).not.toHaveProperty('env.LEVEL');
    expect(added(choice, { root: '/home', KEY: 'k', LEVEL: 'debug' })).toHaveProperty('env.LEVEL', 'debug');
  });

  it('in a container gets its environment by name', () => {
    const [choice] = choicesOf({
      packages: [
        {
          registryType: 'oci',
          identifier: 'ghcr.io/a/b',
          version: '2.0',
          runtimeArguments: [
            { type: 'positional', value: 'run' },
            { type: 'named', name: '-e', value: 'MODE={mode}', variables: { mode: { default: 'fast' } } },
          ],
          environmentVariables: [
            { name: 'TOKEN', isRequired: true, isSecret: true },
            { name: 'MODE' },
            { name: 'M', isRequired: true }, // as another begins that is set already
          ],
        },
      ],
    });
    expect(added(choice, { TOKEN: 't', M: 'm' })).toMatchObject({
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', 'TOKEN', '-e', 'M', '-e', 'MODE=fast', 'ghcr.io/a/b:2.0'],
      env: { TOKEN: 't', M: 'm' },
    });
  });

  it.each([
    ['an option', npm({ identifier: '--call=rm' })],
    ['an address', npm({ identifier: 'https://evil.example/x.tgz' })],
    ['a repository', npm({ identifier: 'github:evil/x' })],
    ['a path', npm({ identifier: '../x' })],
    ['two words', npm({ identifier: 'a b' })],
    ['an option of docker', { packages: [{ registryType: 'oci', identifier: '--privileged' }] }],
    ['an option of uvx', { packages: [{ registryType: 'pypi', identifier: '--from=x' }] }],
    ['of a package registry of its own', npm({ registryBaseUrl: 'https://npm.example' })],
    ['a bundle', { packages: [{ registryType: 'mcpb', identifier: 'https://a.example/x.mcpb' }] }],
    ['a server of its own', npm({ transport: { type: 'streamable-http', url: 'http://localhost:1/' } })],
    ['no address of the web', { remotes: [{ type: 'sse', url: 'javascript:alert(1)' }] }],
  ])('is offered in no way that is %s', (_what, server) => expect(choicesOf(server)).toEqual([]));

  it('in a registry of images of its own is named by it', () => {
    const of = (more: object) => choicesOf({ packages: [{ registryType: 'oci', version: '1', ...more }] });
    const image = (more: object) => Object(added(of(more)[0])).args.at(-1);
    expect(image({ identifier: 'a/b', registryBaseUrl: 'https://ghcr.io' })).toBe('ghcr.io/a/b:1');
    expect(image({ identifier: 'ghcr.io/a/b', registryBaseUrl: 'https://ghcr.io' })).toBe('ghcr.io/a/b:1');
    expect(image({ identifier: 'a/b', registryBaseUrl: 'https://docker.io' })).toBe('a/b:1');
  });

  it('whose version is none is started without', () => {
    const [choice] = choicesOf(npm({ version: '1.0 --call=rm' }));
    expect(added(choice)).toMatchObject({ args: ['-y', '@a/b'] });
  });
});
