import { describe, expect, it } from 'vitest';
import { parseHeaders } from '../../components/options/form/headers-input.ts';
import { checkServer, draftOf, faultsOf, movedTo } from '../../components/options/servers/input.ts';
import { parseArgs, parseEnv } from '../../components/options/servers/program-input.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';
import type { RemoteServer, StdioServer } from '../../lib/types/server.ts';

const common = { id: 3, name: 'A', enabled: true, toolTimeout: 30_000, trusted: false, oneAtATime: false };
const remote: RemoteServer = {
  ...common,
  transport: 'streamable-http',
  url: 'https://a.example/mcp',
  headerNames: ['X-Key'],
  oauthClient: { id: 'portside', hasSecret: true },
};
const program: StdioServer = {
  ...common,
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'two\nlines'],
  envNames: ['TOKEN'],
};

const valid = { ...draftOf(null), name: 'Everything', url: 'http://127.0.0.1:3901/mcp' };
const validProgram = { ...draftOf(null), transport: 'stdio' as const, name: 'Files', command: 'npx' };
/** The draft of a server that is changed, with changes. */
const changed = (server: RemoteServer | StdioServer, change: object) =>
  checkServer({ ...draftOf(server), ...change }, server);

const missing = 'Client ID is required';

describe('the server form', () => {
  it('keeps the identity provider of an organisation, until it is emptied', () => {
    const identityProvider = { issuer: 'https://id.example', clientId: 'p' };
    const given = { clientId: 'a', provider: ' https://id.example', providerClient: 'p ' };
    expect(checkServer({ ...valid, ...given }, null)).toMatchObject({
      input: { oauthClient: { id: 'a', identityProvider } },
    });
    const server = { ...remote, oauthClient: { id: 'a', hasSecret: true, identityProvider } };
    expect(changed(server, {})).toMatchObject({ input: { oauthClient: { id: 'a', identityProvider } } });
    const { input } = changed(server, { provider: '', providerClient: '' }) as { input: ServerInput };
    expect(input).toMatchObject({ oauthClient: { id: 'a' } });
    expect(input).not.toHaveProperty('oauthClient.identityProvider');
  });

  it.each([
    [{ url: '' }, { url: 'URL is required' }],
    [{ url: 'linear' }, { url: 'Start the address with https:// or http://' }],
    [{ url: 'ada@mcp.example' }, { url: 'Start the address with https:// or http://' }],
    [{ url: 'javascript:alert(1)' }, { url: 'Start the address with https:// or http://' }],
    [{ url: 'https://' }, { url: 'This is not an address that a browser can open' }],
    [{ url: 'https://mcp.example/m cp' }, { url: 'Remove the spaces from the address' }],
    [{ url: 'https://mcp.example/\tmcp' }, { url: 'Remove the spaces from the address' }],
    [{ headers: 'A: b\nno colon' }, { headers: 'Line 2 is not in the form Name: value' }],
    [
      { headers: 'X-A: b\n\nx-a: c' },
      { headers: 'Line 3 repeats x-a. Put its values on one line, separated by commas' },
    ],
    [{ clientSecret: 's' }, { clientId: 'Client ID is required' }],
    [{ provider: 'https://id.example' }, { clientId: missing, providerClient: missing }],
    [{ clientId: 'a', providerClient: 'b' }, { provider: 'URL is required' }],
    [{ toolTimeout: '0' }, { toolTimeout: 'Enter a whole number of milliseconds, 1 or more' }],
    [{ toolTimeout: '' }, { toolTimeout: 'Enter a whole number of milliseconds, 1 or more' }],
  ])('given %j says %j', (change, faults) => {
    expect(checkServer({ ...valid, ...change }, null)).toEqual({ faults });
  });

  it.each([
    [{ command: ' ' }, { command: 'Command is required' }],
    [{ cwd: 'src' }, { cwd: 'Enter the full path, such as /home/you/project or C:\\project' }],
    [{ cwd: './src' }, { cwd: expect.stringContaining('full path') }],
    [{ env: 'A=1\n\nB' }, { env: 'Line 3 is not in the form KEY=value' }],
  ])('of a program, given %j says %j', (change, faults) => {
    expect(checkServer({ ...validProgram, ...change }, null)).toEqual({ faults });
  });

  it('names every field that is missing, and none of another transport', () => {
    expect(changed(remote, { name: ' ', url: '' })).toEqual({
      faults: { name: 'Name is required', url: 'URL is required' },
    });
    expect(checkServer({ ...validProgram, url: 'nonsense', headers: 'nonsense' }, null)).toHaveProperty(
      'input',
    );
  });

  it.each([
    ['mcp.linear.app', 'https://mcp.linear.app'],
    ['mcp.example.com:8443/mcp?a=b', 'https://mcp.example.com:8443/mcp?a=b'],
    ['localhost:3001', 'http://localhost:3001'],
    ['nas:3001/sse', 'http://nas:3001/sse'],
    ['192.168.1.20/mcp', 'http://192.168.1.20/mcp'],
    ['printer.local', 'http://printer.local'],
    ['nas.home.arpa', 'http://nas.home.arpa'],
    ['100.64.0.7:8000', 'http://100.64.0.7:8000'],
    ['[2001:db8::1]', 'https://[2001:db8::1]'],
    ['[::1]:3001', 'http://[::1]:3001'],
    [' https://a.example ', 'https://a.example'],
  ])('completes %s to %s', (typed, url) => {
    expect(checkServer({ ...valid, url: typed }, null)).toMatchObject({ input: { url } });
  });

  it('needs no name for a new server: until it gives its own it is called by where it is', () => {
    const unnamed = (change: object) => checkServer({ ...draftOf(null), ...change }, null);
    expect(unnamed({ url: 'mcp.linear.app' })).toMatchObject({
      input: { name: 'mcp.linear.app', isUnnamed: true },
    });
    expect(unnamed({ transport: 'stdio', command: 'npx', args: '-y\n@scope/server-files' })).toMatchObject({
      input: { name: 'server-files', isUnnamed: true },
    });
    expect(checkServer(valid, null)).not.toHaveProperty('input.isUnnamed');
    const waiting = { ...remote, isUnnamed: true as const };
    expect(changed(waiting, { toolTimeout: '5000' })).toMatchObject({ input: { isUnnamed: true } });
    expect(changed(waiting, { name: 'B' })).not.toHaveProperty('input.isUnnamed');
  });

  it('sends only what belongs to the chosen transport', () => {
    const draft = { ...validProgram, url: 'https://a.example', args: '-y\n\n a b \n', env: 'A=b=c' };
    expect(checkServer(draft, null)).toEqual({
      input: {
        key: draft.key,
        name: 'Files',
        enabled: true,
        toolTimeout: 30_000,
        trusted: false,
        oneAtATime: false,
        withoutInstructions: false,
        withoutApps: false,
        transport: 'stdio',
        keepRunning: false,
        launchAllowed: true,
        command: 'npx',
        args: ['-y', ' a b '],
        env: { A: 'b=c' },
      },
    });
    expect(checkServer({ ...valid, command: 'npx', env: 'A=b' }, null)).not.toHaveProperty('input.env');
  });

  it('leaves what is stored alone unless something is written or it is to be removed', () => {
    expect(changed(remote, {})).not.toHaveProperty('input.headers');
    expect(changed(remote, { headers: 'X-Key: 1' })).toMatchObject({
      input: { id: 3, headers: { 'X-Key': '1' } },
    });
    expect(changed(remote, { forgetHeaders: true })).toMatchObject({ input: { headers: {} } });
    expect(changed(program, {})).not.toHaveProperty('input.env');
    expect(changed(program, { forgetEnv: true })).toMatchObject({ input: { env: {} } });
    expect(changed(remote, {})).toMatchObject({ input: { oauthClient: { id: 'portside' } } });
    expect(changed(remote, {})).not.toHaveProperty('input.oauthClient.secret');
    expect(changed(remote, { clientId: '' })).toMatchObject({ input: { oauthClient: null } });
  });

  it('allows what is started only by saving another one', () => {
    expect(changed(program, { toolTimeout: '5000' })).not.toHaveProperty('input.launchAllowed');
    for (const change of [{ command: 'uvx' }, { args: '-y' }, { cwd: '/tmp' }, { env: 'A=b' }])
      expect(changed(program, change)).toMatchObject({ input: { launchAllowed: true } });
  });

  it('keeps an argument with a line end in it until the arguments are edited', () => {
    expect(changed(program, {})).toMatchObject({ input: { args: ['-y', 'two\nlines'] } });
    expect(changed(program, { args: '-y\ntwo\nlines\nmore' })).toMatchObject({
      input: { args: ['-y', 'two', 'lines', 'more'] },
    });
  });

  it('trusts a server, and spares it calls at once, only when told', () => {
    expect(checkServer(valid, null)).toMatchObject({ input: { trusted: false, oneAtATime: false } });
    expect(
      checkServer({ ...valid, trusted: true, oneAtATime: true, withInstructions: false }, null),
    ).toMatchObject({
      input: { trusted: true, oneAtATime: true, withoutInstructions: true },
    });
  });

  it('says before saving that another origin, path or program drops what was given for the old one', () => {
    const moved = (server: RemoteServer | StdioServer, change: object) =>
      movedTo({ ...draftOf(server), ...change }, server);
    expect(moved(remote, { url: 'https://a.example/mcp?page=2' })).toBeNull();
    expect(moved(remote, { url: 'https://a.example/other' })).toBe('path');
    expect(moved({ ...remote, isUntried: true }, { url: 'https://a.example/other' })).toBeNull();
    expect(moved(remote, { url: 'https://b.example/mcp' })).toBe('origin');
    expect(moved(remote, { url: 'https://' })).toBeNull();
    expect(moved(remote, { transport: 'stdio', command: 'npx' })).toBe('program');
    expect(moved(program, { cwd: '/tmp' })).toBeNull();
    expect(moved(program, { args: '-y' })).toBe('program');
    expect(movedTo({ ...valid }, null)).toBeNull();
  });

  it('shows the worker’s refusal at the field that it is about', () => {
    const error = (code: string) => ({ code, message: 'No.', fix: 'Do.', retryable: false });
    const input = { ...common, transport: 'sse', url: 'https://a.example' } as ServerInput;
    expect(faultsOf(error('invalid_url'), input)).toEqual({ url: 'No. Do.' });
    expect(faultsOf(error('invalid_tool_timeout'), input)).toEqual({ toolTimeout: 'No. Do.' });
    expect(faultsOf(error('secret_for_other_address'), input)).toEqual({ headers: 'No. Do.' });
    expect(faultsOf(error('secret_for_other_address'), { ...input, headers: {} } as ServerInput)).toEqual({
      clientId: 'No. Do.',
    });
    expect(faultsOf(error('unexpected'), input)).toBeNull();
  });
});

describe('lines', () => {
  it('of headers may have colons in their values', () => {
    expect(parseHeaders('Authorization: Bearer a:b\n\nX-A:  1')).toEqual({
      headers: { Authorization: 'Bearer a:b', 'X-A': '1' },
    });
  });

  it('of the environment keep what stands after the first equals sign, also nothing', () => {
    expect(parseEnv('A=b=c\r\nEMPTY=\n  SPACED = x ')).toEqual({
      env: { A: 'b=c', EMPTY: '', SPACED: ' x ' },
    });
    expect(parseEnv('__proto__=1')).toEqual({ env: Object.fromEntries([['__proto__', '1']]) });
    expect(parseEnv('=x')).toEqual({ badLine: 1 });
    expect(parseEnv('two words=x')).toEqual({ badLine: 1 });
  });

  it('of arguments are taken as they are, but for empty ones and line ends of Windows', () => {
    expect(parseArgs('--name\r\nMy files \n\n   \n-v')).toEqual(['--name', 'My files ', '-v']);
  });
});
